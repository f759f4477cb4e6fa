// Where pages and files are (R37, R42). A static site differs from a server in this, and in what needs a server.
import { idPattern } from '../domain/model.ts';

export const PAGES_PATH = '/changelog';

/** With the host name of its own, if it has one (R60). */
export type ProductSlugs = Readonly<{ teamSlug: string; productSlug: string; domain: string | null }>;

export function teamPath(teamSlug: string): string {
  return `${PAGES_PATH}/${teamSlug}`;
}

export function productPath({ teamSlug, productSlug }: Omit<ProductSlugs, 'domain'>): string {
  return `${teamPath(teamSlug)}/${productSlug}`;
}

/** The public changelog in the API; its feeds are below it. */
export function apiPath({ teamSlug, productSlug }: Omit<ProductSlugs, 'domain'>): string {
  return `/api/v1/public/teams/${teamSlug}/products/${productSlug}/changelog`;
}

/** The public team in the API; its feeds are below it. */
export function teamApiPath(teamSlug: string): string {
  return `/api/v1/public/teams/${teamSlug}`;
}

export type NamedVersion = Readonly<{ id: string; label: string }>;

const VERSION_ID = new RegExp(idPattern('version'));

/**
 * A version's canonical name in a path: its label, or its id if the label would mean something else. `latest` and ids
 * take precedence, proxies may decode or refuse an encoded slash, and clients remove dots.
 */
export function versionSegment({ id, label }: NamedVersion): string {
  const isAmbiguous = label === 'latest' || /^\.{1,2}$/.test(label) || VERSION_ID.test(label);
  return isAmbiguous || label.includes('/') || !label.isWellFormed() ? id : encodeURIComponent(label);
}

export type Links = Readonly<{
  /** For canonical URLs, feeds and files. */
  urlsOf: (product: ProductSlugs) => ProductUrls;
  /** The same in files at the root of the site. */
  fromRoot: (product: ProductSlugs) => ProductUrls;
  /** For redirects: below the root of this server, or on the product's own domain. */
  fromServer: (product: ProductSlugs) => ProductUrls;
  /** The page of a team; without a slug, the page of all of them. */
  listUrl: (teamSlug?: string) => string;
  /** An output of a team; its versions as JSON if the name is empty. Null without a server. */
  teamFile: (teamSlug: string, name: string) => string | null;
  /** A page's URL, and the same page as Markdown. */
  markdownOf: (pageUrl: string) => string;
  /** The root of a product's own domain; null if it has none, and without a server (R60). */
  ownRoot: (domain: string | null) => string | null;
  /** Whether these are absolute. If not, they are relative to the product's feeds, and pages have no canonical URL. */
  isAbsolute: boolean;
  /** From the pages of a product, and from lists of products. Relative if possible, because a proxy may add a prefix. */
  fromProduct: (depth: Depth, product: ProductSlugs) => PageLinks;
  fromList: (isHome: boolean) => ListLinks;
}>;

/** A page of a product: the changelog, also where it is the home page, a comparison or a version. */
export type Depth = 'home' | 'changelog' | 'changes' | 'version';

export type ProductUrls = Readonly<{
  changelog: string;
  version: (version: NamedVersion) => string;
  /** The comparison with this query, `?…`; null if there is no such page. */
  changes: (query: string) => string | null;
  /** An output; the changelog as JSON if the name is empty. */
  file: (name: string) => string;
}>;

export type PageLinks = ProductUrls &
  Readonly<{
    home: string;
    team: string;
    /** The API reference; null without a server. */
    docs: string | null;
    /** The changelog with these filters, `?…` or empty. */
    filtered: (query: string) => string;
  }>;

export type ListLinks = Readonly<{
  home: string;
  team: (teamSlug: string) => string;
  docs: string | null;
  changelog: (product: ProductSlugs) => string;
  version: (product: ProductSlugs, version: NamedVersion) => string;
}>;

/** From a page to the root of the site, to the page of a team, and to the folder with the team's products. */
type Place = Readonly<{ root: string; team: string; products: string }>;

