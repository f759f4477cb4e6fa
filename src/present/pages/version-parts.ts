// A version as shown in lists and on its own page.
import type { SearchWords } from '../../domain/feed-query.ts';
import { type SectionKind, sectionsOf } from '../../domain/model.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { ChangeRow, HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import type { ProductUrls } from '../links.ts';
import { isOnlyLabel } from '../outputs/output.ts';
import { type Html, html } from '../template.ts';
import { markText, type PageText, pageTextFor, renderNotes, type TextHead } from '../texts.ts';
import { fill, fillHtml, localeOf } from '../words/locale.ts';
import { authored, cut, inLanguage, NOTHING, webAddress, writeDate, writeLabel } from './document.ts';

export type RenderedChange = Omit<ChangeRow, 'text' | 'breaking'> &
  Readonly<{ text: PageText; breaking: boolean }>;

export type RenderedVersion = Omit<FullVersion, 'status' | 'yanked' | 'description' | 'changes'> &
  Readonly<{ yanked: boolean; description: PageText | null; changes: readonly RenderedChange[] }>;

/** A description's headings are one level below the version's, like those of the change types. */
export async function renderVersion(
  head: TextHead,
  version: FullVersion,
  render: Render,
  { level, searched = null }: Readonly<{ level: 2 | 3; searched?: SearchWords | null }>,
): Promise<RenderedVersion> {
  const writerAt = (top: number) => pageTextFor(head, top, searched);
  const { description, changes } = await renderNotes(version, render, writerAt(level), writerAt(level + 1));
  return {
    ...version,
    yanked: version.yanked === 1,
    description,
    changes: changes.map(({ shown, ...change }) => ({
      ...change,
      breaking: change.breaking === 1,
      text: shown,
    })),
  };
}

/** The comparison of a version with the one before it. */
export type Before = Readonly<{ label: string; url: string }>;

/** A heading's content: the label above the title. */
export function writeName(
  version: Pick<RenderedVersion, 'label' | 'title' | 'publishedAt'>,
  head: HeadRow,
  searched: SearchWords | null = null,
): Html {
  const label = writeLabel(version, { content: { html: markText(version.label, searched) } });
  const title = { html: markText(version.title, searched) };
  const text = authored(localeOf(head));
  if (isOnlyLabel(version)) return html`<span class="title"${text}>${label}</span>`;
  return html`<span class="label" dir="auto">${label}</span> <span class="title"${text}>${title}</span>`;
}

/** The comparison with the version before, on a server. */
export function beforeOf(changes: ProductUrls['changes'], label: string, before?: string): Before | null {
  if (before === undefined) return null;
  const url = changes(`?${new URLSearchParams({ from: before, to: label })}`);
  return url === null ? null : { label: before, url };
}

/** URLs of all images of a version. */
export function imagesOf({ image, description, changes }: RenderedVersion): (string | null)[] {
  return [image, ...(description?.images ?? []), ...changes.flatMap(({ text }) => text.images)];
}

type ArticleOptions = Omit<ContentOptions, 'level'> &
  Readonly<{
    before?: Before | null;
    attributes?: Html;
    /** What comes before the date, and before the name. */
    lead?: Html;
    product?: Html;
    searched?: SearchWords | null;
    /** What comes after the changes. */
    after?: Html;
  }>;

/** A version in a list, in pieces. */
export function* writeArticle(version: RenderedVersion, options: ArticleOptions): Generator<string> {
  const { head, url, before = null, lead, searched, after = NOTHING } = options;
  const { attributes = NOTHING, product = NOTHING } = options;
  yield html`<article class="version h-entry${version.yanked && ' yanked'}" id="${version.id}"${attributes}>
${writeWhen(version, head, { url: null, before, lead })}
<div>
<h2><a class="u-url p-name" href="${url}">${product}${writeName(version, head, searched)}</a></h2>
<div class="e-content">
`.html;
  yield* writeContent(version, { ...options, level: 3 });
  yield `${after.html}</div>\n</div>\n</article>\n`;
}

/** With the version's page, to link to. */
type WhenOptions = Readonly<{ url: string | null; before: Before | null; lead?: Html | undefined }>;

/** The date, what changed, and warnings that a reader must not miss. */
export function writeWhen(version: RenderedVersion, head: HeadRow, options: WhenOptions): Html {
  const { url, before, lead = NOTHING } = options;
  const { label, publishedAt, yanked } = version;
  const locale = localeOf(head);
  const { version: words } = locale.words;
  const isDated = publishedAt === null || isDayOf(version);
  const date = isDated ? NOTHING : writeDate(publishedAt, locale);
  const code = webAddress(version.compareUrl);
  const breaking = version.changes.filter((change) => change.breaking);
  const [first] = breaking;
  return html`<div class="when">
${lead}${url === null || isDated ? date : html`<a class="u-url" href="${url}">${date}</a>`}
${code !== null && html`<a href="${code.href}" aria-label="${fill(words.codeChangesIn, { version: label })}">${words.codeChanges} <span aria-hidden="true">↗</span></a>`}
${before !== null && html`<a href="${before.url}" rel="nofollow">${fillHtml(words.compareWith, { version: html`<bdi>${before.label}</bdi>` })}</a>`}
${yanked && html`<span class="tag alarm">${words.yanked}</span>`}
${first !== undefined && html`<a class="tag alarm" href="#${first.id}">${locale.count(words.breakingCount, breaking.length)}</a>`}
</div>`;
}

