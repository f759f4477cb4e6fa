// What a product's pages share: links, first line, footer and feeds.
import type { HeadRow } from '../../store/read/reads.ts';
import { webImageOf } from '../images.ts';
import type { Depth, PageLinks } from '../links.ts';
import { filterTitle, linkedOutputs } from '../outputs/output.ts';
import { type Html, html } from '../template.ts';
import { fill, type Locale, localeOf } from '../words/locale.ts';
import {
  type Alternate,
  authored,
  docsLink,
  frame,
  NOTHING,
  type PageFrame,
  type PageParts,
  type Site,
  webAddress,
  writeFooter,
  writeLogo,
} from './document.ts';
import { type FilterForm, filterTexts, queryOf } from './filters.ts';

/** A changelog file has no team: the product stands for it. */
export function hasTeam({ hasTeamPages }: Site, { teamName, productName }: HeadRow): boolean {
  return hasTeamPages || teamName !== productName;
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
  const query = feedQueryOf(site, form);
  const feeds = feedAlternates(linkedOutputs(site.outputs), links.file, head.changelogName, query, locale);
  return frame({
    ...parts,
    locale,
    alternates: [...feeds, ...(parts.alternates ?? [])],
    data: describeArticle(parts),
    top: writeTop(parts, links, query, locale),
    footer: writeProductFooter(parts, links, query, locale),
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

export function feedAlternates(
  outputs: readonly Readonly<{ file: string; mediaType: string; label: string }>[],
  urlOf: (file: string) => string,
  name: string,
  query: string,
  locale: Locale,
): Alternate[] {
  const title = filterTitle(name, filterTexts(query, locale));
  return outputs.map(({ file, mediaType, label }) => ({
    url: urlOf(file) + query,
    type: mediaType,
    title: `${title} (${label})`,
  }));
}

/** The files of a static site have no filters. */
export function feedQueryOf({ isStatic }: Site, form: FilterForm | undefined): string {
  return form === undefined || isStatic ? '' : queryOf(form);
}

function writeTop(
  { site, head, depth }: ProductParts,
  links: PageLinks,
  query: string,
  locale: Locale,
): Html {
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
${writeSubscribe(site, links.file, query, locale)}
</div>
</header>`;
}

/**
 * The feeds behind one button: all changes, some of them, and what the page shows. The first format is the one to take; the
 * others are for readers that need them.
 */
export function writeSubscribe(
  { outputs, isStatic }: Pick<Site, 'outputs' | 'isStatic'>,
  urlOf: (file: string) => string,
  query: string,
  locale: Locale,
): Html {
  const { subscribe, filters } = locale.words;
  const [first, ...others] = linkedOutputs(outputs).filter(({ isWhole }) => !isWhole);
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

function writeProductFooter(
  { site, depth }: ProductParts,
  links: PageLinks,
  query: string,
  locale: Locale,
): Html {
  const { go, subscribe } = locale.words;
  const files = [
    ...linkedOutputs(site.outputs).filter(({ isWhole }) => isWhole),
    { file: '', label: 'JSON' },
  ];
  const rel = query === '' ? NOTHING : html` rel="nofollow"`;
  return writeFooter([
    query !== '' && html`${subscribe.filtered}`,
    ...files.map(({ file, label }) => html`<a href="${links.file(file)}${query}"${rel}>${label}</a>`),
    docsLink(links.docs, locale),
    site.hasHomePage && depth !== 'home' && html`<a href="${links.home}">${go.allProducts}</a>`,
  ]);
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
