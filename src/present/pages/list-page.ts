// `/changelog/{team}` and `/`: the products that have a page.
import type { ListedProduct } from '../../store/read/listing.ts';
import { type Html, html } from '../html/template.ts';
import { isOnlyLabel } from '../outputs/entry-title.ts';
import { productPath, teamPath, versionSegment } from '../page-paths.ts';
import { authored, frame, NOTHING, writeDate } from './document.ts';
import { writeLogo } from './product-frame.ts';
import type { ListView, Site } from './views.ts';

export function writeListPage(site: Site, view: ListView): string {
  const { team } = view;
  const title = team === null ? 'Changelogs' : `${team.name} changelogs`;
  const canonical = site.baseUrl + (team === null ? '/' : teamPath(team.slug));
  const { start, end } = frame({
    site,
    head: null,
    title,
    description: team === null ? 'What is new, by product.' : `What is new in the products of ${team.name}.`,
    canonical,
    isIndexed: !view.isContinued,
    data: describeList(site, view, { name: title, url: canonical }),
    top: writeTop(site, view),
    footer: html`<footer>
<ul>
<li><a href="${team === null ? '' : '../'}docs">API reference</a></li>
</ul>
</footer>`,
    start: writeList(view),
  });
  return start + end;
}

function describeList({ baseUrl }: Site, { products }: ListView, page: object): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    ...page,
    mainEntity: {
      '@type': 'ItemList',
      itemListElement: products.map((product, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: product.changelogName,
        url: baseUrl + productPath(product),
      })),
    },
  };
}

function writeTop({ hasHomePage }: Site, { team }: ListView): Html {
  if (team === null || !hasHomePage) return NOTHING;
  return html`<header class="top">
<a href="../"><span aria-hidden="true">←</span> All products</a>
</header>`;
}

function writeList({ team, products, isContinued, moreQuery }: ListView): Html {
  const items = products.map((product) => writeProduct(product, team === null));
  return html`<div class="hero">
<h1 dir="auto">${team === null ? 'Changelogs' : team.name}</h1>
<p class="lede">${team === null ? 'What is new, by product.' : 'Products and their newest versions.'}</p>
</div>
${
  items.length === 0
    ? html`<div class="empty">\n<h2>${isContinued ? 'No more products' : 'Nothing is published yet'}</h2>\n</div>`
    : html`<ul>\n${items}\n</ul>`
}
${
  moreQuery !== null &&
  html`<nav class="more" aria-label="More products">
<a rel="next" href="${moreQuery}">More products <span aria-hidden="true">→</span></a>
</nav>`
}`;
}

function writeProduct(product: ListedProduct, isHome: boolean): Html {
  const { teamSlug, productSlug, productName, logo, language, newest } = product;
  const page = `${isHome ? 'changelog/' : ''}${teamSlug}/${productSlug}`;
  return html`<li class="item">
${logo === null ? html`<span class="logo" aria-hidden="true">${[...productName][0] ?? ''}</span>` : writeLogo(logo)}
<div>
<h2><a href="${page}"${authored(language)}>${productName}</a></h2>
${isHome && html`<p${authored(language)}>${product.teamName}</p>`}
${newest !== null && html`<p>${writeNewest(newest, page, language)}</p>`}
</div>
</li>`;
}

function writeNewest(newest: NonNullable<ListedProduct['newest']>, page: string, language: string): Html {
  const { label, title, publishedAt } = newest;
  return html`<a href="${page}/versions/${versionSegment(newest)}"><span class="label" dir="auto">${label}</span>${!isOnlyLabel(newest) && html` <span${authored(language)}>${title}</span>`}</a>${publishedAt !== null && html` · ${writeDate(publishedAt, language, 'date')}`}`;
}
