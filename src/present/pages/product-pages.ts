// The pages of a product. `/changelog/{team}/{product}`: its versions, newest first. Below it, `versions/{name}`: one version,
// and `changes`: the changes between two versions.
import { type ChangeFilter, matchesChange, type SearchWords } from '../../domain/feed-query.ts';
import { sectionsOf } from '../../domain/model.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import { versionOrder } from '../../domain/version-order.ts';
import type { Outline } from '../../store/read/index.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import type { Depth, NamedVersion, PageLinks, ProductUrls } from '../links.ts';
import { filterTitle, linkedOutputs, type Out, teamOutputs, titleOf, webImageOf } from '../outputs/output.ts';
import { type Html, html } from '../template.ts';
import { type PageText, renderText } from '../texts.ts';
import { fill, fillHtml, type Locale, localeOf } from '../words/locale.ts';
import {
  authored,
  docsLink,
  frame,
  markdownFile,
  NOTHING,
  type PageFrame,
  type PageParts,
  type Site,
  webAddress,
  writeEmpty,
  writeFooter,
  writeHero,
  writeLogo,
} from './document.ts';
import { type FilterForm, filterTexts, queryOf, writeForm } from './filters.ts';
import {
  type VersionListView,
  writeCompare,
  writeTools,
  writeVersionMenu,
  writeVersionsEnd,
} from './version-list.ts';
import {
  beforeOf,
  END_SECTION,
  imagesOf,
  type RenderedChange,
  type RenderedVersion,
  renderVersion,
  startSection,
  writeArticle,
  writeContent,
  writeCover,
  writeItem,
  writeName,
  writeWhen,
} from './version-parts.ts';

/** What all pages are written with. */
type Pages = Readonly<{ site: Site; render: Render }>;

/** `/changelog/{team}/{product}` */
export type ChangelogView = VersionListView &
  Outline &
  Readonly<{ head: HeadRow; depth: 'changelog' | 'home' }>;

type Changelog = ChangelogView &
  Readonly<{
    versions: readonly FullVersion[];
    /** The label of the version before one. */
    previousOf: (label: string) => string | undefined;
    /** The changelog's own, which only the first page of all versions shows. */
    description: string | null;
    searched?: SearchWords | null;
  }>;

/** `/changelog/{team}/{product}`: the versions in full. */
export async function writeChangelog(out: Out, { site, render }: Pages, view: Changelog): Promise<void> {
  const { head, depth, versions, previousOf, searched = null } = view;
  const isWhole = !view.isFiltered && !view.isContinued;
  const description = isWhole ? await renderText(head, view.description, render, 2) : null;
  out.showImages([head.logo, ...(isWhole ? [head.image] : []), ...(description?.images ?? [])]);
  const { start, end } = frameChangelog(site, view, description);
  await out.add(start);
  const links = site.links.fromProduct(depth, head);
  for (const version of versions) {
    const rendered = await renderVersion(head, version, render, { level: 3, searched });
    out.showImages(imagesOf(rendered));
    const before = beforeOf(links.changes, version.label, previousOf(version.label));
    const options = { head, url: links.version(version), before, searched };
    for (const piece of writeArticle(rendered, options)) await out.add(piece);
  }
  await out.add(end);
}

export type FoundVersion = Readonly<{
  head: HeadRow;
  version: FullVersion;
  /** The label of the version before it. */
  previous: string | undefined;
  /** The order of the highest version. */
  highest: string | null;
}>;

