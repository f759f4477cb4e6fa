// What a site is made of: everything that is public of each product, from a database or from changelog files.
import { hash } from 'node:crypto';
import { visibleRows } from '../domain/access/visibility.ts';
import { byPosition, NO_FILTER } from '../domain/feed-query.ts';
import { ID_PREFIXES } from '../domain/model.ts';
import { versionOrder } from '../domain/version-order.ts';
import type { ImportedChangelog, ImportedVersion } from '../import/changelog.ts';
import { headOf, rowOf } from '../present/changelog.ts';
import type { Reader } from '../store/engine/engine.ts';
import type { ListedProduct } from '../store/read/lists/listing.ts';
import type { PageRow } from '../store/read/pages.ts';
import type { ChangeRow, HeadRow, ProductPath } from '../store/read/reads.ts';

export type SiteProduct = Readonly<{
  head: HeadRow;
  /** The changelog's own. */
  description: string | null;
  /** In the order of the changelog, with all their changes. */
  versions: readonly PageRow[];
}>;

/** What stands at the root: one product, the list of a team's products, or the list of all. */
export type SiteKind = 'product' | 'team' | 'all';

export type SiteContent = Readonly<{ kind: SiteKind; products: readonly SiteProduct[] }>;

/** One product of a database, the products of a team, or all. */
export type Target = Readonly<{ team?: string | undefined; product?: string | undefined }>;

const PRODUCTS_MAX = 1_000_000;
const VERSIONS_AT_ONCE = 200;

/** What is public in a database. Its reader is one snapshot: the files must not contradict each other. */
export async function readContent(db: Reader, { team, product }: Target): Promise<SiteContent> {
  const kind = product !== undefined ? 'product' : team !== undefined ? 'team' : 'all';
  const products: SiteProduct[] = [];
  const { findAllList, findTeamList } = await import('../store/read/lists/listing.ts');
  const all = { after: null, limit: PRODUCTS_MAX };
  const list = await (team === undefined ? findAllList(db, all) : findTeamList(db, { ...all, team }));
  for (const listed of list.found?.products ?? []) {
    if (product !== undefined && listed.productSlug !== product) continue;
    const found = await readProduct(db, { team: listed.teamSlug, product: listed.productSlug });
    if (found !== null) products.push(found);
  }
  return { kind, products };
}

async function readProduct(db: Reader, path: ProductPath): Promise<SiteProduct | null> {
  const { findPage } = await import('../store/read/pages.ts');
  const visible = visibleRows('public');
  const query = { ...NO_FILTER, limit: VERSIONS_AT_ONCE, withChanges: true };
  const versions: PageRow[] = [];
  for (let after = query.after; ; ) {
    const { found } = await findPage(db, path, visible, { ...query, after });
    if (found === undefined) return null;
    versions.push(...found.versions);
    after = found.end;
    if (after === null) return { head: found.head, description: found.description, versions };
  }
}

/** A yanked version only if all are. */
export const newestOf = ({ versions }: SiteProduct) =>
  versions.find(({ yanked }) => yanked === 0) ?? versions[0];

export const listedOf = (product: SiteProduct): ListedProduct => ({
  ...product.head,
  newest: newestOf(product) ?? null,
});

type FileOptions = Readonly<{
  name: string;
  slug: string;
  team: Readonly<{ slug: string; name: string }>;
  /** Its place among the products of the site. */
  place: number;
  /** BCP 47. */
  language: string;
  /** The page of the repository, if it is known. */
  repository: string | null;
  /** Makes the ids of this changelog differ from those of all others. */
  seed: string;
}>;

export function productOf(changelog: ImportedChangelog, options: FileOptions): SiteProduct {
  const { name, slug, team, place, language, repository, seed } = options;
  return {
    head: {
      ...headOf(changelog.name ?? name, language),
      teamId: 1,
      productId: place,
      teamSlug: team.slug,
      teamName: team.name,
      productSlug: slug,
      productName: name,
      changelogId: `${ID_PREFIXES.changelog}_${digitsOf(seed)}`,
      repositoryUrl: repository,
    },
    description: changelog.description,
    versions: rowsOf(changelog.versions, seed),
  };
}

/**
 * Versions without a date get that of the next newer version, or at the top of the next older one, so that the order stays;
 * or else the last resort.
 */
export function fillDates(versions: readonly ImportedVersion[], lastResort: string): ImportedVersion[] {
  const ordered = newestFirst(versions);
  const first = ordered.find(({ content, isDated }) => isDated && content.publishedAt !== null);
  let newer = first?.content.publishedAt ?? lastResort;
  return ordered.map((version) => {
    const { content, isDated } = version;
    if (!isDated) return { ...version, content: { ...content, status: 'published', publishedAt: newer } };
    newer = content.publishedAt ?? newer;
    return version;
  });
}

/** Few files are the other way round. */
function newestFirst(versions: readonly ImportedVersion[]): readonly ImportedVersion[] {
  const dates = versions.flatMap(({ content, isDated }) => (isDated && content.publishedAt) || []);
  const orders = versions.flatMap(({ content }) => versionOrder(content.version) ?? []);
  const [first, last] = new Set(dates).size > 1 ? [dates[0], dates.at(-1)] : [orders[0], orders.at(-1)];
  return (first ?? '') < (last ?? '') ? versions.toReversed() : versions;
}

/**
 * The same file always has the same ids: they are in the URLs of changes and in feeds. Versions of one time are listed by
 * their ids, so these begin with their place, newer ones first.
 */
function rowsOf(versions: readonly ImportedVersion[], seed: string): PageRow[] {
  const published = newestFirst(versions).flatMap(({ content }) =>
    content.status === 'published' && content.publishedAt !== null ? [content] : [],
  );
  const byTime = Map.groupBy(published.reverse(), ({ publishedAt }) => publishedAt ?? '');
  const rows = [...byTime].flatMap(([publishedAt, some]) =>
    some.map((content, place): PageRow => {
      const row = rowOf(content);
      const digits = digitsOf(seed, content.version);
      const first = (PLACE_MAX - place).toString(16);
      return {
        ...row,
        id: `${ID_PREFIXES.version}_${first}${digits.slice(first.length)}`,
        changeCount: row.changes.length,
        // The site must not depend on when it is built.
        updatedAt: publishedAt,
        sortKey: publishedAt,
        changes: withIds(row.changes, digits),
      };
    }),
  );
  return rows.sort(byPosition);
}

function withIds(changes: readonly ChangeRow[], versionDigits: string): ChangeRow[] {
  const seen = new Map<string, number>();
  return changes.map((change) => {
    const same = seen.get(change.text) ?? 0;
    seen.set(change.text, same + 1);
    const digits = digitsOf(versionDigits, change.text, String(same)).slice(0, CHANGE_DIGITS);
    return { ...change, id: `${ID_PREFIXES.change}_${digits}` };
  });
}

const ID_DIGITS = 32;
/** They are on many pages, several times for each change. */
const CHANGE_DIGITS = 12;
/** Less the place of any version, it has five digits. */
const PLACE_MAX = 0xfffff;

const digitsOf = (...parts: readonly string[]): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, ID_DIGITS);
