// What a site is made of: everything that is public of each product, whatever it was read from.
import { visibleRows } from '../domain/access/visibility.ts';
import { NO_FILTER } from '../domain/feed-query.ts';
import type { Reader } from '../store/engine/engine.ts';
import type { ListedProduct } from '../store/read/lists/listing.ts';
import type { PageRow } from '../store/read/pages.ts';
import type { HeadRow, ProductPath } from '../store/read/reads.ts';

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