/** A picture of nothing that the texts do not say. Its size is not known, so that it has one in the style sheet. */
export function writeCover(image: string | null, isFirst: boolean): Html {
  if (image === null || !/^(?:https:|data:image\/)/.test(image)) return NOTHING;
  return html`<img class="cover u-photo" src="${image}" alt=""${!isFirst && html` loading="lazy"`} decoding="async" referrerpolicy="no-referrer">\n`;
}

type ContentOptions = Readonly<{
  head: HeadRow;
  /** The version's page, for links to its changes. */
  url: string;
  /** The heading level of the sections: 3 in a list. */
  level: 2 | 3;
  /** What follows a change, by its id. */
  besides?: ReadonlyMap<string, Html>;
}>;

/**
 * The cover and the description, then the changes: breaking ones, and the others by type. In pieces: there may be very many,
 * and other requests are served in between.
 */
export function* writeContent(version: RenderedVersion, options: ContentOptions): Generator<string> {
  const { head, level } = options;
  const { image, yanked, description, changes } = version;
  const locale = localeOf(head);
  const { words } = locale;
  // An author may have put the same picture into the text.
  const cover = description?.images.includes(image ?? '') ? null : image;
  yield html`${writeCover(cover, level === 2)}${yanked && html`<p class="note">${words.version.yankedNote}</p>`}
${description !== null && html`<div class="text"${authored(locale)}>${{ html: description.html }}</div>`}
`.html;
  const isFolded = level === 3 && changes.length > UNFOLDED_CHANGES_MAX;
  const ordered = sectionsOf(changes).flatMap((section) => section.changes);
  // The section that is cut is in both parts.
  const first = isFolded ? ordered.slice(0, FIRST_CHANGES) : ordered;
  const rest = ordered.slice(first.length);
  yield* writeSections(first, options);
  if (rest.length === 0) return;
  const summary = locale.count(words.version.moreChanges, rest.length);
  const isOpen = rest.some(({ text }) => text.isHit);
  yield html`<details class="rest"${isOpen && html` open`}>\n<summary>${summary}</summary>\n`.html;
  yield* writeSections(rest, options);
  yield '</details>\n';
}

/** In a list, a version with more changes than this shows only the first ones at once. */
const UNFOLDED_CHANGES_MAX = 15;
const FIRST_CHANGES = 10;

function* writeSections(all: readonly RenderedChange[], options: ContentOptions): Generator<string> {
  const { head, url, level, besides } = options;
  for (const { kind, changes } of sectionsOf(all)) {
    yield startSection(kind, head, level);
    for (const change of changes) yield writeItem(change, head, { url, besides: besides?.get(change.id) });
    yield END_SECTION;
  }
}

/** In a comparison, with the number of changes. */
export function startSection(kind: SectionKind, head: HeadRow, level: 2 | 3, count?: number): string {
  const { words, number } = localeOf(head);
  const counted = count !== undefined && html` <span class="count">${number(count)}</span>`;
  return html`<section class="group">
<h${level}><span class="tag p-category ${kind}">${words.types[kind]}</span>${counted}</h${level}>
<ul class="changes">
`.html;
}

export const END_SECTION = '</ul>\n</section>\n';

type ItemOptions = Readonly<{ url: string; classes?: string; besides?: Html | undefined }>;

export function writeItem(
  { id, breaking, text }: RenderedChange,
  head: HeadRow,
  options: ItemOptions,
): string {
  const { url, classes = 'change', besides = NOTHING } = options;
  const locale = localeOf(head);
  const { version: words } = locale.words;
  // Screen readers list links out of context, so each needs its own name.
  const start = cut(text.start, START_CHARACTERS_MAX);
  const name = start === '' ? words.linkToChange : fill(words.linkToChangeText, { text: start });
  // The whole item has the text's direction, so that the bullet is where the text starts.
  return html`<li class="${classes}${breaking && ' breaking'}" id="${id}" dir="auto">
<div class="text"${inLanguage(locale)}>${{ html: text.html }}</div>
<a class="anchor" href="${url}#${id}" aria-label="${name}">#</a>${besides}
</li>
`.html;
}

const START_CHARACTERS_MAX = 40;
