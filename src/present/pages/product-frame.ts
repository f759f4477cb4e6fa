// What a product's pages share: links, first line, footer and alternates.
import type { HeadRow } from '../../store/read/reads.ts';
import { type Html, html } from '../html/template.ts';
import { webImageOf } from '../images.ts';
import type { Depth, ProductUrls } from '../links.ts';
import { filterTitle, linkedOutputs } from '../outputs/output.ts';
import { localeOf } from '../words/locale.ts';
import { authored, frame, NOTHING, type PageParts, webAddress } from './document.ts';
import { filterTexts, queryOf } from './filters.ts';
import { writeLogo } from './product/mark.ts';
import { afterName } from './product/names.ts';
import { writeSubscribe } from './product/subscribe.ts';
import type { FilterForm, PageFrame, Site } from './views.ts';

/** Null if absolute URLs are not known. */
export function canonicalOf({ links }: Site, head: HeadRow): ProductUrls | null {
  return links.isAbsolute ? links.urlsOf(head) : null;
}

/** A changelog file has no team: the product stands for it. */
export function hasTeam({ hasTeamPages }: Site, { teamName, productName }: HeadRow): boolean {
  return hasTeamPages || teamName !== productName;
}

type ProductParts = Omit<PageParts, 'top' | 'footer' | 'head' | 'locale'> &
  Readonly<{
    head: HeadRow;
    depth: Depth;
    /** Its filters also apply to the feeds that the page offers (R53). */
    form?: FilterForm;
  }>;

export function frameProduct(parts: ProductParts): PageFrame {
  return frame({
    ...parts,
    locale: localeOf(parts.head),
    alternates: [...feedsOf(parts), ...(parts.alternates ?? [])],
    top: writeTop(parts),
    footer: writeFooter(parts),
  });
}

/** A page's JSON-LD: an article about an application. */
export function describeArticle(head: HeadRow, article: object, application: object): object {
  const home = webAddress(head.homeUrl);
  const image = webImageOf(head.image);
  return {
    '@context': 'https://schema.org',
    '@type': 'TechArticle',
    ...(image !== null && { image }),
    ...article,
    inLanguage: head.language,
    publisher: { '@type': 'Organization', name: head.teamName },
    about: {
      '@type': 'SoftwareApplication',
      name: head.productName,
      ...(home === null ? {} : { url: home.href }),
      ...application,
    },
  };
}

function feedsOf({ site, head, depth, form }: ProductParts) {
  const { file } = site.links.fromProduct(depth, head);
  const query = feedQueryOf(site, form);
  const title = filterTitle(head.changelogName, filterTexts(query, localeOf(head)));
  return linkedOutputs(site.outputs).map((output) => ({
    url: file(output.file) + query,
    type: output.mediaType,
    title: `${title} (${output.label})`,
  }));
}

/** The files of a static site have no filters. */
export function feedQueryOf({ isStatic }: Site, form: FilterForm | undefined): string {
  return form === undefined || isStatic ? '' : queryOf(form);
}

function writeTop({ site, head, depth, form }: ProductParts): Html {
  const links = site.links.fromProduct(depth, head);
  const locale = localeOf(head);
  const text = authored(locale);
  const { outputs, isStatic } = site;
  const product = afterName(head.teamName, head.productName, locale);
  const team =
    product === ''
      ? html`<a href="${links.team}">${locale.words.go.allProducts}</a>`
      : site.hasTeamPages
        ? html`<a href="${links.team}"${text}>${head.teamName}</a>`
        : html`<span${text}>${head.teamName}</span>`;
  const current = depth === 'changelog' || depth === 'home' ? html` aria-current="page"` : NOTHING;
  return html`<header class="top">
<nav class="crumbs" aria-label="${locale.words.regions.breadcrumb}">
${writeLogo(head.logo)}
<ul class="crumbs">
${(product !== '' || site.hasTeamPages) && html`<li>${team}</li>\n`}<li><a href="${links.changelog}"${current}${text}>${product || head.productName}</a></li>
</ul>
</nav>
<div class="aside">
${writeHomeLink(head)}
${writeSubscribe({ outputs, links, query: feedQueryOf(site, form), isStatic, locale })}
</div>
</header>`;
}

function writeHomeLink({ homeUrl }: HeadRow): Html {
  const home = webAddress(homeUrl);
  return home === null
    ? NOTHING
    : html`<a href="${home.href}">${home.host} <span aria-hidden="true">↗</span></a>`;
}

function writeFooter({ site, head, depth, form }: ProductParts): Html {
  const links = site.links.fromProduct(depth, head);
  const query = feedQueryOf(site, form);
  const files = [
    ...linkedOutputs(site.outputs).filter(({ isWhole }) => isWhole),
    { file: '', label: 'JSON' },
  ];
  const { go, subscribe } = localeOf(head).words;
  const rel = query === '' ? NOTHING : html` rel="nofollow"`;
  return html`<footer>
<ul>
${query !== '' && html`<li>${subscribe.filtered}</li>`}
${files.map(({ file, label }) => html`<li><a href="${links.file(file)}${query}"${rel}>${label}</a></li>`)}
${links.docs !== null && html`<li><a href="${links.docs}">${go.apiReference}</a></li>`}
${site.hasHomePage && depth !== 'home' && html`<li><a href="${links.home}">${go.allProducts}</a></li>`}
</ul>
</footer>`;
}
