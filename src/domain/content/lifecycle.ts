// States and their transitions (R16). Any state may follow any other; `locked` freezes everything below it.
import type { PublicationState, VersionState } from '../model.ts';

type LockedBy = 'product' | 'changelog';

export function lockedBy(product: PublicationState, changelog?: PublicationState): LockedBy | null {
  if (product === 'locked') return 'product';
  if (changelog === 'locked') return 'changelog';
  return null;
}

export type VersionPublication = Readonly<{ status: VersionState; publishedAt: string | null }>;

/** Publishing sets a missing date; unpublishing keeps the date. */
export function moveVersion(version: VersionPublication, to: VersionState, now: string): VersionPublication {
  return { status: to, publishedAt: version.publishedAt ?? (to === 'published' ? now : null) };
}

/** Only a draft has a schedule (R50). */
export type ScheduledPublication = VersionPublication & Readonly<{ publishAt: string | null }>;
export type WantedPublication = VersionPublication & Readonly<{ publishAt?: string | null | undefined }>;

/**
 * What applying a document does to a version. A draft that was published on schedule stays published, as the document
 * asked. A source without schedules leaves a draft's schedule alone.
 */
export function applyPublication(
  before: ScheduledPublication | null,
  wanted: WantedPublication,
  now: string,
): ScheduledPublication {
  const { status, publishAt = before?.publishAt ?? null } = wanted;
  if (status === 'draft' && before?.status === 'published' && before.publishedAt === publishAt) return before;
  const publishedAt = wanted.publishedAt ?? before?.publishedAt ?? null;
  return {
    ...moveVersion({ status: 'draft', publishedAt }, status, now),
    publishAt: status === 'draft' ? publishAt : null,
  };
}
