// Where pages and files are. A static site differs from a server in this, and in what needs a server.
import {
  apiPath,
  type NamedVersion,
  type ProductSlugs,
  productPath,
  teamPath,
  versionPath,
  versionSegment,
} from './page-paths.ts';

export type Links = Readonly<{
  /** For canonical URLs, feeds and files. */
  urlsOf: (product: ProductSlugs) => ProductUrls;
  /** The same in files at the root of the site. */
  fromRoot: (product: ProductSlugs) => ProductUrls;
  /** The page of a team; without a slug, the page of all of them. */
  listUrl: (teamSlug?: string) => string;
  /** Whether these are absolute. If not, they are relative to the product's feeds, and pages have no canonical URL. */
  isAbsolute: boolean;
  /** From the pages of a product, and from lists of products. They are relative, because a proxy may add a prefix. */
  fromProduct: (depth: Depth, product: ProductSlugs) => PageLinks;
  fromList: (isHome: boolean) => ListLinks;
}>;

/** A page of a product: the changelog, a comparison or a version. */
export type Depth = 'changelog' | 'changes' | 'version';

export type ProductUrls = Readonly<{
  changelog: string;
  version: (version: NamedVersion) => string;
  /** An output; the changelog as JSON if the name is empty. */
  file: (name: string) => string;
}>;

export type PageLinks = ProductUrls &
  Readonly<{
    home: string;
    team: string;
    /** The API reference; null without a server. */
    docs: string | null;
    /** The comparison with this query, `?…`; null if there is no such page. */
    changes: (query: string) => string | null;
    /** The changelog with these filters, `?…` or empty. */
    filtered: (query: string) => string;
  }>;

export type ListLinks = Readonly<{
  home: string;
  docs: string | null;
  changelog: (product: ProductSlugs) => string;
  version: (product: ProductSlugs, version: NamedVersion) => string;
}>;

/** How far a page is below the team's. */
const UP: Readonly<Record<Depth, string>> = { changelog: '', changes: '../', version: '../../' };

export function serverLinks(baseUrl: string): Links {
  const urlsOf = (product: ProductSlugs): ProductUrls => ({
    changelog: baseUrl + productPath(product),
    version: (version) => baseUrl + versionPath(product, version),
    file: (name) => `${baseUrl}${apiPath(product)}${name === '' ? '' : `/${name}`}`,
  });
  return {
    urlsOf,
    fromRoot: urlsOf,
    listUrl: (teamSlug) => baseUrl + (teamSlug === undefined ? '/' : teamPath(teamSlug)),
    isAbsolute: true,
    fromProduct: (depth, product) => {
      const { teamSlug, productSlug } = product;
      const up = UP[depth];
      const changelog = up + productSlug;
      return {
        home: `${up}../../`,
        team: `${up}../${teamSlug}`,
        docs: `${up}../../docs`,
        changelog,
        version: (version) => `${changelog}/versions/${versionSegment(version)}`,
        file: urlsOf(product).file,
        changes: (query) => `${changelog}/changes${query}`,
        filtered: (query) => (query === '' ? changelog : query),
      };
    },
    fromList: (isHome) => {
      const changelog = ({ teamSlug, productSlug }: ProductSlugs) =>
        `${isHome ? 'changelog/' : ''}${teamSlug}/${productSlug}`;
      return {
        home: '../',
        docs: `${isHome ? '' : '../'}docs`,
        changelog,
        version: (product, version) => `${changelog(product)}/versions/${versionSegment(version)}`,
      };
    },
  };
}
