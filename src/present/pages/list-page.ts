// `/changelog/{team}` and `/`: the products that have a page.
import type { ListedProduct } from '../../store/read/listing.ts';
import { type Html, html } from '../html/template.ts';
import type { ListLinks } from '../links.ts';
import { isOnlyLabel } from '../outputs/entry-title.ts';
import { authored, frame, NOTHING, writeDate } from './document.ts';
import { writeLogo } from './product-frame.ts';
import type { ListView, Site } from './views.ts';

export function writeListPage(site: Site, view: ListView): string {
  const { team } = view;
  const title = team === null ? 'Changelogs' : `${team.name} changelogs`;
  const canonical = site.links.isAbsolute ? site.links.listUrl(team?.slug) : null;
  const links = site.links.fromList(team === null);
  const { start, end } = frame({
    site,
    head: null,
    title,
    description: team === null ? 'What is new, by product.' : `What is new in the products of ${team.name}.`,
    canonical,
    isIndexed: !view.isContinued,
    data: describeList(site, view, { name: title, ...(canonical !== null && { url: canonical }) }),
    top: writeTop(site, view, links),
    footer:
      links.docs === null
        ? NOTHING
        : html`<footer>
<ul>
<li><a href="${links.docs}">API reference</a></li>
</ul>
</footer>`,
    start: writeList(view, links),
  });
  return start + end;
}

function describeList({ links }: Site, { products }: ListView, page: object): object {
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
        ...(links.isAbsolute && { url: links.urlsOf(product).changelog }),
      })),
    },
  };
}

function writeTop({ hasHomePage }: Site, { team }: ListView, { home }: ListLinks): Html {
  if (team === null || !hasHomePage) return NOTHING;
  return html`<header class="top">
<a href="${home}"><span aria-hidden="true">←</span> All products</a>
</header>`;
}

function writeList({ team, products, isContinued, moreUrl }: ListView, links: ListLinks): Html {
  const items = products.map((product) => writeProduct(product, team === null, links));
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
  moreUrl !== null &&
  html`<nav class="more" aria-label="More products">
<a rel="next" href="${moreUrl}">More products <span aria-hidden="true">→</span></a>
</nav>`
}`;
}

function writeProduct(product: ListedProduct, isHome: boolean, links: ListLinks): Html {
  const { productName, logo, language, newest } = product;
  return html`<li class="item">
${logo === null ? html`<span class="logo" aria-hidden="true">${[...productName][0] ?? ''}</span>` : writeLogo(logo)}
<div>
<h2><a href="${links.changelog(product)}"${authored(language)}>${productName}</a></h2>
${isHome && html`<p${authored(language)}>${product.teamName}</p>`}
${newest !== null && html`<p>${writeNewest(newest, links.version(product, newest), language)}</p>`}
</div>
</li>`;
}

function writeNewest(newest: NonNullable<ListedProduct['newest']>, url: string, language: string): Html {
  const { label, title, publishedAt } = newest;
  return html`<a href="${url}"><span class="label" dir="auto">${label}</span>${!isOnlyLabel(newest) && html` <span${authored(language)}>${title}</span>`}</a>${publishedAt !== null && html` · ${writeDate(publishedAt, language, 'date')}`}`;
}
