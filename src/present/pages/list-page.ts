// `/changelog/{team}` and `/`: the products that have a page.
import { type Html, html } from '../html/template.ts';
import { PAGES_PATH, versionSegment } from '../page-paths.ts';
import { authored, frame, NOTHING, writeDate } from './document.ts';
import { writeLogo } from './product-frame.ts';
import type { ListedProduct, ListView, PageDocument, Site } from './views.ts';

export function writeListPage(site: Site, view: ListView): PageDocument {
  const { team, products, moreQuery } = view;
  const title = team === null ? 'Changelogs' : `${team.name} changelogs`;
  const { start, end, policy } = frame({
    site,
    head: null,
    title,
    description: team === null ? 'What is new, by product.' : `What is new in the products of ${team.name}.`,
    canonical: site.baseUrl + (team === null ? '/' : `${PAGES_PATH}/${team.slug}`),
    isIndexed: true,
    top: html`<header class="top">${team !== null && site.hasHomePage ? html`<a href="../"><span aria-hidden="true">←</span> All products</a>` : html`<span>&nbsp;</span>`}</header>`,
    footer: html`<footer><ul><li><a href="${team === null ? '' : '../'}docs">API reference</a></li></ul></footer>`,
    start: html`<div class="hero">
<h1 dir="auto">${team === null ? 'Changelogs' : team.name}</h1>
<p class="lede">${team === null ? 'What is new, by product.' : 'Products and their newest versions.'}</p>
</div>
${products.length === 0 ? html`<div class="empty"><h2>Nothing is published yet</h2></div>` : html`<ul class="items">\n${products.map((product) => writeProduct(product, team === null))}\n</ul>`}
${moreQuery !== null && html`<nav class="more" aria-label="More products"><a rel="next" href="${moreQuery}">More products <span aria-hidden="true">→</span></a></nav>`}`,
  });
  return { html: start + end, policy };
}

function writeProduct(product: ListedProduct, isHome: boolean): Html {
  const { teamSlug, productSlug, language, newest } = product;
  const page = `${isHome ? 'changelog/' : ''}${teamSlug}/${productSlug}`;
  return html`<li class="item">
${writeLogo(product.logo)}
<div>
<h2><a href="${page}"${authored(language)}>${product.productName}</a></h2>
<p>${isHome && html`<span${authored(language)}>${product.teamName}</span> · `}<span${authored(language)}>${product.changelogName}</span></p>
${newest !== null ? writeNewest(newest, page, language) : NOTHING}
</div>
</li>`;
}

function writeNewest(newest: NonNullable<ListedProduct['newest']>, page: string, language: string): Html {
  return html`<p><a class="newest" href="${page}/versions/${versionSegment(newest)}"><span class="in" dir="auto">${newest.label}</span> <span${authored(language)}>${newest.title}</span></a>${newest.publishedAt !== null && html` · ${writeDate(newest.publishedAt, language, 'date')}`}</p>`;
}
