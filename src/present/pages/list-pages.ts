// `/` and `/changelog/{team}?products=all`: the products that have a page, as cards: who it is, and what is new.
// `/changelog/{team}`: a team's products, then the versions of all of them, newest first (R64).
import type { SearchWords } from '../../domain/feed-query.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import type { Timeline, TimelineRow } from '../../store/read/lists/timeline.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { linkShared, sharedVersions } from '../changelog.ts';
import type { ListLinks } from '../links.ts';
import { writeShared } from '../notes/html.ts';
import { isOnlyLabel, type Out, teamOutputs } from '../outputs/output.ts';
import { type Html, html } from '../template.ts';
import { START } from '../texts.ts';
import { fill, type Locale, localeFor, localeOf, sharedLanguage } from '../words/locale.ts';
import {
  authored,
  cut,
  docsLink,
  frame,
  markdownFile,
  NOTHING,
  type PageFrame,
  type Site,
  writeBrand,
  writeDate,
  writeEmpty,
  writeFooter,
  writeHero,
  writeLabel,
  writeLogo,
} from './document.ts';
import { queryOf } from './filters.ts';
import { writeFeeds } from './product-pages.ts';
import { coloursOf } from './style.ts';
import { type VersionListView, writeTools, writeVersionsEnd } from './version-list.ts';
import { imagesOf, renderVersion, writeArticle } from './version-parts.ts';

/** Products of a team, or of all teams. Their first changes are plain text. */
export type Listed = Readonly<{ team: Timeline['team'] | null; products: readonly ListedProduct[] }>;

/** `/` and `/changelog/{team}?products=all` */
export type ListView = Listed &
  Readonly<{
    isContinued: boolean;
    /** Whether other parameters are given. */
    isFiltered?: boolean;
    /** The next page; null on the last one. */
    moreUrl: string | null;
  }>;

/** `/changelog/{team}` */
export type TimelinePage = Omit<VersionListView, 'matches' | 'versions'> &
  Readonly<{
    team: Timeline['team'];
    versions: readonly TimelineRow[];
    /** The first ones, on the first page of all versions; none on others. */
    products: readonly ListedProduct[];
    /** The list of all products; null if these are all. */
    productsUrl: string | null;
  }>;

export async function writeList(
  out: Out,
  { site, render }: Readonly<{ site: Site; render: Render }>,
  view: ListView,
): Promise<void> {
  const { team, isContinued, moreUrl } = view;
  const products: ListedProduct[] = [];
  for (const { newestChanges = [], ...product } of view.products) {
    const changes = newestChanges.map(({ text }) => text);
    const texts = await render(changes, START);
    const lines = newestChanges.map(({ type }, index) => ({ type, text: texts[index] ?? '' }));
    products.push({ ...product, newestChanges: lines.filter(({ text }) => text !== '') });
  }
  const listed = { team, products: isContinued || moreUrl !== null ? products : newestFirst(products) };
  const locale = localeFor(sharedLanguage(products));
  const { about, go, empty, regions } = locale.words;
  const links = site.links.fromList(team === null);
  const list =
    products.length > 0
      ? writeProducts(listed, links, locale)
      : isContinued
        ? writeEmpty(empty.noMoreProducts)
        : writeEmpty(empty.nothingYet, html`${empty.appearHere}`);
  const { start, end } = frame({
    ...listParts(site, view, locale),
    description: team === null ? about.byProduct : fill(about.ofTeam, { team: team.name }),
    isIndexed: !isContinued && !view.isFiltered,
    top:
      team === null
        ? writeBrand(site, null)
        : writeListTop(site, locale, html`<a href="${links.team(team.slug)}">${go.allVersions}</a>`),
    start: html`${writeHero(team?.name ?? about.changelogs, team === null ? about.byProduct : about.products)}
${list}
${
  moreUrl !== null &&
  html`<nav class="more" aria-label="${regions.moreProducts}">
<a rel="next" href="${moreUrl}">${go.moreProducts} <span aria-hidden="true">→</span></a>
</nav>`
}`,
  });
  out.showImages(products.map(({ logo }) => logo));
  await out.add(start + end);
}

type TimelineOptions = Readonly<{
  site: Site;
  renderOf: (head: HeadRow) => Render;
  searched?: SearchWords | null;
}>;