const PLACES: Readonly<Record<Depth | 'team', (team: string) => Place>> = {
  home: (team) => ({ root: '', team: `changelog/${team}`, products: `changelog/${team}/` }),
  team: (team) => ({ root: '../', team, products: `${team}/` }),
  changelog: (team) => ({ root: '../../', team: `../${team}`, products: '' }),
  changes: (team) => ({ root: '../../../', team: `../../${team}`, products: '../' }),
  version: (team) => ({ root: '../../../../', team: `../../../${team}`, products: '../../' }),
};

/** For the `Link` header. */
export const alternateLink = (url: string, type: string) => `<${url}>; rel="alternate"; type="${type}"`;

/** The path of `BASE_URL`, without a slash at its end; mostly empty (R61). */
export function basePathOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.pathname.replace(/\/$/, '') ?? '';
}

export function serverLinks(baseUrl: string): Links {
  const basePath = basePathOf(baseUrl);
  const { protocol = 'https:', hostname } = URL.parse(baseUrl) ?? {};
  /** No product can take the host of `BASE_URL`. */
  const ownRootOf = (domain: string | null) =>
    domain === null || domain === hostname ? null : `${protocol}//${domain}`;
  const placeBelow = (base: string, teamSlug: string): Place => {
    const team = base + teamPath(teamSlug);
    return { root: `${base}/`, team, products: `${team}/` };
  };
  /** Below a path, links do not depend on where the page is: `/` may be requested without a slash at its end. */
  const placeOf = (at: keyof typeof PLACES, team: string) =>
    basePath === '' ? PLACES[at](team) : placeBelow(basePath, team);

  /** A product with a domain of its own is at its root; the API is where it is everywhere. */
  function pagesIn(folder: string, product: ProductSlugs): ProductUrls {
    const ownRoot = ownRootOf(product.domain);
    const changelog = ownRoot ?? folder + product.productSlug;
    const api = (ownRoot ?? baseUrl) + apiPath(product);
    return {
      changelog: ownRoot === null ? changelog : `${ownRoot}/`,
      version: (version) => `${changelog}/versions/${versionSegment(version)}`,
      changes: (query) => `${changelog}/changes${query}`,
      file: (name) => (name === '' ? api : `${ownRoot ?? api}/${name}`),
    };
  }
  const urlsOf = (product: ProductSlugs) => pagesIn(placeBelow(baseUrl, product.teamSlug).products, product);

  return {
    urlsOf,
    fromRoot: urlsOf,
    fromServer: (product) => pagesIn(placeBelow(basePath, product.teamSlug).products, product),
    listUrl: (teamSlug) => baseUrl + (teamSlug === undefined ? '/' : teamPath(teamSlug)),
    teamFile: (teamSlug, name) => `${baseUrl}${teamApiPath(teamSlug)}/${name || 'versions'}`,
    markdownOf: (url) => (url.endsWith('/') ? `${url}index.md` : `${url}.md`),
    ownRoot: ownRootOf,
    isAbsolute: true,
    fromProduct: (depth, product) => {
      const { teamSlug } = product;
      const ownRoot = ownRootOf(product.domain);
      const place = placeOf(depth, teamSlug);
      const pages = pagesIn(place.products, product);
      const { root, team } = ownRoot === null ? place : placeBelow(baseUrl, teamSlug);
      return {
        ...pages,
        home: root || './',
        team,
        docs: `${ownRoot === null ? root : `${ownRoot}/`}docs`,
        // The home page may become a list: what is linked to is the product's own page.
        filtered: (query) =>
          query === '' || ownRoot !== null || depth === 'home' ? pages.changelog + query : query,
      };
    },
    fromList: (isHome) => {
      const at = isHome ? 'home' : 'team';
      const pagesOf = (product: ProductSlugs) => pagesIn(placeOf(at, product.teamSlug).products, product);
      const { root } = placeOf(at, '');
      return {
        home: root || './',
        team: (teamSlug) => placeOf(at, teamSlug).team,
        docs: `${root}docs`,
        changelog: (product) => pagesOf(product).changelog,
        version: (product, version) => pagesOf(product).version(version),
      };
    },
  };
}
