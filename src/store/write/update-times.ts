import { sql } from 'kysely';
import type { Writer } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';

type UpdateTime = Pick<Tables['versions'], 'id' | 'published_at'> & { updated_at: string | null };

/** The last known change of a stored version. */
export function updateTimeOf({ published_at, updated_at }: Omit<UpdateTime, 'id'>): string {
  return updated_at ?? published_at ?? '';
}

/** Null stands for the date of publication. */
export function storedUpdateTime(publishedAt: string | null, updatedAt: string): string | null {
  return updatedAt === publishedAt ? null : updatedAt;
}

/** Sets the times again that triggers have moved, because changes are written after their version. */
export async function restoreUpdateTimes(trx: Writer, versions: readonly Omit<UpdateTime, 'published_at'>[]) {
  for (const [time, some] of Map.groupBy(versions, ({ updated_at }) => updated_at))
    await trx
      .updateTable('versions')
      .set({ updated_at: time })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .where(sql<boolean>`updated_at is distinct from ${time}`)
      .execute();
}
