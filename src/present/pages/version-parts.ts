// A version as shown in lists and on its own page.
import type { ChangeType } from '../../domain/model.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { isOnlyLabel } from '../outputs/entry-title.ts';
import { groupByType, headingOf } from '../outputs/groups.ts';
import { breakingFirst } from '../version.ts';
import { authored, cut, inLanguage, NOTHING, plainText, webAddress, writeDate } from './document.ts';
import type { RenderedChange, RenderedVersion } from './views.ts';

/** A heading's content: the label above the title. */
export function writeName(version: Pick<RenderedVersion, 'label' | 'title'>, head: HeadRow): Html {
  const { label, title } = version;
  if (isOnlyLabel(version)) return html`<span class="title"${authored(head.language)}>${label}</span>`;
  return html`<span class="label" dir="auto">${label}</span> <span class="title"${authored(head.language)}>${title}</span>`;
}

/** The date, all changes in code, and warnings that a reader must not miss. */
export function writeWhen(version: RenderedVersion, head: HeadRow, url: string | null): Html {
  const date = version.publishedAt === null ? NOTHING : writeDate(version.publishedAt, head.language);
  const breaking = version.changes.filter((change) => change.breaking);
  const first = breaking[0];
  return html`<div class="when">
${url === null ? date : html`<a class="u-url" href="${url}">${date}</a>`}${writeCompareLink(version)}
${version.yanked && html`<span class="tag alarm">Yanked</span>`}
${first !== undefined && html`<a class="tag alarm" href="#${first.id}" aria-label="${breaking.length} breaking ${breaking.length === 1 ? 'change' : 'changes'}">${breaking.length} breaking</a>`}
</div>`;
}

function writeCompareLink({ label, compareUrl }: RenderedVersion): Html {
  const url = webAddress(compareUrl);
  if (url === null) return NOTHING;
  return html`\n<a href="${url.href}" aria-label="Code changes in ${label}">Code changes <span aria-hidden="true">↗</span></a>`;
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
  yield html`${yanked && html`<p class="note"><strong>Yanked:</strong> this version was withdrawn after its release. Do not use it.</p>`}
${description !== null && html`<div class="text"${authored(head.language)}>${{ html: description }}</div>`}
`.html;
  for (const [type, group] of groupByType(changes)) {
    yield html`<section class="group">
${writeTypeHeading(type, level)}
<ul class="changes">
`.html;
    for (const change of breakingFirst(group)) yield `${writeChange(change, head, url).html}\n`;
    yield '</ul>\n</section>\n';
  }
}

export function writeTypeHeading(type: ChangeType, level: 2 | 3, besides = NOTHING): Html {
  const content = html`<span class="tag p-category ${type}">${headingOf(type)}</span>${besides}`;
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
  { language }: HeadRow,
  { url, classes, besides }: { url: string; classes: string; besides: Html },
): Html {
  // The whole item has the text's direction, so that the bullet is where the text starts.
  return html`<li class="${classes}${breaking && ' breaking'}" id="${id}" dir="auto">
<div>${breaking && html`<strong class="mark"><bdi>Breaking change</bdi></strong>`}
<div class="text"${inLanguage(language)}>${{ html: content }}</div></div>
<a class="anchor" href="${url}#${id}" aria-label="Link to this change${beginningOf(content)}">#</a>${besides}
</li>`;
}

const BEGINNING_CHARACTERS_MAX = 40;
const BEGINNING_HTML_MAX = 400;

/** Screen readers list links out of context, so each needs its own name. */
function beginningOf(content: string): string {
  const text = plainText(content.slice(0, BEGINNING_HTML_MAX));
  return text === '' ? '' : `: ${cut(text, BEGINNING_CHARACTERS_MAX)}`;
}
