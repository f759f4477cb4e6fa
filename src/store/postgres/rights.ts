// What the user in the database URL may do.
import { sql } from 'kysely';
import type { Reader, Rights, Writer } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';

/** Those for hooks are left out: they are needed only with HOOKS, and are written to as well. */
const READ_BY_SERVERS: readonly (keyof Tables | 'search')[] = [
  'api_key_products',
  'api_keys',
  'changelogs',
  'changes',
  'products',
  'public_changelogs',
  'revision',
  'search',
  'teams',
  'touches',
  'versions',
];

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
    else has_table_privilege('teams', 'insert') or has_table_privilege('key_usage', 'insert') end as "mayWrite"`;

/** For a database with a current schema. */
export async function rightsOf(db: Reader): Promise<Rights> {
  const { rows } = await RIGHTS.execute(db as unknown as Writer);
  return rows[0] ?? { unreadable: [], mayWriteContent: false };
}

const RIGHTS = sql<Rights>`select has_table_privilege('versions', 'insert') as "mayWriteContent",
  array(select name from unnest(array[${sql.join(READ_BY_SERVERS.map((name) => sql.lit(name)))}]) name
    where not has_table_privilege(name, 'select')) as unreadable`;
