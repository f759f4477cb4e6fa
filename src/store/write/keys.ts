// API keys. The database stores only a hash of each key.
import { sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { hasExpired } from '../../domain/access/access.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import type { KeyKind, KeyState } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { type Row, rowsOf } from '../engine/rows.ts';
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
  await sql`insert into api_keys (id, team_id, kind, status, name, hash, created_at, expires_at)
    values (${id}, ${team.id}, ${kind}, 'active', ${name}, ${hashApiKey(key)}, ${now},
      ${expiresAt})`.execute(trx);
  if (kind === 'SELECT') await attachProducts(trx, id, products);
  return id;
}

/** Ends a key now, if `at` is null, or then. A key that ends earlier anyway keeps its end. */
export async function endKey(trx: Writer, id: string, at: string | null): Promise<void> {
  await requireKey(trx, id);
  // A status needs no clock: the key ends at once even on a node whose clock is slow.
  if (at === null) await sql`update api_keys set status = 'disabled' where id = ${id}`.execute(trx);
  else
    await sql`update api_keys set expires_at = ${at}
      where id = ${id} and coalesce(expires_at, '~') > ${at}`.execute(trx);
}

/** A key that has expired loses its end: it would stay disabled. */
export async function enableKey(trx: Writer, id: string, now: string): Promise<void> {
  const { expires_at } = await requireKey(trx, id);
  const isOver = hasExpired({ expiresAt: expires_at }, () => now);
  const end = isOver ? null : expires_at;
  await sql`update api_keys set status = 'active', expires_at = ${end} where id = ${id}`.execute(trx);
}

export async function deleteKey(trx: Writer, id: string): Promise<void> {
  await requireKey(trx, id);
  await trx.deleteFrom('api_keys').where('id', '=', id).execute();
}

export async function attachProducts(trx: Writer, id: string, slugs: readonly string[]): Promise<void> {
  const { team_id, products } = await requireKeyProducts(trx, id, slugs);
  for (const product of products)
    await sql`insert into api_key_products (key_id, product_id, team_id, kind)
      values (${id}, ${product.id}, ${team_id}, 'SELECT') on conflict do nothing`.execute(trx);
}

export async function detachProducts(trx: Writer, id: string, slugs: readonly string[]): Promise<void> {
  const { team, products } = await requireKeyProducts(trx, id, slugs);
  for (const product of products) {
    const { numAffectedRows } = await sql`
      delete from api_key_products where key_id = ${id} and product_id = ${product.id}`.execute(trx);
    if (numAffectedRows === 0n)
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

type KeyRow = Omit<KeyView, 'products'> & Readonly<{ product: string | null }>;

/** Keys, oldest first, without their hashes. */
export async function listKeys(
  db: Reader | Writer,
  { team, id }: { team?: string; id?: string },
  now: string,
): Promise<KeyView[]> {
  const condition = id === undefined ? sql`t.slug = ${team}` : sql`k.id = ${id}`;
  const rows = await rowsOf<KeyRow>(db)`
    select k.id, t.slug as team, k.kind, k.status, k.name, k.created_at as "createdAt", k.expires_at as "expiresAt",
      u.last_used_at as "lastUsedAt", p.slug as product
    from api_keys k join teams t on t.id = k.team_id left join key_usage u on u.key_id = k.id
      left join api_key_products a on a.key_id = k.id left join products p on p.id = a.product_id
    where ${condition} order by k.created_at, k.id, p.slug`;
  const keys = new Map<string, KeyView & { products: string[] }>();
  for (const { product, ...row } of rows) {
    const status = hasExpired(row, () => now) ? 'disabled' : row.status;
    const key = keys.get(row.id) ?? { ...row, status, products: [] };
    if (product !== null) key.products.push(product);
    keys.set(row.id, key);
  }
  return [...keys.values()];
}

/** The id of the key with this hash, whether active or not. */
export async function findIdByHash(db: Reader, hash: string): Promise<string | undefined> {
  return (await rowsOf<{ id: string }>(db)`select id from api_keys where hash = ${hash}`)[0]?.id;
}

export async function findKeyView(db: Reader | Writer, id: string, now: string): Promise<KeyView> {
  const [key] = await listKeys(db, { id }, now);
  if (key === undefined) throw keyNotFoundError();
  return key;
}

async function requireKey(trx: Writer, id: string) {
  const [key] = await rowsOf<Row<'api_keys'> & { team: string }>(trx)`
    select k.*, t.slug as team from api_keys k join teams t on t.id = k.team_id where k.id = ${id}`;
  if (key === undefined) throw keyNotFoundError();
  return key;
}

/** The message does not repeat the id, because the user may have typed the key itself. */
function keyNotFoundError(): Refusal {
  return new Refusal(`there is no key with that id: \`${COMMAND} key list TEAM\` shows the ids.`);
}
