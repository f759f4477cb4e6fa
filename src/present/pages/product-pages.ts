// The pages of a product. `/changelog/{team}/{product}`: its versions, newest first. Below it, `versions/{name}`: one version,
// and `changes`: the changes between two versions.
import { isDayOf } from '../../domain/timestamp.ts';
import { versionOrder } from '../../domain/version-order.ts';
import type { Outline } from '../../store/read/index.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { NamedVersion, ProductUrls } from '../links.ts';
import { titleOf, webImageOf } from '../outputs/output.ts';
import { type Html, html } from '../template.ts';
import type { PageText } from '../texts.ts';
import { fill, fillHtml, type Locale, localeOf } from '../words/locale.ts';
import { authored, markdownFile, type PageFrame, type Site, writeEmpty, writeHero } from './document.ts';
import { type FilterForm, queryOf } from './filters.ts';
import { writeForm } from './forms.ts';
import { frameProduct, titleWithin } from './product-frame.ts';
import {
  type VersionListView,
  writeCompare,
  writeTools,
  writeVersionMenu,
  writeVersionsEnd,
} from './version-list.ts';
import {
  type Before,
  type RenderedChange,
  type RenderedVersion,
  writeArticle,
  writeCover,
  writeItem,
  writeName,
  writeWhen,
} from './version-parts.ts';

/** `/changelog/{team}/{product}` */
export type ChangelogView = VersionListView &
  Outline &
  Readonly<{
    head: HeadRow;
    depth: 'changelog' | 'home';
    /** Null if there is none, or if this is not the first page of all versions. */
    description: PageText | null;
  }>;

/** `…/versions/{name}` */
export type VersionView<V = RenderedVersion> = Readonly<{
  head: HeadRow;
  version: V;
  before: Before | null;
  /** Everything after this version; null if it cannot be compared. */
  afterUrl: string | null;
}>;

/** `…/changes`; the menu is empty without a form. */
export type ChangesView = Pick<ChangelogView, 'head' | 'form' | 'isFiltered' | 'menu'> &
  Readonly<{
    /** Whether there is no version between the two. */
    isEmpty: boolean;
  }>;

export type RangeItem = RenderedChange & Readonly<{ version: NamedVersion }>;

/** Null if absolute URLs are not known. */
const canonicalOf = ({ links }: Site, head: HeadRow): ProductUrls | null =>
  links.isAbsolute ? links.urlsOf(head) : null;

export function frameChangelog(site: Site, view: ChangelogView): PageFrame {
  const { head, depth, form, description, menu, isFiltered, isContinued } = view;
  // A changelog file has no team: the product stands for it.
  const isOfTeam = site.hasTeamPages || head.teamName !== head.productName;
  // About the changelog, and not about some of its versions.
  const isWhole = !isFiltered && !isContinued;
  const locale = localeOf(head);
  const { about } = locale.words;
  const title = isOfTeam ? titleWithin(head.changelogName, head.teamName, locale) : head.changelogName;
  const links = site.links.fromProduct(depth, head);
  const text = authored(locale);
  const product = html`<span${text}>${head.productName}</span>`;
  const names = { product: head.productName, team: head.teamName };
  const chips = { ...view, links, locale, isEmpty: view.versionIds.length === 0, isStatic: site.isStatic };
  const more = html`${writeCompare(links.changes(''), menu, locale)}\n${writeVersionMenu(chips)}`;
  const action = depth === 'home' ? links.changelog : null;
  return frameProduct({
    site,
    head,
    depth,
    form,
    format: 'h-feed',
    title,
    description: fill(isOfTeam ? about.changelogOfTeam : about.changelog, names),
    canonical: canonicalOf(site, head)?.changelog ?? null,
    isIndexed: isWhole,
    alternates: isWhole ? markdownFile(site, links.changelog, title) : [],
    article: { headline: head.changelogName },
    application: {},
    start: html`<div class="hero">
<h1 class="p-name"${text}>${head.changelogName}</h1>
<p class="lede">${fillHtml(about.newestFirst, { product })}</p>${description !== null && html`\n<div class="lede text"${text}>${{ html: description.html }}</div>`}
${isWhole && writeCover(head.image, true)}</div>
${view.versionCount > 0 && writeTools(view, { chips, menu, action, more })}
`,
    end: writeVersionsEnd(view, links, locale),
  });
}

