import { sql } from 'kysely';
import type { SqlDialect } from '../engine/dialect.ts';

/**
 * Triggers plan their statements once. In a transaction that fills an empty database, a plan for few rows would visit every
 * row of the table later: each changelog would take longer than the one before. Only the owner of the table may do it.
 */
const REPLANNED_AFTER = [10, 40, 160, 640, 2_560, 10_240];

export const beginPostgresBulk: SqlDialect['beginBulk'] = async (trx) => {
  // Other writers wait for this row, as for every transaction that has written.
  await sql`select 1 from revision for update`.execute(trx);
  // The triggers read this setting, which ends with the transaction.
  await sql`select set_config('changelog.bulk', 'on', true)`.execute(trx);
  let statements = 0;
  return {
    refreshFacts: async (versionIds) => {
      await sql`select refresh_facts(array(select json_array_elements_text(cast(${versionIds} as json))))`.execute(
        trx,
      );
      statements++;
      if (REPLANNED_AFTER.includes(statements)) await sql`analyze version_counts`.execute(trx);
    },
    end: () => sql`select set_config('changelog.bulk', 'off', true)`.execute(trx),
    advanceRevision: () => sql`select advance_revision()`.execute(trx),
  };
};
