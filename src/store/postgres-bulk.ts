import { sql } from 'kysely';
import type { BulkDialect } from './schema-dialect.ts';

/** A setting of the transaction, gone with it whichever way it ends; the triggers look at it. */
export const IS_IN_BULK = `current_setting('changelog.bulk', true) = 'on'`;
export const ENTER_BULK = `set_config('changelog.bulk', 'on', true)`;
export const LEAVE_BULK = `set_config('changelog.bulk', 'off', true)`;

/**
 * The index over words gathers what is new before it files it, which pays for much at once. Whoever searches has to go
 * through what is not filed yet, so none is left at the end, if the user may do so.
 */
const GATHER_WORDS = `set_config('gin_pending_list_limit', '65536', true)`;
const FILE_WORDS = `select gin_clean_pending_list(oid) from pg_class
  where oid = to_regclass('version_facts_words') and pg_has_role(relowner, 'usage')`;

export const POSTGRES_BULK: BulkDialect = {
  begin: async (trx) => {
    // Others who write wait for this row, as for every transaction that has written.
    await sql`select 1 from revision for update`.execute(trx);
    await sql.raw(`select ${ENTER_BULK}, ${GATHER_WORDS}`).execute(trx);
    return async () => {
      await sql.raw(FILE_WORDS).execute(trx);
      await sql.raw(`select ${LEAVE_BULK}`).execute(trx);
    };
  },
  advanceRevision: 'select advance_revision()',
};