/** As on the page of a product, a filter finds whole versions. A version speaks the language of its changelog. */
export async function writeTimeline(
  out: Out,
  { site, renderOf, searched = null }: TimelineOptions,
  page: TimelinePage,
): Promise<void> {
  const links = site.links.fromList(false);
  const locale = localeFor(sharedLanguage([...page.products, ...page.versions.map(({ head }) => head)]));
  const { start, end } = frameTimeline(site, page, locale);
  out.showImages(page.products.map(({ logo }) => logo));
  await out.add(start);
  for await (const { version, ...own } of sharedVersions(page.versions)) {
    const { head } = version;
    const shown = { ...version, changes: own.changes };
    const rendered = await renderVersion(head, shown, renderOf(head), { level: 3, searched });
    out.showImages([head.logo, ...imagesOf(rendered)]);
    const { changes, shownBy } = linkShared(own, (other) => links.version(other.head, other));
    const its = localeOf(head);
    const name = html`<span${authored(its)}>${head.productName}</span>`;
    const article = writeArticle(rendered, {
      head,
      url: links.version(head, version),
      attributes: inOther(locale, its),
      lead: html`<a class="name of" href="${links.changelog(head)}">${writeMark(head)} ${name}</a>\n`,
      product: html`<span class="sr"${authored(its)}>${head.productName}</span> `,
      searched,
      besides: new Map(changes.map(({ id, alsoIn }) => [id, writeAlso(writeShared(its, 'alsoIn', alsoIn))])),
      after: writeAlso(writeShared(its, 'listedUnder', shownBy), '\n'),
    });
    for (const piece of article) await out.add(piece);
  }
  await out.add(end);
}

/** What all pages with products have; in their JSON-LD, those that they list. */
function listParts(site: Site, { team, products }: Listed, locale: Locale) {
  const { about } = locale.words;
  const { links } = site;
  const title = team === null ? about.changelogs : fill(about.changelogsOf, { team: team.name });
  const canonical = links.isAbsolute ? links.listUrl(team?.slug) : null;
  const itemListElement = products.map((product, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: product.changelogName,
    ...(links.isAbsolute && { url: links.urlsOf(product).changelog }),
  }));
  return {
    site,
    locale,
    head: null,
    title,
    canonical,
    alternates: markdownFile(site, '', title),
    data: {
      '@context': 'https://schema.org',
      '@type': 'CollectionPage',
      name: title,
      ...(canonical !== null && { url: canonical }),
      mainEntity: { '@type': 'ItemList', itemListElement },
    },
    footer: writeFooter([docsLink(links.fromList(team === null).docs, locale)]),
  };
}

/** The first line of a team's pages. */
function writeListTop(site: Site, { words }: Locale, besides = NOTHING): Html {
  const { home } = site.links.fromList(false);
  const all = site.hasHomePage ? html`<a href="${home}">${words.go.allProducts}</a>` : NOTHING;
  const aside = besides === NOTHING ? all : html`<div class="aside">\n${all}\n${besides}\n</div>`;
  return writeBrand(site, site.hasHomePage ? home : null, aside);
}

/** Newest first, if these are all there are; pages of a list are in the order of their names. */
export function newestFirst(products: readonly ListedProduct[]): ListedProduct[] {
  const timeOf = ({ newest }: ListedProduct) => newest?.publishedAt ?? '';
  return products.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
}

/** By team, unless there is one of each. */
function writeProducts({ team, products }: Listed, links: ListLinks, page: Locale): Html {
  const { go, filters } = page.words;
  const teams = Map.groupBy(products, ({ teamSlug }) => teamSlug);
  if (team !== null || teams.size === products.length)
    return writeCards(products, { level: 2, hasTeams: team === null, links, page });
  const sections = [...teams].map(([slug, ofTeam]) => {
    const name = ofTeam[0]?.teamName ?? slug;
    return html`<section>
<div class="team">
<h2 dir="auto">${name}</h2>
<a href="${links.team(slug)}" aria-label="${fill(filters.fieldValue, { field: name, value: go.allVersions })}">${go.allVersions} <span aria-hidden="true">→</span></a>
</div>
${writeCards(ofTeam, { level: 3, hasTeams: false, links, page })}
</section>`;
  });
  return html`${sections}`;
}

type Cards = Readonly<{
  /** The heading level of names. */
  level: 2 | 3;
  /** Whether each card names the team. */
  hasTeams: boolean;
  links: ListLinks;
  page: Locale;
}>;

function writeCards(products: readonly ListedProduct[], cards: Cards): Html {
  return html`<ul class="items">\n${products.map((product) => writeCard(product, cards))}\n</ul>`;
}

/** About two lines. */
const CHANGE_CHARACTERS_MAX = 80;

