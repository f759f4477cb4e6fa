// Which files a static site has, and how they link to each other. All links name a file, so that every host finds it:
// also one that knows no index pages, and a browser that opens the folder.
import type { ChangeType } from '../domain/model.ts';
import { majorOf } from '../domain/version-order.ts';
import type { Depth, Links, NamedVersion, ProductSlugs, ProductUrls } from '../present/links.ts';
import {
  type ChangelogIndex,
  type IndexedVersion,
  indexOf,
  orderOf,
  previousOf,
  rankAbove,
} from '../store/read/index.ts';
import type { SiteKind, SiteProduct } from './content.ts';

export const INDEX = 'index.html';

/** The folder of a product, empty or with a slash at its end. */
export function folderOf(kind: SiteKind, { teamSlug, productSlug }: ProductSlugs): string {
  if (kind === 'product') return '';
  return kind === 'team' ? `${productSlug}/` : `${teamSlug}/${productSlug}/`;
}

/** The list of a team; without a slug, of all. */
export function listFolder(kind: SiteKind, teamSlug?: string): string {
  return kind === 'all' && teamSlug !== undefined ? `${teamSlug}/` : '';
}

/** The pages of a filter: `index.html`, `type-added.html`, `year-2026.html`; then `page-2.html`, `type-added-2.html`. */
export type PageFilter = Readonly<{ type?: ChangeType; year?: string }>;

export function pageFile({ type, year }: PageFilter, number = 1): string {
  const name = type === undefined ? (year === undefined ? null : `year-${year}`) : `type-${type}`;
  if (number === 1) return name === null ? INDEX : `${name}.html`;
  return `${name ?? 'page'}-${number}.html`;
}

export const PAGE_VERSIONS = 20;

/** The pages with these versions, at least one. */
export function pagesOf<V>(filter: PageFilter, versions: readonly V[]) {
  const count = Math.max(1, Math.ceil(versions.length / PAGE_VERSIONS));
  return Array.from({ length: count }, (_, page) => ({
    file: pageFile(filter, page + 1),
    versions: versions.slice(page * PAGE_VERSIONS, (page + 1) * PAGE_VERSIONS),
    isContinued: page > 0,
    olderUrl: page + 1 < count ? pageFile(filter, page + 2) : null,
  }));
}

/** The filter of a page's own query. */
function filterOf(query: string): PageFilter {
  const values = new URLSearchParams(query);
  const [type, since] = [values.get('type'), values.get('since')];
  return {
    ...(type !== null && { type: type as ChangeType }),
    ...(since !== null && { year: since.slice(0, 4) }),
  };
}

const CHANGELOG_JSON = 'changelog.json';

const versionFile = (name: string) => `versions/${encodeURIComponent(name)}.html`;

/** A static site has its lists at home. */
const UP: Readonly<Record<Depth, string>> = { home: '', changelog: '', changes: '../', version: '../' };

type LinkOptions = Readonly<{
  kind: SiteKind;
  /** With a slash at its end; null if it is not known. */
  base: string | null;
  /** The name of a version's files. */
  nameOf: (product: ProductSlugs, version: NamedVersion) => string;
  /** The comparison with the query that it has on a server. */
  comparisonOf?: (product: ProductSlugs, query: string) => Readonly<{ file: string }> | undefined;
}>;

export function staticLinks({ kind, base, nameOf, comparisonOf = () => undefined }: LinkOptions): Links {
  const urlsIn = (folder: string, changelog: string, product: ProductSlugs): ProductUrls => ({
    changelog,
    version: (version) => folder + versionFile(nameOf(product, version)),
    changes: (query) => {
      const { file } = comparisonOf(product, query) ?? {};
      return file === undefined ? null : folder + file.split('/').map(encodeURIComponent).join('/');
    },
    file: (name) => folder + (name === '' ? CHANGELOG_JSON : name),
  });
  const absoluteUrls = (root: string, product: ProductSlugs) => {
    const folder = root + folderOf(kind, product);
    return urlsIn(folder, folder, product);
  };
  const urlsOf = (product: ProductSlugs) =>
    base === null ? urlsIn('', INDEX, product) : absoluteUrls(base, product);
  return {
    urlsOf,
    fromServer: urlsOf,
    fromRoot: (product) => {
      const folder = folderOf(kind, product);
      return base === null ? urlsIn(folder, folder + INDEX, product) : absoluteUrls(base, product);
    },
    teamFile: () => null,
    listUrl: (teamSlug) => (base ?? '') + listFolder(kind, teamSlug),
    markdownOf: (url) => (/(?:^|\/)$/.test(url) ? `${url}${INDEX}` : url).replace(/html$/, 'md'),
    ownRoot: () => null,
    isAbsolute: base !== null,
    fromProduct: (depth, product) => {
      const folder = UP[depth];
      const levels = folderOf(kind, product).split('/').length - 1;
      return {
        ...urlsIn(folder, folder + INDEX, product),
        home: `${folder}${'../'.repeat(levels)}${INDEX}`,
        team: `${folder}../${INDEX}`,
        docs: null,
        filtered: (query) => folder + pageFile(filterOf(query)),
      };
    },
    fromList: (isHome) => {
      const relative = isHome ? kind : 'team';
      return {
        home: `../${INDEX}`,
        team: (teamSlug) => (isHome ? listFolder(kind, teamSlug) : '') + INDEX,
        docs: null,
        changelog: (product) => folderOf(relative, product) + INDEX,
        version: (product, version) => folderOf(relative, product) + versionFile(nameOf(product, version)),
      };
    },
  };
}

