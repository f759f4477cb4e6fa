import { sql } from 'kysely';
import type { BulkDialect } from '../engine/schema-dialect.ts';

/** A setting of the transaction, gone with it whichever way it ends; the triggers look at it. */
export const IS_IN_BULK = `current_setting('changelog.bulk', true) = 'on'`;
export const ENTER_BULK = `set_config('changelog.bulk', 'on', true)`;
export const LEAVE_BULK = `set_config('changelog.bulk', 'off', true)`;

export const POSTGRES_BULK: BulkDialect = {
  begin: async (trx) => {
    // Others who write wait for this row, as for every transaction that has written.
    await sql`select 1 from revision for update`.execute(trx);
    await sql.raw(`select ${ENTER_BULK}`).execute(trx);
    return async () => {
      await sql.raw(`select ${LEAVE_BULK}`).execute(trx);
    };
  },
  advanceRevision: 'select advance_revision()',
};