function writeCard(product: ListedProduct, { level, hasTeams, links, page }: Cards): Html {
  const { productName, language, newest, newestChanges = [] } = product;
  const { types, filters, empty } = page.words;
  const text = authored(page, language);
  const name = html`<a href="${links.changelog(product)}"${text}>${productName}</a>`;
  const items = newestChanges.map(({ type, text: change }) => {
    const field = fill(filters.fieldValue, { field: types[type], value: '' });
    return html`<li class="dot ${type}"><span class="sr">${field}</span><span${text}>${cut(change, CHANGE_CHARACTERS_MAX)}</span></li>`;
  });
  const date =
    newest?.publishedAt && !isDayOf(newest)
      ? html` ${writeDate(newest.publishedAt, page, { language, className: 'date' })}`
      : NOTHING;
  return html`<li class="item">
<div class="name">
${writeMark(product)}
<div>
<h${level}>${name}</h${level}>
${hasTeams && html`<p${text}>${product.teamName}</p>`}
</div>
</div>
${
  newest === null
    ? html`<p class="newest">${empty.nothingYet}</p>`
    : html`<p class="newest"><a href="${links.version(product, newest)}" class="label" dir="auto">${writeLabel(newest, { className: 'date' })}</a>${date}</p>
${!isOnlyLabel(newest) && html`<p class="about"${text}>${newest.title}</p>`}
${items.length > 0 && html`<ul>\n${items}\n</ul>`}`
}
</li>`;
}

/** What a product is recognised by: its logo, or else the first letter of its name in its colour. */
function writeMark({ productName, logo, accent }: Pick<HeadRow, 'productName' | 'logo' | 'accent'>): Html {
  const image = writeLogo(logo);
  if (image !== NOTHING) return image;
  const [initial = ''] = productName;
  // An attribute: the policy allows one style sheet, which is the same for all lists.
  const colours = coloursOf(accent);
  return html`<svg class="logo" viewBox="0 0 40 40" aria-hidden="true"${colours !== null && html` color="${colours}"`}><rect width="40" height="40" fill="currentColor"/><text x="20" y="27">${initial}</text></svg>`;
}

export function frameTimeline(site: Site, page: TimelinePage, locale: Locale): PageFrame {
  const { team, versions, products, productsUrl, form, isFiltered, isContinued, olderUrl } = page;
  // Not counted, because a team may have very many products.
  const matches = isContinued ? null : { count: versions.length, isMore: olderUrl !== null };
  const view = { ...page, matches };
  const { about, go, regions } = locale.words;
  const links = site.links.fromList(false);
  const isWhole = !isFiltered && !isContinued;
  const isEmpty = versions.length === 0;
  const parts = listParts(site, view, locale);
  const description = fill(about.ofTeam, { team: team.name });
  const urlOf = (file: string) => site.links.teamFile(team.slug, file) ?? '';
  const of = { name: parts.title, urlOf, query: queryOf(form) };
  const feeds = site.isStatic ? null : writeFeeds(site, teamOutputs(site.outputs), of, locale);
  const changelog = links.team(team.slug);
  /** This page, and the same with filters. */
  const own = { changelog, filtered: (query: string) => query || changelog };
  const shown = productsUrl === null ? newestFirst(products) : products;
  const cards = { level: 2, hasTeams: false, links, page: locale } as const;
  const chips = { form, facets: null, isEmpty, links: own, locale, isStatic: false };
  return frame({
    ...parts,
    format: 'h-feed',
    description,
    isIndexed: isWhole,
    alternates: [...(feeds?.alternates ?? []), ...(isWhole ? parts.alternates : [])],
    top: writeListTop(site, locale, feeds?.button),
    footer: writeFooter([...(feeds?.files ?? []), docsLink(links.docs, locale)]),
    start: html`${writeHero(team.name, description, html` class="p-name"`)}
${shown.length > 0 && writeCards(shown, cards)}
${productsUrl !== null && html`<nav class="ways" aria-label="${regions.moreProducts}"><a class="button" href="${productsUrl}" rel="nofollow">${go.moreProducts}</a></nav>`}
${!site.isStatic && (!isEmpty || isFiltered) && writeTools(view, { chips, menu: null })}
`,
    end: writeVersionsEnd(view, own, locale),
  });
}

const writeAlso = (text: string, end = ''): Html =>
  text === '' ? NOTHING : html`<div class="also">${{ html: text }}</div>${end}`;

/** The language and the direction of a part, if the page has others. */
function inOther(page: Locale, part: Locale): Html {
  const languageOf = ({ isOwn, language, tag }: Locale) => (isOwn ? language : tag);
  const language = languageOf(part);
  return html`${language !== languageOf(page) && html` lang="${language}"`}${part.direction !== page.direction && html` dir="${part.direction}"`}`;
}
