import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { NO_FILTER, parseWords } from '../../../src/domain/feed-query.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { findFeed } from '../../../src/store/read/find-feed.ts';
import { findUpdate } from '../../../src/store/read/find-update.ts';
import { findVersion, findVersionPage } from '../../../src/store/read/find-version.ts';
import { findOutline } from '../../../src/store/read/index.ts';
import { findTeamList } from '../../../src/store/read/lists/listing.ts';
import { findTimeline } from '../../../src/store/read/lists/timeline.ts';
import { findPage } from '../../../src/store/read/pages.ts';

const ROCKET = { team: 'acme', product: 'rocket' };
const PUBLIC = visibleRows('public');

/** Public reads, by each way to find something. */
export const PUBLIC_READS: Readonly<Record<string, (db: Reader) => unknown>> = {
  feed: (db) => findFeed(db, ROCKET, PUBLIC),
  'version by label': (db) => findVersion(db, ROCKET, '2.1.0', PUBLIC),
  'page of a version': (db) => findVersionPage(db, ROCKET, 'latest.md', PUBLIC),
  page: (db) => findPage(db, ROCKET, PUBLIC, { ...NO_FILTER, limit: 2, since: '2000' }),
  'page with changes of a type': (db) =>
    findPage(db, ROCKET, PUBLIC, { ...NO_FILTER, types: ['added'], withChanges: true }),
  search: (db) => findPage(db, ROCKET, PUBLIC, { ...NO_FILTER, words: parseWords('fast 2.1') }),
  update: (db) => findUpdate(db, ROCKET, { from: '1.0.0', withPrereleases: false }, PUBLIC),
  outline: (db) => findOutline(db, ROCKET, PUBLIC),
  list: (db) => findTeamList(db, { team: 'acme', after: null, limit: 10 }),
  timeline: (db) => findTimeline(db, 'acme', PUBLIC, { ...NO_FILTER, limit: 10 }, null),
};
