import { sql } from 'kysely';
import type { BulkDialect } from '../engine/dialect.ts';

export const POSTGRES_BULK: BulkDialect = {
  begin: async (trx) => {
    // Others who write wait for this row, as for every transaction that has written.
    await sql`select 1 from revision for update`.execute(trx);
    // A setting of the transaction, gone with it whichever way it ends; the triggers look at it.
    await sql`select set_config('changelog.bulk', 'on', true)`.execute(trx);
    return async () => {
      await sql`select set_config('changelog.bulk', 'off', true)`.execute(trx);
    };
  },
  advanceRevision: 'select advance_revision()',
};
