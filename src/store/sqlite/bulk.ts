import { sql } from 'kysely';
import type { BulkDialect } from '../engine/dialect.ts';

/**
 * The triggers go, and come back as they were: to ask each row whether they should act would take about as long as to
 * insert it. Nobody else sees the tables without them, for nobody sees anything of a transaction before its end.
 */
export const SQLITE_BULK: BulkDialect = {
  begin: async (trx) => {
    // Refers to a row that never exists: no connection that enforces foreign keys, as ours do, can commit before the end.
    await sql`insert into bulk (id, ended) values (1, 2)`.execute(trx);
    const { rows: triggers } = await OURS.execute(trx);
    for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(trx);
    return async () => {
      for (const { text } of triggers) await sql.raw(text).execute(trx);
      await sql`delete from bulk`.execute(trx);
    };
  },
  advanceRevision: 'update revision set value = value + 1',
};

const OURS = sql<{ name: string; text: string }>`select name, sql as text from sqlite_master
  where type = 'trigger' and tbl_name in ('versions', 'changes')
    and (name glob '*_touch_on_*' or name glob '*_count_on_*' or name glob '*_facts_on_*')`;