/** `…/versions/{name}` */
export async function writeVersion(out: Out, { site, render }: Pages, found: FoundVersion): Promise<void> {
  const { head, version } = found;
  const rendered = await renderVersion(head, version, render, { level: 2 });
  const { publishedAt, updatedAt, label } = rendered;
  const urls = canonicalOf(site, head);
  const locale = localeOf(head);
  const { about, regions, go, version: words } = locale.words;
  const { start: first = '' } = rendered.description ?? rendered.changes[0]?.text ?? {};
  const description = first || fill(about.version, { product: head.productName, version: label });
  const image = webImageOf(rendered.image, rendered.description?.images[0]);
  const published = publishedAt === null ? {} : { datePublished: publishedAt };
  const title = titleWithin(titleOf(version), head.changelogName, locale);
  const links = site.links.fromProduct('version', head);
  const { before, afterUrl } = compare(links.changes, found);
  const url = links.version(version);
  const name = writeName(rendered, head);
  const { start, end } = frameProduct({
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
    start: html`<article class="version single${rendered.yanked && ' yanked'}">
${writeWhen(rendered, head, { url, before })}
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
  out.showImages([head.logo, ...imagesOf(rendered)]);
  await out.add(start);
  for (const piece of writeContent(rendered, { head, url: '', level: 2 })) await out.add(piece);
  await out.add(end);
}

/** A version with the one before it, and everything after it; null if that cannot be compared. */
export function compare(
  changes: ProductUrls['changes'],
  { version: { label }, previous, highest }: Omit<FoundVersion, 'head'>,
) {
  const order = versionOrder(label);
  const isLast = order === null || order === highest;
  const afterUrl = isLast ? null : changes(`?${new URLSearchParams({ from: label })}`);
  return { before: beforeOf(changes, label, previous), afterUrl };
}

/** The menu is empty without a form. */
type Range = Pick<ChangelogView, 'head' | 'form' | 'isFiltered' | 'menu'> &
  Readonly<{ versions: readonly FullVersion[]; filter: ChangeFilter }>;

/** `…/changes`: the changes of these versions, by section. */
export async function writeChanges(out: Out, { site, render }: Pages, view: Range): Promise<void> {
  const { head, form, menu, isFiltered, versions, filter } = view;
  const items: (RenderedChange & Readonly<{ version: NamedVersion }>)[] = [];
  const told: RenderedVersion[] = [];
  out.showImages([head.logo]);
  for (const version of versions) {
    const { description } = version;
    const rendered = await renderVersion(head, { ...version, description: null }, render, { level: 2 });
    const shown = rendered.changes.filter((change) => matchesChange(filter, change));
    items.push(...shown.map((change) => ({ ...change, version })));
    // Also as a whole: what was written as prose would be lost otherwise (R33).
    if (description !== null || shown.length === 0)
      told.push({ ...rendered, description: await renderText(head, description, render, 3) });
    else out.showImages(imagesOf(rendered));
  }
  for (const version of told) out.showImages(imagesOf(version));
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
  const { start, end } = frameProduct({
    site,
    head,
    depth: 'changes',
    form,
    title: titleWithin(title, head.changelogName, locale),
    description,
    canonical,
    isIndexed: !isFiltered,
    alternates: canonical === null ? [] : [markdown],
    article: { headline: title, description },
    application: { ...(form.values.to && { softwareVersion: form.values.to[0] }) },
    start: html`${writeHero(title, about.breakingFirst, html` class="p-name"`)}
${!site.isStatic && writeForm('changes', form, locale, menu)}
`,
    end: html`${versions.length === 0 && writeNoChanges(all, locale)}
<nav class="more" aria-label="${regions.otherPages}">
<a href="${links.changelog}"><span aria-hidden="true">←</span> ${go.allVersions}</a>
${
  all !== null &&
  html`<a href="${all}.md${query}" type="text/markdown">${go.asMarkdown}</a>
<a href="${links.file('')}/changes${query}" type="application/json">JSON</a>`
}
</nav>`,
  });
  await out.add(start);
  for (const { kind, changes } of sectionsOf(items)) {
    await out.add(startSection(kind, head, 2, changes.length));
    for (const change of changes) {
      const url = links.version(change.version);
      const besides = html`\n<a class="in" href="${url}" dir="auto">${change.version.label}</a>`;
      await out.add(writeItem(change, head, { url, classes: 'change range', besides }));
    }
    await out.add(END_SECTION);
  }
  for (const version of told)
    for (const piece of writeArticle({ ...version, changes: [] }, { head, url: links.version(version) }))
      await out.add(piece);
  await out.add(end);
}

/** Null if absolute URLs are not known. */
const canonicalOf = ({ links }: Site, head: HeadRow): ProductUrls | null =>
  links.isAbsolute ? links.urlsOf(head) : null;

export function frameChangelog(site: Site, view: ChangelogView, description: PageText | null): PageFrame {
  const { head, depth, form, isFiltered, isContinued } = view;
  // A changelog file has no team: the product stands for it.
  const isOfTeam = site.hasTeamPages || head.teamName !== head.productName;
  // About the changelog, and not about some of its versions.
  const isWhole = !isFiltered && !isContinued;
  // It is long: on every page, it would be a large part of a static site.
  const menu = site.isStatic && !isWhole ? [] : view.menu;
  const locale = localeOf(head);
  const { about } = locale.words;
  const title = isOfTeam ? titleWithin(head.changelogName, head.teamName, locale) : head.changelogName;
  const links = site.links.fromProduct(depth, head);
  const text = authored(locale);
  const product = html`<span${text}>${head.productName}</span>`;
  const names = { product: head.productName, team: head.teamName };
  const isEmpty = view.versions.length === 0;
  const chips = { ...view, menu, links, locale, isEmpty, isStatic: site.isStatic };
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

type ProductParts = Omit<PageParts, 'top' | 'footer' | 'head' | 'locale' | 'data'> &
  Readonly<{
    head: HeadRow;
    depth: Depth;
    /** Its filters also apply to the feeds that the page offers (R53). */
    form?: FilterForm;
    /** Of the JSON-LD: an article about an application. */
    article: object;
    application: object;
  }>;

export function frameProduct(parts: ProductParts): PageFrame {
  const { site, head, depth, form } = parts;
  const links = site.links.fromProduct(depth, head);
  const locale = localeOf(head);
  const { go, subscribe } = locale.words;
  // The files of a static site have no filters.
  const query = site.isStatic || form === undefined ? '' : queryOf(form);
  const of = { name: head.changelogName, urlOf: links.file, query };
  const { alternates, button, files } = writeFeeds(site, linkedOutputs(site.outputs), of, locale);
  return frame({
    ...parts,
    locale,
    // Every page of a static site takes space: there, the feeds are named where readers look for them.
    alternates: [
      ...(site.isStatic && (depth === 'version' || depth === 'changes') ? [] : alternates),
      ...(parts.alternates ?? []),
    ],
    data: describeArticle(parts),
    top: writeTop(parts, links, button, locale),
    footer: writeFooter([
      query !== '' && html`${subscribe.filtered}`,
      ...files,
      docsLink(links.docs, locale),
      site.hasHomePage && depth !== 'home' && html`<a href="${links.home}">${go.allProducts}</a>`,
    ]),
  });
}

function describeArticle({ head, canonical, article, application }: ProductParts): object {
  const home = webAddress(head.homeUrl);
  const image = webImageOf(head.image);
  return {
    '@context': 'https://schema.org',
    '@type': 'TechArticle',
    ...(image !== null && { image }),
    ...article,
    ...(canonical !== null && { url: canonical }),
    inLanguage: head.language,
    publisher: { '@type': 'Organization', name: head.teamName },
    about: {
      '@type': 'SoftwareApplication',
      name: head.productName,
      ...(home !== null && { url: home.href }),
      ...application,
      ...(canonical !== null && { releaseNotes: canonical }),
    },
  };
}

/** What a page has of its formats: for its head, the button that subscribes, and the files to read as a whole. */
export function writeFeeds(
  site: Site,
  outputs: ReturnType<typeof linkedOutputs>,
  { name, urlOf, query }: Readonly<{ name: string; urlOf: (file: string) => string; query: string }>,
  locale: Locale,
) {
  const title = filterTitle(name, filterTexts(query, locale));
  const whole = [...outputs.filter(({ isWhole }) => isWhole), { file: '', label: 'JSON' }];
  const rel = query === '' ? NOTHING : html` rel="nofollow"`;
  return {
    alternates: outputs.map(({ file, mediaType, label }) => ({
      url: urlOf(file) + query,
      type: mediaType,
      title: `${title} (${label})`,
    })),
    button: writeSubscribe(site, urlOf, query, locale),
    files: whole.map(({ file, label }) => html`<a href="${urlOf(file)}${query}"${rel}>${label}</a>`),
  };
}

function writeTop({ site, head, depth }: ProductParts, links: PageLinks, button: Html, locale: Locale): Html {
  const { go, regions } = locale.words;
  const text = authored(locale);
  const product = afterName(head.teamName, head.productName, locale);
  const team =
    product === ''
      ? html`<a href="${links.team}">${go.allProducts}</a>`
      : site.hasTeamPages
        ? html`<a href="${links.team}"${text}>${head.teamName}</a>`
        : html`<span${text}>${head.teamName}</span>`;
  const isCurrent = depth === 'changelog' || depth === 'home';
  const home = webAddress(head.homeUrl);
  return html`<header class="top">
<nav class="crumbs" aria-label="${regions.breadcrumb}">
${writeLogo(head.logo)}
<ul class="crumbs">
${(product !== '' || site.hasTeamPages) && html`<li>${team}</li>\n`}<li><a href="${links.changelog}"${isCurrent && html` aria-current="page"`}${text}>${product || head.productName}</a></li>
</ul>
</nav>
<div class="aside">
${home !== null && html`<a href="${home.href}">${home.host} <span aria-hidden="true">↗</span></a>`}
${button}
</div>
</header>`;
}

/**
 * The feeds behind one button: all changes, some of them, and what the page shows. The first format is the one to take; the
 * others are for readers that need them.
 */
export function writeSubscribe(
  { outputs, isStatic }: Site,
  urlOf: (file: string) => string,
  query: string,
  locale: Locale,
): Html {
  const { subscribe, filters } = locale.words;
  const [first, ...others] = teamOutputs(outputs);
  if (first === undefined) return NOTHING;
  const all = { text: subscribe.all, of: '' };
  const known = [
    all,
    { text: subscribe.security, of: '?type=security' },
    { text: subscribe.breaking, of: '?breaking=true' },
  ];
  const own = known.some(({ of }) => of === query) ? [] : [{ text: subscribe.filtered, of: query }];
  const linkTo = (file: string, of: string) =>
    html` href="${urlOf(file)}${of}"${of !== '' && html` rel="nofollow"`}`;
  const items = (isStatic ? [all] : [...own, ...known]).map(
    ({ text, of }) => html`<li><a${linkTo(first.file, of)}>${text}</a>
${others.map(({ file, label }) => html`<a${linkTo(file, of)} aria-label="${fill(filters.fieldValue, { field: text, value: label })}">${label}</a>`)}</li>`,
  );
  return html`<details class="menu">
<summary>${subscribe.button}</summary>
<div><ul>
${items}
</ul></div>
</details>`;
}

const AROUND_WORD = /^[-–—:,;|/·()]+|[-–—:,;|/·()]+$/gu;
const keyOf = (word: string): string => word.replaceAll(AROUND_WORD, '').toLowerCase();
const wordsOf = (name: string): string[] => name.split(/\s+/).filter((word) => word !== '');

/**
 * A name without the first words that the one before it has, in a breadcrumb or a title: what one says, the next does not
 * repeat. Empty if no other remains.
 */
export function afterName(before: string, name: string, { tag }: Pick<Locale, 'tag'>): string {
  const said = new Set(['', ...wordsOf(before).map(keyOf)]);
  const words = wordsOf(name);
  const first = words.findIndex((word) => !said.has(keyOf(word)));
  if (first === 0) return name;
  const rest = first === -1 ? '' : words.slice(first).join(' ');
  const beginsSentence = /^\p{Lu}/u.test(name) && /^\p{Ll}+(?: |$)/u.test(rest);
  return beginsSentence ? rest.charAt(0).toLocaleUpperCase(tag) + rest.slice(1) : rest;
}

/** The title of a page of which one part belongs to another: `Rocket 2.0 · Changelog`. */
export function titleWithin(title: string, of: string, locale: Pick<Locale, 'tag'>): string {
  const rest = afterName(title, of, locale);
  return rest === '' ? title : `${title} · ${rest}`;
}
