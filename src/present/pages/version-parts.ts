// A version as shown in lists and on its own page.
import type { ChangeType } from '../../domain/model.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { isOnlyLabel } from '../outputs/entry-title.ts';
import { groupByType } from '../outputs/groups.ts';
import { breakingFirst } from '../version.ts';
import { fill, type Locale, localeOf } from '../words/locale.ts';
import { authored, cut, inLanguage, NOTHING, plainText, webAddress, writeDate } from './document.ts';
import type { RenderedChange, RenderedVersion } from './views.ts';

/** A heading's content: the label above the title. */
export function writeName(version: Pick<RenderedVersion, 'label' | 'title'>, head: HeadRow): Html {
  const { label, title } = version;
  const text = authored(localeOf(head));
  if (isOnlyLabel(version)) return html`<span class="title"${text}>${label}</span>`;
  return html`<span class="label" dir="auto">${label}</span> <span class="title"${text}>${title}</span>`;
}

/** The date, all changes in code, and warnings that a reader must not miss. */
export function writeWhen(version: RenderedVersion, head: HeadRow, url: string | null): Html {
  const locale = localeOf(head);
  const { words } = locale;
  const date = version.publishedAt === null ? NOTHING : writeDate(version.publishedAt, locale);
  const breaking = version.changes.filter((change) => change.breaking);
  const first = breaking[0];
  return html`<div class="when">
${url === null ? date : html`<a class="u-url" href="${url}">${date}</a>`}${writeCompareLink(version, locale)}
${version.yanked && html`<span class="tag alarm">${words.version.yanked}</span>`}
${first !== undefined && html`<a class="tag alarm" href="#${first.id}">${locale.count(words.version.breakingCount, breaking.length)}</a>`}
</div>`;
}

function writeCompareLink({ label, compareUrl }: RenderedVersion, { words }: Locale): Html {
  const url = webAddress(compareUrl);
  if (url === null) return NOTHING;
  return html`\n<a href="${url.href}" aria-label="${fill(words.version.codeChangesIn, { version: label })}">${words.version.codeChanges} <span aria-hidden="true">↗</span></a>`;
}

/**
 * The description and the changes by type, in pieces: there may be very many, and other requests are served in between.
 * `level` is the heading level of the types.
 */
export function* writeContent(
  version: RenderedVersion,
  { head, url, level }: { head: HeadRow; url: string; level: 2 | 3 },
): Generator<string> {
  const { yanked, description, changes } = version;
  const locale = localeOf(head);
  const { words } = locale;
  yield html`${yanked && html`<p class="note">${words.version.yankedNote}</p>`}
${description !== null && html`<div class="text"${authored(locale)}>${{ html: description }}</div>`}
`.html;
  for (const [type, group] of groupByType(changes)) {
    yield html`<section class="group">
${writeTypeHeading(words.types[type], type, level)}
<ul class="changes">
`.html;
    for (const change of breakingFirst(group)) yield `${writeChange(change, head, url).html}\n`;
    yield '</ul>\n</section>\n';
  }
}

export function writeTypeHeading(text: string, type: ChangeType, level: 2 | 3, besides = NOTHING): Html {
  const content = html`<span class="tag p-category ${type}">${text}</span>${besides}`;
  return level === 2 ? html`<h2>${content}</h2>` : html`<h3>${content}</h3>`;
}

function writeChange(change: RenderedChange, head: HeadRow, url: string): Html {
  return writeItem(change, head, { url, classes: 'change', besides: NOTHING });
}

/** A change listed with those of other versions. */
export function writeRangeItem(change: RenderedChange, head: HeadRow, url: string, version: Html): Html {
  return writeItem(change, head, { url, classes: 'change range', besides: version });
}

function writeItem(
  { id, breaking, html: content }: RenderedChange,
  head: HeadRow,
  { url, classes, besides }: { url: string; classes: string; besides: Html },
): Html {
  const locale = localeOf(head);
  const words = locale.words.version;
  const text = beginningOf(content);
  const name = text === '' ? words.linkToChange : fill(words.linkToChangeText, { text });
  // The whole item has the text's direction, so that the bullet is where the text starts.
  return html`<li class="${classes}${breaking && ' breaking'}" id="${id}" dir="auto">
<div>${breaking && html`<strong class="mark"><bdi>${words.breakingChange}</bdi></strong>`}
<div class="text"${inLanguage(locale)}>${{ html: content }}</div></div>
<a class="anchor" href="${url}#${id}" aria-label="${name}">#</a>${besides}
</li>`;
}

const BEGINNING_CHARACTERS_MAX = 40;
const BEGINNING_HTML_MAX = 400;

/** Screen readers list links out of context, so each needs its own name. */
function beginningOf(content: string): string {
  return cut(plainText(content.slice(0, BEGINNING_HTML_MAX)), BEGINNING_CHARACTERS_MAX);
}