export function frameVersion(site: Site, { head, version, before, afterUrl }: VersionView): PageFrame {
  const { publishedAt, updatedAt, label } = version;
  const urls = canonicalOf(site, head);
  const locale = localeOf(head);
  const { about, regions, go, version: words } = locale.words;
  const { start = '' } = version.description ?? version.changes[0]?.text ?? {};
  const description = start || fill(about.version, { product: head.productName, version: label });
  const image = webImageOf(version.image, version.description?.images[0]);
  const published = publishedAt === null ? {} : { datePublished: publishedAt };
  const title = titleWithin(titleOf(version), head.changelogName, locale);
  const links = site.links.fromProduct('version', head);
  const url = links.version(version);
  const name = writeName(version, head);
  return frameProduct({
    site,
    head,
    depth: 'version',
    format: 'h-entry',
    title,
    description,
    canonical: urls?.version(version) ?? null,
    isIndexed: true,
    alternates: markdownFile(site, url, title),
    publishedAt,
    image,
    article: {
      headline: titleOf(version),
      description,
      ...(image !== null && { image }),
      ...published,
      ...(updatedAt !== publishedAt && { dateModified: updatedAt }),
      isPartOf: {
        '@type': 'CreativeWork',
        name: head.changelogName,
        ...(urls !== null && { url: urls.changelog }),
      },
    },
    application: { softwareVersion: label, ...published },
    start: html`<article class="version single${version.yanked && ' yanked'}">
${writeWhen(version, head, { url, before })}
<div>
<h1 class="p-name">${isDayOf(version) ? html`<a class="u-url" href="${url}">${name}</a>` : name}</h1>
<div class="e-content">
`,
    end: html`</div>
</div>
</article>
<nav class="more" aria-label="${regions.otherVersions}">
<a href="${links.changelog}"><span aria-hidden="true">←</span> ${go.allVersions}</a>
${afterUrl !== null && html`<a href="${afterUrl}" rel="nofollow">${words.after}</a>`}
</nav>`,
  });
}

/** Everything after a version, on a server; null if there is nothing. */
export function afterUrlOf(changes: ProductUrls['changes'], label: string, highest: string | null) {
  const order = versionOrder(label);
  if (order === null || order === highest) return null;
  return changes(`?${new URLSearchParams({ from: label })}`);
}

export function frameChanges(site: Site, view: ChangesView): PageFrame {
  const { head, form, menu } = view;
  // The comparisons of a static site have no page for all of them.
  const canonical = site.isStatic ? null : (canonicalOf(site, head)?.changes('') ?? null);
  const links = site.links.fromProduct('changes', head);
  const all = links.changes('');
  const query = queryOf(form);
  const locale = localeOf(head);
  const { about, regions, go } = locale.words;
  const title = titleOfRange(form, locale);
  const description = fill(about.changes, { product: head.productName });
  const markdown = { url: `${canonical}.md${query}`, type: 'text/markdown', title: `${title} (Markdown)` };
  return frameProduct({
    site,
    head,
    depth: 'changes',
    form,
    title: titleWithin(title, head.changelogName, locale),
    description,
    canonical,
    isIndexed: !view.isFiltered,
    alternates: canonical === null ? [] : [markdown],
    article: { headline: title, description },
    application: { ...(form.values.to && { softwareVersion: form.values.to[0] }) },
    start: html`${writeHero(title, about.breakingFirst, html` class="p-name"`)}
${!site.isStatic && writeForm('changes', form, locale, menu)}
`,
    end: html`${view.isEmpty && writeNoChanges(all, locale)}
<nav class="more" aria-label="${regions.otherPages}">
<a href="${links.changelog}"><span aria-hidden="true">←</span> ${go.allVersions}</a>
${
  all !== null &&
  html`<a href="${all}.md${query}" type="text/markdown">${go.asMarkdown}</a>
<a href="${links.file('')}/changes${query}" type="application/json">JSON</a>`
}
</nav>`,
  });
}

function titleOfRange({ values }: FilterForm, { words: { about, go } }: Locale): string {
  const [from, to] = [values.from?.[0] ?? '', values.to?.[0] ?? ''];
  if (from !== '' && to !== '') return fill(about.fromTo, { from, to });
  if (from !== '') return fill(about.after, { from });
  return to === '' ? go.allChanges : fill(about.upTo, { to });
}

/** Without a server, nothing can be chosen. */
function writeNoChanges(all: string | null, { words: { empty } }: Locale): Html {
  if (all === null) return writeEmpty(empty.noChanges, html`${empty.noneListed}`);
  const link = html`<a href="${all}">${empty.seeAllChanges}</a>`;
  return writeEmpty(empty.noChangesMatch, fillHtml(empty.chooseOthers, { link }));
}

export function writeRangeChange({ links }: Site, head: HeadRow, item: RangeItem): string {
  const url = links.fromProduct('changes', head).version(item.version);
  const besides = html`\n<a class="in" href="${url}" dir="auto">${item.version.label}</a>`;
  return writeItem(item, head, { url, classes: 'change range', besides });
}

/** Whether a comparison also has a version as a whole: what was written as prose would be lost otherwise (R33). */
export function isTold(version: Readonly<{ description: unknown; changes: readonly unknown[] }>): boolean {
  return version.description !== null || version.changes.length === 0;
}

/** A version without its changes, which are among those of others. */
export function writeTold({ links }: Site, head: HeadRow, version: RenderedVersion): string {
  const url = links.fromProduct('changes', head).version(version);
  return [...writeArticle({ ...version, changes: [] }, { head, url })].join('');
}
