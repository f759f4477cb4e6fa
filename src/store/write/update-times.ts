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
