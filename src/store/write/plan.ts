// Which existing version each version of a document updates. The plan is a temporary table, because the document and
// the changelog may be larger than memory.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { VersionList } from '../../domain/content/content.ts';
import { batches } from '../engine/batches.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';
import { rowInserter } from '../engine/insert-rows.ts';
import type { Tables } from '../engine/schema.ts';
import { createTemporaryTable } from '../engine/temporary-table.ts';
import { updateRows } from '../engine/update-rows.ts';

type PlanTable = {
  /** The index of the product in the document, and of the version in the product. */
  product: number;
  ordinal: number;
  given_id: string | null;
  label: string;
  /** The existing version; null for a new one. */
  before_id: string | null;
  /**
   * Not null if the version changes: the ids of its changes as a JSON list, with null for a change that needs a new id,
   * or JSON `null` if its changes stay as they are.
   */
  change_ids: string | null;
  /** The time of a version that changes, from before anything is written. */
  updated_at: string | null;
};

type PlanTables = Tables & { apply_plan: PlanTable };

export type ExistingVersion = Selectable<Tables['versions']>;
export type PlannedRow = Readonly<Pick<PlanTable, 'ordinal' | 'change_ids' | 'updated_at'>>;

const asPlan = (trx: Writer) => trx as unknown as Kysely<PlanTables>;

export async function preparePlan(trx: Writer): Promise<void> {
  const { text } = dialectOf(trx);
  await createTemporaryTable(trx, 'apply_plan')
    .addColumn('product', 'integer', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('given_id', text)
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('before_id', text)
    .addColumn('change_ids', text)
    .addColumn('updated_at', text)
    .addPrimaryKeyConstraint('apply_plan_place', ['product', 'ordinal'])
    .execute();
  await trx.schema
    .createIndex('apply_plan_before')
    .ifNotExists()
    .on('apply_plan')
    .columns(['before_id', 'product'])
    .execute();
  await asPlan(trx).deleteFrom('apply_plan').execute();
}

/** Matches each version with an existing one, by id or else by label, each at most once. */
export async function planVersions(
  trx: Writer,
  product: number,
  changelogId: string,
  versions: VersionList,
): Promise<void> {
  const insert = rowInserter<PlanTable>('apply_plan');
  let ordinal = 0;
  for (const some of batches(versions)) {
    const rows = some.map(({ id, version }) => ({
      product,
      ordinal: ordinal++,
      given_id: id ?? null,
      label: version,
    }));
    await insert(trx, rows);
  }
  // Without statistics on the temporary table, PostgreSQL would choose a nested loop.
  await sql`analyze apply_plan`.execute(trx);
  await sql`update apply_plan set before_id = given_id where product = ${product} and given_id is not null
    and exists (select 1 from versions where id = apply_plan.given_id and changelog_id = ${changelogId})`.execute(
    trx,
  );
  await sql`update apply_plan set before_id = (
      select id from versions where changelog_id = ${changelogId} and label = apply_plan.label
        and not exists (select 1 from apply_plan named where named.product = ${product} and named.before_id = versions.id))
    where product = ${product} and before_id is null`.execute(trx);
  // Now most have a version: what follows looks for those that have not.
  await sql`analyze apply_plan`.execute(trx);
}

/** The first version whose label belongs to an existing version that is not in the document. */
export async function findKeptLabel(
  trx: Writer,
  product: number,
  changelogId: string,
): Promise<{ ordinal: number; existing: string } | undefined> {
  return await asPlan(trx)
    .selectFrom('apply_plan')
    .innerJoin('versions', (join) =>
      join.on('versions.changelog_id', '=', changelogId).onRef('versions.label', '=', 'apply_plan.label'),
    )
    .where('product', '=', product)
    .where(isUnplanned(product))
    .orderBy('ordinal')
    .select(['ordinal', 'versions.id as existing'])
    .limit(1)
    .executeTakeFirst();
}

/** Some of the versions that are not in the document. */
export async function listUnplanned(trx: Writer, product: number, changelogId: string, limit: number) {
  return await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .where(isUnplanned(product))
    .select(['id', 'label'])
    .limit(limit)
    .execute();
}

const isUnplanned = (product: number) =>
  sql<boolean>`not exists (select 1 from apply_plan planned
    where planned.before_id = versions.id and planned.product = ${product})`;

/** The plan of some versions of the document. */
export async function listPlanned(
  trx: Writer,
  product: number,
  from: number,
  count: number,
): Promise<Map<number, PlannedRow & { before: ExistingVersion | null }>> {
  const rows = await asPlan(trx)
    .selectFrom('apply_plan')
    .where('product', '=', product)
    .where('ordinal', '>=', from)
    .where('ordinal', '<', from + count)
    .select(['ordinal', 'before_id', 'change_ids', 'updated_at'])
    .execute();
  const ids = rows.flatMap(({ before_id }) => before_id ?? []);
  const versions =
    ids.length === 0 ? [] : await trx.selectFrom('versions').where('id', 'in', ids).selectAll().execute();
  const byId = new Map(versions.map((version) => [version.id, version]));
  return new Map(
    rows.map(({ before_id, ...row }) => [row.ordinal, { ...row, before: byId.get(before_id ?? '') ?? null }]),
  );
}

export async function savePlan(trx: Writer, product: number, rows: readonly PlannedRow[]): Promise<void> {
  const planned = rows.map((row) => ({ product, ...row }));
  await updateRows(trx, 'apply_plan', ['product', 'ordinal'], planned);
}

/** Removes what an update replaces: old changes, and labels that another version of the document may need. */
export async function clearForUpdate(trx: Writer, product: number): Promise<void> {
  await sql`delete from changes where version_id in (select before_id from apply_plan
    where product = ${product} and change_ids <> 'null')`.execute(trx);
  await sql`update versions set label = '~renaming ' || id where id in (select before_id from apply_plan
    join versions before on before.id = before_id
    where product = ${product} and change_ids is not null and apply_plan.label <> before.label)`.execute(trx);
}

export async function countNew(trx: Writer, product: number): Promise<number> {
  const { count } = await asPlan(trx)
    .selectFrom('apply_plan')
    .where('product', '=', product)
    .where('before_id', 'is', null)
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
