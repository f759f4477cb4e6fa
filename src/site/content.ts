// What a site is made of: everything that is public of each product, whatever it was read from.
import { visibleRows } from '../domain/access/visibility.ts';
import { type FeedPosition, NO_FILTER } from '../domain/feed-query.ts';
import type { Reader } from '../store/engine/engine.ts';
import type { ListedProduct, ProductList } from '../store/read/lists/listing.ts';
import type { PageRow } from '../store/read/pages.ts';
import type { AtRevision, HeadRow, ProductPath } from '../store/read/reads.ts';
import type { SiteKind } from './layout.ts';

export type SiteProduct = Readonly<{
  head: HeadRow;
  /** The changelog's own. */
  description: string | null;
  /** In the order of the changelog, with all their changes. */
  versions: readonly PageRow[];
}>;

export type SiteContent = Readonly<{ kind: SiteKind; products: readonly SiteProduct[] }>;

/** One product of a database, the products of a team, or all. */
export type Target = Readonly<{ team?: string | undefined; product?: string | undefined }>;

const AT_ONCE = 200;

/** What is public in a database. Its reader is one snapshot: the files must not contradict each other. */
export async function readContent(db: Reader, { team, product }: Target): Promise<SiteContent> {
  const kind = product !== undefined ? 'product' : team !== undefined ? 'team' : 'all';
  const products: SiteProduct[] = [];
  for await (const path of productsOf(db, team)) {
    if (product !== undefined && path.product !== product) continue;
    const found = await readProduct(db, path);
    if (found !== null) products.push(found);
  }
  return { kind, products };
}

async function* productsOf(db: Reader, team: string | undefined): AsyncGenerator<ProductPath> {
  const { findAllList, findTeamList } = await import('../store/read/lists/listing.ts');
  let after: ProductList['end'] = null;
  do {
    const asked: Parameters<typeof findAllList>[1] = { after, limit: AT_ONCE };
    const list: AtRevision<ProductList> = await (team === undefined
      ? findAllList(db, asked)
      : findTeamList(db, { ...asked, team }));
    for (const { teamSlug, productSlug } of list.found?.products ?? [])
      yield { team: teamSlug, product: productSlug };
    after = list.found?.end ?? null;
  } while (after !== null);
}

async function readProduct(db: Reader, path: ProductPath): Promise<SiteProduct | null> {
  const { findPage } = await import('../store/read/pages.ts');
  const visible = visibleRows('public');
  const query = { ...NO_FILTER, limit: AT_ONCE, withChanges: true };
  const versions: PageRow[] = [];
  for (let after = query.after; ; ) {
    const { found } = await findPage(db, path, visible, { ...query, after });
    if (found === undefined) return null;
    versions.push(...found.versions);
    after = found.end;
    if (after === null) return { head: found.head, description: found.description, versions };
  }
}

/** The order of a changelog (R12). */
export function byPosition(one: FeedPosition, other: FeedPosition): number {
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

/** A yanked version only if all are. */
export const newestOf = ({ versions }: SiteProduct) =>
  versions.find(({ yanked }) => yanked === 0) ?? versions[0];

export function listedOf(product: SiteProduct): ListedProduct {
  const { teamSlug, teamName, productSlug, productName, changelogName, logo, accent, domain, language } =
    product.head;
  const named = { teamSlug, teamName, productSlug, productName, changelogName };
  return { ...named, logo, accent, domain, language, newest: newestOf(product) ?? null };
}
