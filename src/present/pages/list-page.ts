// `/changelog/{team}` and `/`: the products that have a page.
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import { type Html, html } from '../html/template.ts';
import type { ListLinks } from '../links.ts';
import { isOnlyLabel } from '../outputs/entry-title.ts';
import { fill, type Locale, localeFor, sharedLanguage } from '../words/locale.ts';
import { authored, frame, NOTHING, writeBrand, writeDate } from './document.ts';
import { writeLogo } from './product-frame.ts';
import type { ListView, Site } from './views.ts';

export function writeListPage(site: Site, view: ListView): string {
  const { team } = view;
  const locale = localeFor(sharedLanguage(view.products));
  const { about, go } = locale.words;
  const title = team === null ? about.changelogs : fill(about.changelogsOf, { team: team.name });
  const canonical = site.links.isAbsolute ? site.links.listUrl(team?.slug) : null;
  const links = site.links.fromList(team === null);
  const { start, end } = frame({
    site,
    locale,
    head: null,
    title,
    description: team === null ? about.byProduct : fill(about.ofTeam, { team: team.name }),
    canonical,
    isIndexed: !view.isContinued,
    data: describeList(site, view, { name: title, ...(canonical !== null && { url: canonical }) }),
    top: writeTop(site, view, links, locale),
    footer:
      links.docs === null
        ? NOTHING
        : html`<footer>
<ul>
<li><a href="${links.docs}">${go.apiReference}</a></li>
</ul>
</footer>`,
    start: writeList(view, links, locale),
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

function writeTop(site: Site, { team }: ListView, { home }: ListLinks, { words }: Locale): Html {
  if (team === null || !site.hasHomePage) return writeBrand(site, null);
  return writeBrand(site, home, html`<a href="${home}">${words.go.allProducts}</a>`);
}

function writeList({ team, products, isContinued, moreUrl }: ListView, links: ListLinks, page: Locale): Html {
  const { about, empty, go, regions } = page.words;
  const items = products.map((product) => writeProduct(product, team === null, links, page));
  return html`<div class="hero">
<h1 dir="auto">${team === null ? about.changelogs : team.name}</h1>
<p class="lede">${team === null ? about.byProduct : about.products}</p>
</div>
${
  items.length === 0
    ? html`<div class="empty">\n<h2>${isContinued ? empty.noMoreProducts : empty.nothingYet}</h2>\n</div>`
    : html`<ul class="items">\n${items}\n</ul>`
}
${
  moreUrl !== null &&
  html`<nav class="more" aria-label="${regions.moreProducts}">
<a rel="next" href="${moreUrl}">${go.moreProducts} <span aria-hidden="true">→</span></a>
</nav>`
}`;
}

function writeProduct(product: ListedProduct, isHome: boolean, links: ListLinks, page: Locale): Html {
  const { productName, logo, language, newest } = product;
  const text = authored(page, language);
  return html`<li class="item">
<div class="name">
${logo === null ? html`<span class="logo" aria-hidden="true">${[...productName][0] ?? ''}</span>` : writeLogo(logo)}
<div>
<h2><a href="${links.changelog(product)}"${text}>${productName}</a></h2>
${isHome && html`<p${text}>${product.teamName}</p>`}
</div>
</div>
${newest !== null && writeNewest(newest, links.version(product, newest), page, language)}
</li>`;
}

function writeNewest(
  newest: NonNullable<ListedProduct['newest']>,
  url: string,
  page: Locale,
  language: string,
): Html {
  const { label, title, publishedAt } = newest;
  return html`<p class="newest"><a href="${url}" class="label" dir="auto">${label}</a>${publishedAt !== null && html` ${writeDate(publishedAt, page, { language, className: 'date' })}`}</p>
${!isOnlyLabel(newest) && html`<p class="about"${authored(page, language)}>${title}</p>`}`;
}
