// `/changelog/{team}` and `/`: the products that have a page.
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import { type Html, html, joined } from '../html/template.ts';
import type { ListLinks } from '../links.ts';
import { fill, type Locale, localeFor, sharedLanguage } from '../words/locale.ts';
import { frame, markdownFile, NOTHING, writeBrand } from './document.ts';
import { newestFirst, writeCards } from './product/cards.ts';
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
    isIndexed: !view.isContinued && !view.isFiltered,
    alternates: markdownFile(site, '', title),
    data: describeList(site, view.products, { name: title, ...(canonical !== null && { url: canonical }) }),
    top:
      team === null
        ? writeBrand(site, null)
        : writeListTop(
            site,
            links.home,
            locale,
            html`<a href="${links.team(team.slug)}">${go.allVersions}</a>`,
          ),
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

/** A page's JSON-LD: the products that it lists. */
export function describeList({ links }: Site, products: readonly ListedProduct[], page: object): object {
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

/** The first line of a team's pages. */
export function writeListTop(site: Site, home: string, { words }: Locale, besides = NOTHING): Html {
  const all = site.hasHomePage ? html`<a href="${home}">${words.go.allProducts}</a>` : NOTHING;
  const aside = besides === NOTHING ? all : html`<div class="aside">\n${all}\n${besides}\n</div>`;
  return writeBrand(site, site.hasHomePage ? home : null, aside);
}

function writeList(view: ListView, links: ListLinks, page: Locale): Html {
  const { team, products, isContinued, moreUrl } = view;
  const { about, empty, go, regions } = page.words;
  const isWhole = !isContinued && moreUrl === null;
  return html`<div class="hero">
<h1 dir="auto">${team === null ? about.changelogs : team.name}</h1>
<p class="lede">${team === null ? about.byProduct : about.products}</p>
</div>
${
  products.length === 0
    ? isContinued
      ? html`<div class="empty">\n<h2>${empty.noMoreProducts}</h2>\n</div>`
      : html`<div class="empty">\n<h2>${empty.nothingYet}</h2>\n<p>${empty.appearHere}</p>\n</div>`
    : writeProducts({ ...view, products: isWhole ? newestFirst(products) : products }, links, page)
}
${
  moreUrl !== null &&
  html`<nav class="more" aria-label="${regions.moreProducts}">
<a rel="next" href="${moreUrl}">${go.moreProducts} <span aria-hidden="true">→</span></a>
</nav>`
}`;
}

/** By team, unless there is one of each. */
function writeProducts({ team, products }: ListView, links: ListLinks, page: Locale): Html {
  const isHome = team === null;
  const teams = Map.groupBy(products, ({ teamSlug }) => teamSlug);
  if (!isHome || teams.size === products.length)
    return writeCards(products, { level: 2, hasTeams: isHome, links, page });
  return joined(
    [...teams].map(
      ([slug, ofTeam]) => html`<section>
${writeTeam(ofTeam[0]?.teamName ?? slug, links.team(slug), page)}
${writeCards(ofTeam, { level: 3, hasTeams: false, links, page })}
</section>`,
    ),
    '\n',
  );
}

function writeTeam(name: string, url: string, { words }: Locale): Html {
  const { go, filters } = words;
  const label = fill(filters.fieldValue, { field: name, value: go.allVersions });
  return html`<div class="team">
<h2 dir="auto">${name}</h2>
<a href="${url}" aria-label="${label}">${go.allVersions} <span aria-hidden="true">→</span></a>
</div>`;
}