const SAFE_NAME = /^[A-Za-z0-9_+][A-Za-z0-9._+-]{0,99}$/;
/** `1.0.json` would be the folder of one version and the record of another, and `ver_1` is perhaps another's id. */
const OTHER_NAME = /\.(?:html|json|md)$|^latest$|^ver_/i;
/** Windows cannot have such files. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$/i;

/**
 * The name of a version's files: its label, unless a file system or a URL would change it, or another version has the
 * same one but for case; then its id.
 */
export function fileNames(versions: readonly NamedVersion[]): (version: NamedVersion) => string {
  const counts = new Map<string, number>();
  for (const { label } of versions)
    counts.set(label.toLowerCase(), (counts.get(label.toLowerCase()) ?? 0) + 1);
  return ({ id, label }) => {
    const key = label.toLowerCase();
    const isSafe = SAFE_NAME.test(label) && !OTHER_NAME.test(label) && !DEVICE_NAME.test(label);
    return isSafe && counts.get(key) === 1 ? label : id;
  };
}

/** Everything after a version, and what is new in it. */
export const afterFile = (from: string) => `changes/after-${from}.html`;
export const betweenFile = (from: string, to: string) => `changes/${from}...${to}.html`;

/** A product with the names of its files. */
export type NamedProduct = ReturnType<typeof withNames>;

export function withNames(product: SiteProduct) {
  const index = indexOf(product.head, product.versions);
  const nameOf = fileNames(product.versions);
  const comparisons = new Map(
    comparisonsOf(index).map(({ from, to, versions }) => {
      const query = `?${new URLSearchParams({ from: from.label, ...(to !== null && { to: to.label }) })}`;
      const file = to === null ? afterFile(nameOf(from)) : betweenFile(nameOf(from), nameOf(to));
      return [query, { from, to, versions, file }];
    }),
  );
  return { ...product, index, nameOf, comparisons };
}

/** The versions after `from`, up to and including `to`, in the order of the changelog. `to` is null for the newest one. */
type Comparison = Readonly<{
  from: IndexedVersion;
  to: IndexedVersion | null;
  versions: readonly IndexedVersion[];
}>;

/** Those with the newest version repeat each other: all of a long changelog would be most of the site. */
const AFTER_CHANGES = 500;

/** Each version with the one before it, and the newest of each major version with the newest of all. */
export function comparisonsOf(index: ChangelogIndex): Comparison[] {
  const { versions, ordered } = index;
  const places = new Map(versions.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: IndexedVersion) => places.get(id) as number;
  const between = (from: IndexedVersion, end: number) =>
    ordered.slice(rankAbove(index, orderOf(from)), end).sort((one, other) => placeOf(one) - placeOf(other));
  const withPrevious = versions.flatMap((to): Comparison[] => {
    const from = previousOf(index, to.label);
    return from === undefined ? [] : [{ from, to, versions: between(from, rankAbove(index, orderOf(to))) }];
  });
  const withNewest = newestOfMajors(index)
    .map((from): Comparison => ({ from, to: null, versions: between(from, ordered.length) }))
    .filter((comparison) => comparison.versions.length > 0);
  const whole = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  let left = Math.max(AFTER_CHANGES, whole);
  const short = withNewest.filter((comparison) => {
    left -= comparison.versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
    return left >= 0;
  });
  return [...withPrevious, ...short];
}

/** The highest one first: one that is not a prerelease, if there is any. */
function newestOfMajors({ ordered }: ChangelogIndex): IndexedVersion[] {
  const newest = new Map<string, IndexedVersion>();
  for (const version of ordered) {
    const major = majorOf(version.label);
    if (!version.isPrerelease || newest.get(major)?.isPrerelease !== false) newest.set(major, version);
  }
  return [...newest.values()].reverse();
}
