import { sql } from 'kysely';
import type { SqlDialect } from '../engine/dialect.ts';

export const beginPostgresBulk: SqlDialect['beginBulk'] = async (trx) => {
  // Other writers wait for this row, as for every transaction that has written.
  await sql`select 1 from revision for update`.execute(trx);
  // The triggers read this setting, which ends with the transaction.
  await sql`select set_config('changelog.bulk', 'on', true)`.execute(trx);
  return {
    refreshFacts: (versionIds) =>
      sql`select refresh_facts(array(select json_array_elements_text(cast(${versionIds} as json))))`.execute(
        trx,
      ),
    end: () => sql`select set_config('changelog.bulk', 'off', true)`.execute(trx),
    advanceRevision: () => sql`select advance_revision()`.execute(trx),
  };
};
