// When a date counts as future. A version's status alone makes it visible (R8): in a document such a date is a mistake,
// and a version of a file is a draft until then (R50).
import { laterThan } from '../timestamp.ts';
import type { WantedPublication } from './lifecycle.ts';

/** For clocks that differ. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** A date without a time is midnight UTC, but that day starts this much earlier in the easternmost time zones. */
const DAY_TOLERANCE_MS = 14 * 3_600_000;

export const MIDNIGHT = 'T00:00:00.000Z';

/** The latest timestamp and the latest midnight that are not in the future. */
export type Present = Readonly<{ time: string; midnight: string }>;

export function presentAt(now: string): Present {
  return { time: laterThan(now, CLOCK_TOLERANCE_MS), midnight: laterThan(now, DAY_TOLERANCE_MS) };
}

export function isInFuture(publishedAt: string, { time, midnight }: Present): boolean {
  return publishedAt > time && (publishedAt > midnight || !publishedAt.endsWith(MIDNIGHT));
}

/** A published version of a file, or a draft that is scheduled for its date, if that has not come. */
export function scheduledIfLater<Version extends WantedPublication>(version: Version, now: string): Version {
  const { status, publishedAt } = version;
  if (status === 'draft' || publishedAt === null || publishedAt <= now) return version;
  return { ...version, status: 'draft', publishedAt: null, publishAt: publishedAt };
}
