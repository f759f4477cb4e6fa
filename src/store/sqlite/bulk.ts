import { CompiledQuery, sql } from 'kysely';
import type { SqlDialect } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';
import { factsSql } from './facts.ts';
import { BEGINNING_CHARACTERS_MAX } from './search.ts';

/**
 * Drops the triggers and creates them again as they were: checking for each row whether they should run would take about
 * as long as inserting it. No other connection sees the tables without them, because none sees an open transaction.
 */
export const beginSqliteBulk: SqlDialect['beginBulk'] = async (trx) => {
  // Refers to a row that never exists: a connection that enforces foreign keys, as ours do, cannot commit before the end.
  await sql`insert into bulk (id, ended) values (1, 2)`.execute(trx);
  const { rows: triggers } = await TRIGGERS.execute(trx);
  const trigger = triggers.find(({ name }) => name === 'versions_facts_on_insert')?.text ?? '';
  const writeFacts = factsSql(trigger, 'v.id in (select value from json_each(?))');
  for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(trx);
  return {
    refreshFacts: async (versionIds) => {
      await sql`delete from version_facts where version_id in (select value from json_each(${versionIds}))`.execute(
        trx,
      );
      await trx.executeQuery(CompiledQuery.raw(writeFacts, [versionIds]));
      for (const isPublic of [1, 0]) await addWords(trx, versionIds, isPublic);
    },
    end: async () => {
      for (const { text } of triggers) await sql.raw(text).execute(trx);
      await sql`delete from bulk`.execute(trx);
    },
    advanceRevision: () => sql`update revision set value = value + 1`.execute(trx),
  };
};

/** For many versions at once, as `version_facts_words_on_insert` does for one. */
async function addWords(trx: Writer, versionIds: string, isPublic: number): Promise<void> {
  await sql`insert into split_search (rowid, body) select number, body from version_facts f
    where version_id in (select value from json_each(${versionIds}))
      and exists (select 1 from public_facts p where p.number = f.number) = ${isPublic}
    order by number`.execute(trx);
  await sql`insert into search_words (is_public, word) select ${isPublic}, term from split_search_words
    where length(term) > ${BEGINNING_CHARACTERS_MAX} on conflict (is_public, word) do nothing`.execute(trx);
  await sql`insert into split_search (split_search) values ('delete-all')`.execute(trx);
}

const TRIGGERS = sql<{ name: string; text: string }>`select name, sql as text from sqlite_master
  where type = 'trigger' and (name = 'version_facts_words_on_insert' or tbl_name in ('versions', 'changes')
    and (name glob '*_touch_on_*' or name glob '*_count_on_*' or name glob '*_facts_on_*'
      or name glob '*_updated_on_*'))`;
