// The versions of a team's timeline, with each change that products share shown once (R64), also across pages.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { SHARED_WITHIN_MS, type Shared, SharedChanges } from '../../domain/content/shared-changes.ts';
import type { LimitedQuery } from '../../domain/feed-query.ts';
import { laterThan } from '../../domain/timestamp.ts';
import { onlyMatching } from '../../present/version.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findTimeline, type Timeline, type TimelineRow } from '../../store/read/lists/timeline.ts';
import type { ReadMore } from '../cache/body.ts';
import { allParts, inStateOf, itemsIn } from './walk.ts';

/** How many versions to check before and after a page. A shared change farther away is shown again. */
const NEIGHBOURS_MAX = 500;
const PART_VERSIONS = 100;

export type Walk = Readonly<{
  visible: VisibleRows;
  query: LimitedQuery;
  read: ReadMore;
  /** Whether a version has all its changes, also those that a filter does not match. */
  isWhole?: boolean;
}>;

/**
 * The versions of a page already read, and more of the timeline if more are asked for. What an earlier page shows is left
 * out, and versions of later pages are named.
 */
export async function* sharedVersions(
  first: Timeline,
  walk: Walk,
  versionsMax = first.versions.length,
): AsyncGenerator<Shared<TimelineRow>> {
  const shared = new SharedChanges<TimelineRow>();
  const own = new Set<string>();
  const add = (version: TimelineRow) =>
    ownOf(shared.add(walk.isWhole ? version : onlyMatching(walk.query, version)));
  const ownOf = (done: Shared<TimelineRow>[]) => done.filter(({ version }) => own.has(version.id));
  for (const version of await readBefore(first, walk)) add(version);
  let last: TimelineRow | undefined;
  for await (const version of versionsFrom(first, walk, versionsMax)) {
    own.add(version.id);
    yield* add(version);
    last = version;
  }
  if (first.end !== null && last?.publishedAt) {
    const oldest = laterThan(last.publishedAt, -SHARED_WITHIN_MS);
    const since = [walk.query.since ?? '', oldest].sort().at(-1) as string;
    for await (const version of readMore(first, walk, {
      since,
      after: { sortKey: last.sortKey, id: last.id },
    }))
      yield* add(version);
  }
  yield* ownOf(shared.finish());
}

/**
 * The versions above a page that decide what it leaves out, newest first: those with a change of the page that were
 * published up to an hour after it, and likewise those that decide what these leave out.
 */
async function readBefore(first: Timeline, walk: Walk): Promise<readonly TimelineRow[]> {
  const [top] = first.versions;
  if (walk.query.after === null || !top?.publishedAt) return [];
  const texts = new Set(first.versions.flatMap(({ changes }) => changes.map(({ text }) => text)));
  const isShared = ({ changes }: TimelineRow) => changes.some(({ text }) => texts.has(text));
  const found: TimelineRow[] = [];
  let since = top.publishedAt;
  let until = laterThan(since, SHARED_WITHIN_MS);
  for (;;) {
    const range = { since, until: [walk.query.until ?? until, until].sort()[0] as string, after: null };
    const rows: TimelineRow[] = [];
    for await (const version of readMore(first, walk, range, NEIGHBOURS_MAX - found.length)) {
      if (version.id === top.id) break;
      rows.push(version);
    }
    found.unshift(...rows);
    const newest = rows.find(isShared)?.publishedAt ?? top.publishedAt;
    const decided = laterThan(newest, SHARED_WITHIN_MS);
    if (decided <= until || found.length >= NEIGHBOURS_MAX) return found;
    since = laterThan(until, 1);
    until = decided;
  }
}

async function* readMore(
  first: Timeline,
  walk: Walk,
  range: Partial<LimitedQuery>,
  versionsMax = NEIGHBOURS_MAX,
): AsyncGenerator<TimelineRow> {
  const query = { ...walk.query, ...range, limit: PART_VERSIONS };
  const part = await inStateOf(first, walk.read)((db) => find(db, first, { ...walk, query }));
  yield* versionsFrom(part, { ...walk, query }, versionsMax);
}

function versionsFrom(first: Timeline, walk: Walk, versionsMax: number): AsyncGenerator<TimelineRow> {
  const parts = allParts(first, walk.read, (db, after) =>
    find(db, first, { ...walk, query: { ...walk.query, after } }),
  );
  return itemsIn(parts, ({ versions }) => versions, versionsMax);
}

const find = (db: Reader, { team }: Timeline, { visible, query }: Pick<Walk, 'visible' | 'query'>) =>
  findTimeline(db, team.slug, visible, query, null);
