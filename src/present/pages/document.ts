// What all pages share: the head, the first line, and text helpers.
import type { HubsFor } from '../../domain/hook.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Links } from '../links.ts';
import { type NamedOutput, webImageOf } from '../outputs/output.ts';
import { type Html, html, jsonScript } from '../template.ts';
import { type Locale, localeFor } from '../words/locale.ts';
import { ICON, ICON_PATH, sheetFor } from './style.ts';

export type Site = Readonly<{
  /** For links that clients follow with the request's own path. */
  baseUrl: string;
  links: Links;
  /** Whether there is no server for searches, filters and comparisons. */
  isStatic: boolean;
  /** Appended to the pages' own style sheet, as a browser reads it: the policy has its hash. */
  extraCss: string;
  /** Whether each team has a page, and all teams one (R40). */
  hasTeamPages: boolean;
  hasHomePage: boolean;
  /** The formats that pages and `llms.txt` link to. */
  outputs: readonly NamedOutput[];
  /** The hubs that feeds name (R65). */
  hubsFor: HubsFor;
}>;

/** A page in parts: `start`, then what the read writes piece by piece, then `end`. */
export type PageFrame = ReturnType<typeof frame>;

export const NOTHING = html``;

export type Alternate = Readonly<{ url: string; type: string; title: string }>;

export type PageParts = Readonly<{
  site: Site;
  locale: Locale;
  /** Null on pages without a product. */
  head: HeadRow | null;
  /** The main content's microformat. */
  format?: 'h-feed' | 'h-entry';
  title: string;
  description: string;
  /** Null on error pages. */
  canonical: string | null;
  isIndexed: boolean;
  alternates?: readonly Alternate[];
  /** For a version's page. */
  publishedAt?: string | null;
  /** If the product's own is not the one to share. */
  image?: string | null;
  /** JSON-LD. */
  data?: unknown;
  /** Above and below the main content. */
  top: Html;
  footer: Html;
  /** The main content before and after the parts written piece by piece. */
  start: Html;
  end?: Html;
}>;

export function frame(parts: PageParts) {
  const { site, locale, head, top, start, end = NOTHING, footer } = parts;
  const css = sheetFor(site, head?.accent ?? null);
  const opening = html`<!DOCTYPE html>
<html lang="${locale.language}"${directionOf(locale)}>
<head>
${writeMeta(parts)}
<style>${{ html: css }}</style>
</head>
<body${ownWords(locale)}>
<a class="skip" href="#main">${locale.words.skip}</a>
${top}
<main id="main"${parts.format !== undefined && html` class="${parts.format}"`}>
${start}`;
  const closing = html`${end}
</main>
${footer}
</body>
</html>
`;
  return { start: opening.html, end: closing.html };
}

/** The top of a page that is not about a version: its name, and a sentence about it. */
export function writeHero(title: string, lede: string, attributes = NOTHING): Html {
  return html`<div class="hero">
<h1${attributes} dir="auto">${title}</h1>
<p class="lede">${lede}</p>
</div>`;
}

/** Instead of versions, changes or products. */
export function writeEmpty(title: string, text = NOTHING): Html {
  return html`<div class="empty">
<h2>${title}</h2>
${text !== NOTHING && html`<p>${text}</p>`}
</div>`;
}

/** Nothing without items. */
export function writeFooter(items: readonly (Html | false)[]): Html {
  const shown = items.filter((item) => item !== false).map((item) => html`<li>${item}</li>`);
  return shown.length === 0 ? NOTHING : html`<footer>\n<ul>\n${shown}\n</ul>\n</footer>`;
}

export const docsLink = (docs: string | null, { words }: Locale): Html | false =>
  docs !== null && html`<a href="${docs}">${words.go.apiReference}</a>`;

export function writeLogo(logo: string | null): Html {
  if (logo === null || !/^(?:https:|data:image\/)/i.test(logo)) return NOTHING;
  return html`<img class="logo" src="${logo}" alt="" width="40" height="40" referrerpolicy="no-referrer">`;
}

/** A static site has no headers, so that the page itself names its Markdown. */
export function markdownFile({ links, isStatic }: Site, pageUrl: string, title: string): Alternate[] {
  if (!isStatic) return [];
  return [{ url: links.markdownOf(pageUrl), type: 'text/markdown', title: `${title} (Markdown)` }];
}

