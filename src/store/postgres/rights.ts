// What the user in the database URL may do.
import { sql } from 'kysely';
import type { Reader, Writer } from '../engine/engine.ts';

export async function whyNotWritable(db: Reader): Promise<string | null> {
  const { rows } = await WRITING.execute(db as unknown as Writer);
  if (rows[0]?.isReplica) return 'it is a replica; put the primary first in DATABASE_URL';
  return rows[0]?.mayWrite
    ? null
    : 'its user lacks the privilege; grant it, or use another user in DATABASE_URL';
}

/** If there are no tables yet, the privilege to create them. */
const WRITING = sql<{ isReplica: boolean; mayWrite: boolean }>`select
  pg_is_in_recovery() as "isReplica",
  case when to_regclass('teams') is null then has_schema_privilege(current_schema(), 'create')
    else has_table_privilege('teams', 'insert') end as "mayWrite"`;

export async function canReadKeys(db: Reader): Promise<boolean> {
  const { rows } = await READING_KEYS.execute(db as unknown as Writer);
  return rows[0]?.mayRead ?? false;
}

const READING_KEYS = sql<{ mayRead: boolean }>`select has_table_privilege('api_keys', 'select') as "mayRead"`;
