// States and their transitions (R16). Any state may follow any other; `locked` freezes everything below it.
import type { PublicationState, VersionState } from '../model.ts';

type LockedBy = 'product' | 'changelog';

export function lockedBy(product: PublicationState, changelog?: PublicationState): LockedBy | null {
  if (product === 'locked') return 'product';
  if (changelog === 'locked') return 'changelog';
  return null;
}

export type VersionPublication = Readonly<{ status: VersionState; publishedAt: string | null }>;

/** Publishing sets the date of a version that has none; unpublishing keeps the date. */
export function moveVersion(version: VersionPublication, to: VersionState, now: string): VersionPublication {
  return { status: to, publishedAt: version.publishedAt ?? (to === 'published' ? now : null) };
}
