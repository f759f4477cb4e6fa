// States and how they change (R16). Any state may follow any other; `locked` freezes what is below it.
import type { PublicationState, VersionState } from '../model.ts';

type LockedBy = 'product' | 'changelog';

/** What freezes content that stands under a product and, if there is one, its changelog. */
export function lockedBy(product: PublicationState, changelog?: PublicationState): LockedBy | null {
  if (product === 'locked') return 'product';
  if (changelog === 'locked') return 'changelog';
  return null;
}

export type VersionPublication = Readonly<{ status: VersionState; publishedAt: string | null }>;

/** Publishing stamps a version that has no date yet; unpublishing keeps the date it had. */
export function moveVersion(version: VersionPublication, to: VersionState, now: string): VersionPublication {
  return { status: to, publishedAt: version.publishedAt ?? (to === 'published' ? now : null) };
}
