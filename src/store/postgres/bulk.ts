import { CompiledQuery, sql } from 'kysely';
import type { SqlDialect } from '../engine/dialect.ts';

export const beginPostgresBulk: SqlDialect['beginBulk'] = async (trx) => {
  // Other writers wait for this row, as for every transaction that has written.
  await sql`select 1 from revision for update`.execute(trx);
  // The triggers read this setting, which ends with the transaction.
  await sql`select set_config('changelog.bulk', 'on', true)`.execute(trx);
  const { rows } = await FUNCTION.execute(trx);
  const writeFacts = factsSql(rows[0]?.text ?? '');
  return {
    refreshFacts: (versionIds) => trx.executeQuery(CompiledQuery.raw(writeFacts, [versionIds])),
    end: () => sql`select set_config('changelog.bulk', 'off', true)`.execute(trx),
    advanceRevision: () => sql`select advance_revision()`.execute(trx),
  };
};

const FUNCTION = sql<{ text: string }>`select prosrc as text from pg_proc
  where oid = cast('refresh_facts(text[])' as regprocedure)`;

const ALL_OR_SOME = 'version_ids is null or v.id = any (version_ids)';

/**
 * The statement of the function, which only the schema has. The function itself is planned once for all versions or some,
 * and so reads the whole table each time.
 */
function factsSql(text: string): string {
  if (!text.includes(ALL_OR_SOME)) throw new Error('a function is missing: the schema is damaged');
  return text.replace(ALL_OR_SOME, 'v.id in (select json_array_elements_text(cast($1 as json)))');
}
