import { sql } from 'kysely';
import type { Writer } from './engine.ts';

/** Notes that these keys were used at this moment; those that are gone by now are passed over. */
export async function recordKeyUse(db: Writer, keyIds: readonly string[], usedAt: string): Promise<void> {
  await db
    .insertInto('key_usage')
    .columns(['key_id', 'last_used_at'])
    .expression((eb) =>
      eb
        .selectFrom('api_keys')
        .where('id', 'in', keyIds)
        .select(['id', sql<string>`${usedAt}`.as('last_used_at')]),
    )
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet((eb) => ({ last_used_at: eb.ref('excluded.last_used_at') }))
        // Several nodes record the same key, each when it comes to it.
        .whereRef('key_usage.last_used_at', '<', 'excluded.last_used_at'),
    )
    .execute();
}
