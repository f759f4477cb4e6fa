import { sql } from 'kysely';
import { USE_RECORDED_EVERY_MS } from '../../domain/access/api-key.ts';
import { laterThan } from '../../domain/timestamp.ts';
import type { Writer } from '../engine/engine.ts';

/**
 * Records when each of these keys was used, in one statement. Skips deleted keys, and those that another node has just
 * recorded.
 */
export async function recordKeyUse(db: Writer, uses: ReadonlyMap<string, string>): Promise<void> {
  const rows = [...uses].map(([keyId, usedAt]) => sql`(${keyId}, ${usedAt}, ${minuteBefore(usedAt)})`);
  await db
    .insertInto('key_usage')
    .columns(['key_id', 'last_used_at'])
    .expression((eb) =>
      eb
        // Both engines name the columns of a values list `column1` and so on.
        .selectFrom(sql<Use>`(values ${sql.join(rows)})`.as('uses'))
        .innerJoin('api_keys', 'api_keys.id', 'uses.column1')
        .leftJoin('key_usage', 'key_usage.key_id', 'api_keys.id')
        .where((where) =>
          where.or([
            where('key_usage.last_used_at', 'is', null),
            where('key_usage.last_used_at', '<=', where.ref('uses.column3')),
          ]),
        )
        .select(['api_keys.id', 'uses.column2'])
        // The same order on every node avoids deadlocks.
        .orderBy('api_keys.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet((eb) => ({ last_used_at: eb.ref('excluded.last_used_at') }))
        // Several nodes record the same key, in any order.
        .whereRef('key_usage.last_used_at', '<', 'excluded.last_used_at'),
    )
    .execute();
}

type Use = { column1: string; column2: string; column3: string };

function minuteBefore(timestamp: string): string {
  return laterThan(timestamp, -USE_RECORDED_EVERY_MS);
}
