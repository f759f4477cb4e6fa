import type { VisibleRows } from '../../domain/access/visibility.ts';
import { ApiError } from '../../errors.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findPage, type Page } from '../../store/read/pages.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { ReadRequest } from '../read.ts';

/** A range is one response of bounded length (R51). */
const RANGE_VERSIONS_MAX = 500;
const RANGE_CHANGES_MAX = 5_000;

export async function findRange(
  db: Reader,
  { params, query }: Pick<ReadRequest, 'params' | 'query'>,
  visible: VisibleRows,
): Promise<AtRevision<Page>> {
  const limits = { limit: RANGE_VERSIONS_MAX, withChanges: true };
  const range = await findPage(db, params, visible, { ...query.feed, ...limits });
  if (range.found !== undefined) requireShortRange(range.found);
  return range;
}

/** Whether the range routes accept a range, if its texts are not extremely long. */
export const isShortRange = (versions: number, changes: number) =>
  versions <= RANGE_VERSIONS_MAX && changes <= RANGE_CHANGES_MAX;

function requireShortRange({ versions, end }: Page): void {
  const changes = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  if (end === null && isShortRange(versions.length, changes)) return;
  throw new ApiError('bad_request', {
    message: `The range has more than ${RANGE_VERSIONS_MAX} versions, ${RANGE_CHANGES_MAX} changes or 2 MB of text. Narrow it with from, to or type.`,
  });
}
