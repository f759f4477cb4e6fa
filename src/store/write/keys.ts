// API keys. The database stores only a hash of each key.
import { COMMAND } from '../../command-name.ts';
import { hasExpired } from '../../domain/access/access.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import type { KeyKind, KeyState } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { newId } from './ids.ts';
import { requireProduct, requireTeam } from './writes.ts';

export type KeyView = Readonly<{
  id: string;
  team: string;
  kind: KeyKind;
  products: readonly string[];
  /** An expired key is a disabled one (R67). */
  status: KeyState;
  name: string | null;
  createdAt: string;
  expiresAt: string | null;
  /** Up to two minutes older than the last use; null if the key was never used. */
  lastUsedAt: string | null;
}>;

type NewKey = Pick<KeyView, 'team' | 'kind' | 'products' | 'name' | 'expiresAt'> &
  Readonly<{ key: string; now: string }>;

export async function createKey(
  trx: Writer,
  { key, team: slug, kind, products, name, now, expiresAt }: NewKey,
): Promise<string> {
  const team = await requireTeam(trx, slug);
  if (team.plan !== 'paid')
    throw new Refusal(
      `API keys need a paid plan, and the team ${slug} is on the ${team.plan} plan: \`${COMMAND} team set ${slug} --plan paid\` changes that.`,
    );
  const id = newId('key');
  const row = { id, team_id: team.id, kind, status: 'active', name, hash: hashApiKey(key) } as const;
  await trx
    .insertInto('api_keys')
    .values({ ...row, created_at: now, expires_at: expiresAt })
    .execute();
  if (kind === 'SELECT') await attachProducts(trx, id, products);
  return id;
}

/** Ends a key now, if `at` is null, or then. A key that ends earlier anyway keeps its end. */
export async function endKey(trx: Writer, id: string, at: string | null): Promise<void> {
  const { expires_at } = await requireKey(trx, id);
  // A status needs no clock: the key ends at once even on a node whose clock is slow.
  const end =
    at === null
      ? { status: 'disabled' as const }
      : { expires_at: expires_at !== null && expires_at < at ? expires_at : at };
  await trx.updateTable('api_keys').set(end).where('id', '=', id).execute();
}

/** A key that has expired loses its end: it would stay disabled. */
export async function enableKey(trx: Writer, id: string, now: string): Promise<void> {
  const { expires_at } = await requireKey(trx, id);
  const isOver = hasExpired({ expiresAt: expires_at }, () => now);
  await trx
    .updateTable('api_keys')
    .set({ status: 'active', ...(isOver && { expires_at: null }) })
    .where('id', '=', id)
    .execute();
}

export async function deleteKey(trx: Writer, id: string): Promise<void> {
  await requireKey(trx, id);
  await trx.deleteFrom('api_keys').where('id', '=', id).execute();
}

export async function attachProducts(trx: Writer, id: string, slugs: readonly string[]): Promise<void> {
  const { team_id, products } = await requireKeyProducts(trx, id, slugs);
  for (const product of products)
    await trx
      .insertInto('api_key_products')
      .values({ key_id: id, product_id: product.id, team_id, kind: 'SELECT' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function detachProducts(trx: Writer, id: string, slugs: readonly string[]): Promise<void> {
  const { team, products } = await requireKeyProducts(trx, id, slugs);
  for (const product of products) {
    const { numDeletedRows } = await trx
      .deleteFrom('api_key_products')
      .where('key_id', '=', id)
      .where('product_id', '=', product.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n)
      throw new Refusal(
        `the product ${product.slug} is not attached to ${id}: \`${COMMAND} key list ${team}\` shows what is.`,
      );
  }
}

async function requireKeyProducts(trx: Writer, id: string, slugs: readonly string[]) {
  const key = await requireKey(trx, id);
  if (key.kind !== 'SELECT')
    throw new Refusal(
      `the key ${id} is a FULL key, which reads all products of its team: there is nothing to attach or detach.`,
    );
  const products = [];
  for (const product of new Set(slugs)) products.push(await requireProduct(trx, { team: key.team, product }));
  return { ...key, products };
}

/** Keys, oldest first, without their hashes. */
export async function listKeys(
  db: Pick<Reader, 'selectFrom'>,
  filter: { team?: string; id?: string },
  now: string,
): Promise<KeyView[]> {
  const { team, id } = filter;
  const chosen = {
    ...(team !== undefined && { 'teams.slug': team }),
    ...(id !== undefined && { 'api_keys.id': id }),
  };
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('teams', 'teams.id', 'api_keys.team_id')
    .leftJoin('api_key_products', 'api_key_products.key_id', 'api_keys.id')
    .leftJoin('products', 'products.id', 'api_key_products.product_id')
    .leftJoin('key_usage', 'key_usage.key_id', 'api_keys.id')
    .where((eb) => eb.and(chosen))
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .orderBy('products.slug')
    .select([
      'api_keys.id',
      'teams.slug as team',
      'api_keys.kind',
      'api_keys.status',
      'api_keys.name',
      'api_keys.created_at as createdAt',
      'api_keys.expires_at as expiresAt',
      'key_usage.last_used_at as lastUsedAt',
      'products.slug as product',
    ])
    .execute();
  const keys = new Map<string, KeyView & { products: string[] }>();
  for (const { product, ...row } of rows) {
    const status = hasExpired(row, () => now) ? 'disabled' : row.status;
    const key = keys.get(row.id) ?? { ...row, status, products: [] };
    if (product !== null) key.products.push(product);
    keys.set(row.id, key);
  }
  return [...keys.values()];
}

/** The ids of the keys that work. Also for a database with another schema: an older one has no keys that expire. */
export async function listWorkingKeys(db: Pick<Reader, 'selectFrom'>, now: string): Promise<string[]> {
  const keys = await db
    .selectFrom('api_keys')
    .where('status', '=', 'active')
    .orderBy('id')
    .selectAll()
    .execute();
  return keys
    .filter(({ expires_at = null }) => !hasExpired({ expiresAt: expires_at }, () => now))
    .map(({ id }) => id);
}

/** The id of the key with this hash, whether active or not. */
export async function findIdByHash(db: Reader, hash: string): Promise<string | undefined> {
  return (await db.selectFrom('api_keys').where('hash', '=', hash).select('id').executeTakeFirst())?.id;
}

export async function findKeyView(db: Pick<Reader, 'selectFrom'>, id: string, now: string): Promise<KeyView> {
  const [key] = await listKeys(db, { id }, now);
  if (key === undefined) throw keyNotFoundError();
  return key;
}

async function requireKey(trx: Writer, id: string) {
  const key = await trx
    .selectFrom('api_keys')
    .innerJoin('teams', 'teams.id', 'api_keys.team_id')
    .where('api_keys.id', '=', id)
    .select(['api_keys.id', 'api_keys.kind', 'api_keys.team_id', 'api_keys.expires_at', 'teams.slug as team'])
    .executeTakeFirst();
  if (key === undefined) throw keyNotFoundError();
  return key;
}

/** The message does not repeat the id, because the user may have typed the key itself. */
function keyNotFoundError(): Refusal {
  return new Refusal(`there is no key with that id: \`${COMMAND} key list TEAM\` shows the ids.`);
}
