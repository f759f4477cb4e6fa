// What a product's pages share: links, first line, footer and feeds.
import type { HeadRow } from '../../store/read/reads.ts';
import type { Depth, PageLinks } from '../links.ts';
import { filterTitle, linkedOutputs, teamOutputs, webImageOf } from '../outputs/output.ts';
import { type Html, html } from '../template.ts';
import { fill, type Locale, localeOf } from '../words/locale.ts';
import {
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