/** The first line of a page without a product: our mark, and where the reader is. */
export function writeBrand({ baseUrl }: Site, home: string | null, besides = NOTHING): Html {
  const url = URL.parse(baseUrl);
  if (url === null && besides === NOTHING) return NOTHING;
  const name =
    url !== null &&
    html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICON_PATH}"/></svg><bdi dir="ltr">${url.host}${url.pathname.replace(/\/$/, '')}</bdi>`;
  return html`<header class="top">
${name && (home === null ? html`<span class="brand">${name}</span>` : html`<a class="brand" href="${home}">${name}</a>`)}
${besides}
</header>`;
}

function writeMeta(parts: PageParts): Html {
  const { site, head, title, description, canonical, isIndexed, alternates = [], data } = parts;
  // Search engines take it only with absolute URLs, which the files of a static site do not need otherwise.
  const hreflang = head === null || site.isStatic ? NOTHING : html` hreflang="${head.language}"`;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${cutTitle(title)}</title>
${description !== '' && html`<meta name="description" content="${cut(description, DESCRIPTION_CHARACTERS_MAX)}">`}
${!isIndexed && html`<meta name="robots" content="noindex, follow">`}
<link rel="icon" href="${iconOf(head)}">
${
  canonical !== null &&
  html`<link rel="canonical" href="${canonical}">
${writeCard(parts, canonical)}`
}
${alternates.map(({ url, type, title }) => html`<link rel="alternate" type="${type}" title="${title}"${hreflang} href="${url}">`)}
${data !== undefined && jsonScript('application/ld+json', data)}`;
}

const ICON_CHARACTERS_MAX = 2_000;

/** A small embedded logo: an icon must not need its own request. */
function iconOf(head: HeadRow | null): Html {
  const logo = head?.logo ?? '';
  return /^data:image\//i.test(logo) && logo.length <= ICON_CHARACTERS_MAX ? html`${logo}` : { html: ICON };
}

function writeCard({ head, title, description, publishedAt, ...own }: PageParts, canonical: string): Html {
  const image = webImageOf(own.image, head?.image);
  const properties = {
    'og:type': publishedAt ? 'article' : 'website',
    'og:url': canonical,
    'og:title': cut(title, DESCRIPTION_CHARACTERS_MAX),
    'og:description': cut(description, DESCRIPTION_CHARACTERS_MAX),
    'og:site_name': head?.changelogName,
    'og:image': image ?? webImageOf(head?.logo),
    'article:published_time': publishedAt,
  };
  const tags = Object.entries(properties).flatMap(([name, value]) =>
    value ? [html`<meta property="${name}" content="${value}">`] : [],
  );
  return html`${tags}
<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">`;
}

const TITLE_CHARACTERS_MAX = 70;
export const cutTitle = (title: string): string => cut(title, TITLE_CHARACTERS_MAX);
const DESCRIPTION_CHARACTERS_MAX = 200;

export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  // A character may take two of a string.
  const characters = [...text.slice(0, 2 * charactersMax + 2)];
  if (characters.length <= charactersMax) return text;
  const begun = characters.slice(0, charactersMax - 1).join('');
  return `${begun.trimEnd()}…`;
}

export function directionOf({ direction }: Locale): Html {
  return direction === 'rtl' ? html` dir="rtl"` : NOTHING;
}

/** The language of the page's own words, if the changelog has another one. */
export function ownWords({ isOwn, tag }: Locale): Html {
  return isOwn ? NOTHING : html` lang="${tag}"`;
}

/** Attributes of authored text. */
export function authored(page: Locale, language = page.language): Html {
  return html`${inLanguage(page, language)} dir="auto"`;
}

/** For authored text inside an element that sets the direction. */
export function inLanguage({ isOwn, tag, language: own }: Locale, language = own): Html {
  return language === (isOwn ? own : tag) ? NOTHING : html` lang="${language}"`;
}

/** The day in UTC, in the changelog's language. */
export function writeDate(
  timestamp: string,
  page: Locale,
  { language = page.language, className = 'dt-published' } = {},
): Html {
  const time = localeFor(language).date(timestamp);
  return html`<time class="${className}" datetime="${timestamp}"${authored(page, language)}>${time}</time>`;
}

/** A label that is the date of the version is marked up as one, and no other date is needed. */
export function writeLabel(
  version: Readonly<{ label: string; publishedAt: string | null }>,
  { content = html`${version.label}`, className = 'dt-published' } = {},
): Html {
  if (!isDayOf(version)) return content;
  return html`<time class="${className}" datetime="${version.publishedAt ?? ''}">${content}</time>`;
}

/** Null if a link must not lead there. */
export function webAddress(text: string | null): URL | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
