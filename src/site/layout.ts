// Which files a static site has, and how they link to each other. All links name a file, so that every host finds it:
// also one that knows no index pages, and a browser that opens the folder.
import { NO_FILTER } from '../domain/feed-query.ts';
import { majorOf } from '../domain/version-order.ts';
import type { Links, NamedVersion, ProductSlugs, ProductUrls } from '../present/links.ts';
import { queryOf } from '../present/pages/filters.ts';
import {
  type ChangelogIndex,
  chooseVersions,
  type IndexedVersion,
  indexOf,
  orderOf,
  previousOf,
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

/**
 * The page with a filter, which a server has in its query: `index.html`, `type-added.html`, `year-2026.html`; then
 * `page-2.html`, `type-added-2.html`.
 */
export function pageFile(query: string, number = 1): string {
  const values = new URLSearchParams(query);
  const [type, since] = [values.get('type'), values.get('since')];
  const name = type === null ? since && `year-${since.slice(0, 4)}` : `type-${type}`;
  if (number === 1) return name === null ? INDEX : `${name}.html`;
  return `${name ?? 'page'}-${number}.html`;
}

export const PAGE_VERSIONS = 20;

/** The pages with these versions, at least one. */
export function pagesOf<V>(query: string, versions: readonly V[]) {
  const count = Math.max(1, Math.ceil(versions.length / PAGE_VERSIONS));
  return Array.from({ length: count }, (_, page) => ({
    file: pageFile(query, page + 1),
    versions: versions.slice(page * PAGE_VERSIONS, (page + 1) * PAGE_VERSIONS),
    isContinued: page > 0,
    olderUrl: page + 1 < count ? pageFile(query, page + 2) : null,
  }));
}

/** `base` has a slash at its end, and is null if it is not known. */
export function staticLinks(kind: SiteKind, base: string | null, products: readonly NamedProduct[]): Links {
  const named = new Map(products.map((product) => [folderOf(kind, product.head), product]));
  const findNamed = (product: ProductSlugs) => named.get(folderOf(kind, product));
  const versionFile = (product: ProductSlugs, version: NamedVersion) =>
    `versions/${encodeURIComponent(findNamed(product)?.nameOf(version) ?? version.id)}.html`;
  const urlsIn = (folder: string, product: ProductSlugs, index = INDEX): ProductUrls => ({
    changelog: folder + index,
    version: (version) => folder + versionFile(product, version),
    changes: (query) => {
      const { file } = findNamed(product)?.comparisons.get(query) ?? {};
      return file === undefined ? null : folder + file.split('/').map(encodeURIComponent).join('/');
    },
    file: (name) => folder + (name || 'changelog.json'),
  });
  const fromRoot = (product: ProductSlugs) =>
    urlsIn((base ?? '') + folderOf(kind, product), product, base === null ? INDEX : '');
  const urlsOf = (product: ProductSlugs) => (base === null ? urlsIn('', product) : fromRoot(product));
  return {
    urlsOf,
    fromServer: urlsOf,
    fromRoot,
    teamFile: () => null,
    listUrl: (teamSlug) => (base ?? '') + listFolder(kind, teamSlug),
    markdownOf: (url) => (/(?:^|\/)$/.test(url) ? `${url}${INDEX}` : url).replace(/html$/, 'md'),
    ownRoot: () => null,
    isAbsolute: base !== null,
    fromProduct: (depth, product) => {
      const folder = depth === 'changes' || depth === 'version' ? '../' : '';
      const levels = folderOf(kind, product).split('/').length - 1;
      return {
        ...urlsIn(folder, product),
        home: `${folder}${'../'.repeat(levels)}${INDEX}`,
        team: `${folder}../${INDEX}`,
        docs: null,
        filtered: (query) => folder + pageFile(query),
      };
    },
    fromList: (isHome) => {
      const relative = isHome ? kind : 'team';
      return {
        home: `../${INDEX}`,
        team: (teamSlug) => (isHome ? listFolder(kind, teamSlug) : '') + INDEX,
        docs: null,
        changelog: (product) => folderOf(relative, product) + INDEX,
        version: (product, version) => folderOf(relative, product) + versionFile(product, version),
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
  const byKey = Map.groupBy(versions, ({ label }) => label.toLowerCase());
  return ({ id, label }) => {
    const key = label.toLowerCase();
    const isSafe = SAFE_NAME.test(label) && !OTHER_NAME.test(label) && !DEVICE_NAME.test(label);
    return isSafe && byKey.get(key)?.length === 1 ? label : id;
  };
}

/** A product with the names of its files. */
export type NamedProduct = ReturnType<typeof withNames>;

export function withNames(product: SiteProduct) {
  const index = indexOf(product.head, product.versions);
  const nameOf = fileNames(product.versions);
  const comparisons = new Map(
    comparisonsOf(index).map(({ from, to, versions }) => {
      const form = { values: { from: [from.label], ...(to && { to: [to.label] }) }, problems: {} };
      const names = to === null ? `after-${nameOf(from)}` : `${nameOf(from)}...${nameOf(to)}`;
      return [queryOf(form), { file: `changes/${names}.html`, form, versions }];
    }),
  );
  return { ...product, index, nameOf, comparisons };
}

/** Those with the newest version repeat each other: all of a long changelog would be most of the site. */
const AFTER_CHANGES = 500;

/** Each version with the one before it, and the newest of each major version with the newest of all, for which `to` is null. */
export function comparisonsOf(index: ChangelogIndex) {
  const { versions, ordered } = index;
  const compare = (from: IndexedVersion, to: IndexedVersion | null) => {
    const range = { from: orderOf(from), to: to && orderOf(to) };
    return { from, to, versions: chooseVersions(index, { ...NO_FILTER, ...range }) };
  };
  const withPrevious = versions.flatMap((to) => {
    const from = previousOf(index, to.label);
    return from === undefined ? [] : [compare(from, to)];
  });
  // The highest one first: one that is not a prerelease, if there is any.
  const majors = [...Map.groupBy(ordered, ({ label }) => majorOf(label)).values()].reverse();
  let left = Math.max(AFTER_CHANGES, countChanges(versions));
  const withNewest = majors.flatMap((some) => {
    const from = some.findLast(({ isPrerelease }) => !isPrerelease) ?? some.at(-1);
    const comparison = compare(from as IndexedVersion, null);
    left -= countChanges(comparison.versions);
    return comparison.versions.length > 0 && left >= 0 ? [comparison] : [];
  });
  return [...withPrevious, ...withNewest];
}

const countChanges = (versions: readonly IndexedVersion[]) =>
  versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
