// What hooks have announced stays announced when a backup takes the place of the database (R65).
import { sql } from 'kysely';
import type { Reader, Writer } from '../engine/engine.ts';

const ROWS_A_PAGE = 500;

/** For the versions that both databases have. What still waits is left out: it is found again. */
export async function carryOverDeliveries(from: Reader, to: Writer): Promise<void> {
  const hooks = await from.selectFrom('hooks').selectAll().execute();
  if (hooks.length === 0) return;
  await to
    .insertInto('hooks')
    .values(hooks)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (let last = ['', '']; ; ) {
    const rows = await from
      .selectFrom('hook_deliveries')
      .where('state', '<>', 'pending')
      .where(sql<boolean>`(hook, version_id) > (${sql.join(last)})`)
      .orderBy('hook')
      .orderBy('version_id')
      .limit(ROWS_A_PAGE)
      .selectAll()
      .execute();
    const ids = rows.map(({ version_id }) => version_id);
    const found = await to.selectFrom('versions').where('id', 'in', ids).select('id').execute();
    const there = new Set(found.map(({ id }) => id));
    const kept = rows.filter(({ version_id }) => there.has(version_id));
    if (kept.length > 0) await to.replaceInto('hook_deliveries').values(kept).execute();
    const end = rows.at(-1);
    if (end === undefined || rows.length < ROWS_A_PAGE) return;
    last = [end.hook, end.version_id];
  }
}
