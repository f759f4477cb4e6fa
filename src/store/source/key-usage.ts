import { sql } from 'kysely';
import { USE_RECORDED_EVERY_MS } from '../../domain/access/api-key.ts';
import { laterThan } from '../../domain/timestamp.ts';
import type { Writer } from '../engine/engine.ts';

/**
 * Records when each of these keys was used, in one statement. Skips deleted keys, and those that another node has just
 * recorded. The same order on every node avoids deadlocks.
 */
export async function recordKeyUse(db: Writer, uses: ReadonlyMap<string, string>): Promise<void> {
  const minuteBefore = (timestamp: string) => laterThan(timestamp, -USE_RECORDED_EVERY_MS);
  const rows = [...uses].map(([keyId, usedAt]) => sql`(${keyId}, ${usedAt}, ${minuteBefore(usedAt)})`);
  // Both engines name the columns of a values list `column1` and so on.
  await sql`insert into key_usage (key_id, last_used_at)
    select api_keys.id, column2 from (values ${sql.join(rows)}) uses join api_keys on api_keys.id = column1
      left join key_usage on key_usage.key_id = api_keys.id
      where key_usage.last_used_at is null or key_usage.last_used_at <= column3 order by api_keys.id
    on conflict (key_id) do update set last_used_at = excluded.last_used_at
      where key_usage.last_used_at < excluded.last_used_at`.execute(db);
}
