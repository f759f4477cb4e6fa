// The statements of the API, for tests of their query plans.
import assert from 'node:assert/strict';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { presentAt } from '../../../src/domain/content/future-date.ts';
import { type FeedQuery, NO_FILTER, parseWords } from '../../../src/domain/feed-query.ts';
import type { Surface } from '../../../src/domain/model.ts';
import { releaseNumber } from '../../../src/domain/release-number.ts';
import { versionOrder } from '../../../src/domain/version-order.ts';
import { listFuture } from '../../../src/store/catalogue/health.ts';
import { openReader } from '../../../src/store/engine/open.ts';
import { countMatches } from '../../../src/store/read/count-matches.ts';
import { findFeed } from '../../../src/store/read/find-feed.ts';
import { findPrevious } from '../../../src/store/read/find-previous.ts';
import {
  findReleaseByLabel,
  findReleaseByNumber,
  findReleases,
} from '../../../src/store/read/find-releases.ts';
import { findUpdate } from '../../../src/store/read/find-update.ts';
import { findLatest, findVersion, findVersionPage } from '../../../src/store/read/find-version.ts';
import { findAllList, findTeamList, listDomains } from '../../../src/store/read/lists/listing.ts';
import { findSitemapBatch } from '../../../src/store/read/lists/sitemap.ts';
import { findTimeline } from '../../../src/store/read/lists/timeline.ts';
import { findMoreChanges } from '../../../src/store/read/more-changes.ts';
import { findOutline } from '../../../src/store/read/outline.ts';
import { findPage } from '../../../src/store/read/pages.ts';
import { findKey } from '../../../src/store/read/reads.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const NOW = '2026-06-01T00:00:00.000Z';

export type Read = Readonly<{ sql: string; parameters: readonly unknown[] }>;

/** The public feed, a public version, the same two of a team, and a key. */
export async function listReads(scope: Scope, sandbox: Sandbox): Promise<Read[]> {
  const reads: Read[] = [];
  const db = await openReader(databaseUrl(sandbox), { onQuery: ({ query }) => void reads.push(query) });
  scope.after(() => db.destroy());
  const asked = { team: 'acme', product: 'rocket', versionId: 'ver_210' };
  for (const surface of ['public', 'team'] as const) {
    await findFeed(db, asked, visibleRows(surface));
    await findVersion(db, asked, 'ver_210', visibleRows(surface));
  }
  await findKey(db, 'x', NOW);
  assert.equal(reads.length, 5);
  return reads;
}

/** The queries of `doctor` that look for dates in the future. */
export async function listFutureReads(scope: Scope, sandbox: Sandbox): Promise<Read[]> {
  const reads: Read[] = [];
  const db = await openReader(databaseUrl(sandbox), { onQuery: ({ query }) => void reads.push(query) });
  scope.after(() => db.destroy());
  await listFuture(db, presentAt('2020-01-01T00:00:00.000Z'), 1);
  assert.equal(reads.length, 2);
  return reads;
}

/** The first and a later page of both lists, and what the page of a changelog reads besides its versions. */
export async function listListReads(scope: Scope, sandbox: Sandbox): Promise<Read[]> {
  const reads: Read[] = [];
  const db = await openReader(databaseUrl(sandbox), { onQuery: ({ query }) => void reads.push(query) });
  scope.after(() => db.destroy());
  const path = { team: 'acme', product: 'rocket' };
  for (const after of [null, path]) {
    await findTeamList(db, { team: 'acme', after, limit: 2 });
    for (const withChanges of [false, true]) await findAllList(db, { after, limit: 2, withChanges });
  }
  await findOutline(db, path, visibleRows('public'));
  await findPrevious(db, path, visibleRows('public'), ['2.1.0', '2.1.0-rc.1']);
  assert.equal(reads.length, 8);
  return reads;
}

/** The list of domains. */
export async function listDomainReads(scope: Scope, sandbox: Sandbox): Promise<Read[]> {
  const reads: Read[] = [];
  const db = await openReader(databaseUrl(sandbox), { onQuery: ({ query }) => void reads.push(query) });
  scope.after(() => db.destroy());
  await listDomains(db);
  assert.equal(reads.length, 1);
  return reads;
}

/** Pages of a timeline: each filter, within and beyond the bound of scans, for everybody and for each kind of key. */
export async function listTimelineReads(scope: Scope, sandbox: Sandbox): Promise<PartRead[]> {
  const reads: PartRead[] = [];
  let context = { name: '', surface: 'public' as Surface, sorts: true };
  const db = await openReader(databaseUrl(sandbox), {
    onQuery: ({ query: { sql, parameters } }) => void reads.push({ sql, parameters, ...context }),
  });
  scope.after(() => db.destroy());
  const many = Array.from({ length: 60 }, (_, index) => `product-${index}`);
  for (const [surface, products] of [
    ['public', null],
    ['team', null],
    ['team', ['rocket']],
    ['team', many],
  ] as const)
    for (const [name, { sorts: _, ...query }] of Object.entries(PARTS))
      for (const bound of [undefined, 1]) {
        context = { name: `${name}, ${products?.length ?? 'all'} products`, surface, sorts: true };
        const limited = { ...NO_FILTER, ...query, limit: 2 };
        await findTimeline(db, 'acme', visibleRows(surface), limited, products, bound);
      }
  return reads;
}

/** The first batch of the sitemap, and a later one. */
export async function listSitemapReads(scope: Scope, sandbox: Sandbox): Promise<Read[]> {
  const reads: Read[] = [];
  const db = await openReader(databaseUrl(sandbox), { onQuery: ({ query }) => void reads.push(query) });
  scope.after(() => db.destroy());
  await findSitemapBatch(db, null, 100);
  await findSitemapBatch(db, { team: 'acme', product: 'rocket', version: after }, 100);
  assert.equal(reads.length, 2);
  return reads;
}

/** `sorts`: the rows are not found in the order of the feed. */
type PartRead = Read & Readonly<{ name: string; surface: Surface; sorts: boolean }>;

const after = { sortKey: '2026-05-04T09:00:00.000Z', id: 'ver_210' };
const [from, to] = [versionOrder('0.1.0'), versionOrder('9.0.0')];
const dates = { since: '2020-01-01T00:00:00.000Z', until: '2030-01-01T00:00:00.000Z' };
const words = parseWords('countdown');
const PARTS: Record<string, Partial<FeedQuery> & { sorts?: true; bound?: 0 }> = {
  'a page': { limit: 2 },
  'a later page, of stable versions, between two dates': {
    ...dates,
    limit: 2,
    after,
    withPrereleases: false,
  },
  'everything with its changes': { withChanges: true },
  'a page of a range of versions': { from, to, limit: 2 },
  'a page of words without spaces': { words: parseWords('機能'), limit: 2 },
  'a range of versions': { from, to, withChanges: true, sorts: true },
  // Beyond the bound, all access paths are used.
  'a page far down in a range of versions': { from, to, limit: 2, bound: 0, sorts: true },
  'a page far down of words': { words, limit: 2, bound: 0, sorts: true },
  words: { words, sorts: true },
  'a page of breaking changes': { isBreaking: true, limit: 2 },
  'breaking changes of a type': { isBreaking: true, types: ['removed'], sorts: true },
  'types, words and all else': {
    ...dates,
    from,
    to,
    types: ['added'],
    words,
    withPrereleases: false,
    sorts: true,
  },
};
const NAMES = ['ver_210', '2.1.0', 'latest'];

/** Queries for parts of a changelog and for versions by name, on both surfaces. */
export async function listPartReads(scope: Scope, sandbox: Sandbox): Promise<PartRead[]> {
  const reads: PartRead[] = [];
  let context = { name: '', surface: 'public' as Surface, sorts: false };
  const db = await openReader(databaseUrl(sandbox), {
    onQuery: ({ query: { sql, parameters } }) => void reads.push({ sql, parameters, ...context }),
  });
  scope.after(() => db.destroy());
  const path = { team: 'acme', product: 'rocket' };
  for (const surface of ['public', 'team'] as const) {
    const visible = visibleRows(surface);
    for (const [name, { sorts = false, bound, ...query }] of Object.entries(PARTS)) {
      context = { name, surface, sorts };
      await findPage(db, path, visible, { ...NO_FILTER, ...query }, bound);
    }
    context = { name: 'the number of matches', surface, sorts: true };
    for (const typed of ['countdown', '機能'])
      for (const boundVersions of [0, 100])
        await countMatches(db, path, visible, { ...NO_FILTER, words: parseWords(typed) }, { boundVersions });
    for (const name of NAMES) {
      context = { name, surface, sorts: false };
      await findVersion(db, path, name, visible);
      // All pages are public.
      if (surface === 'public')
        for (const segment of [name, `${name}.md`]) await findVersionPage(db, path, segment, visible);
    }
    context = { name: 'updates', surface, sorts: false };
    for (const label of [null, '0.1.0', 'spring'])
      for (const withPrereleases of [false, true])
        await findUpdate(db, path, { from: label, withPrereleases }, visible);
    context = { name: 'releases', surface, sorts: false };
    for (const isPrerelease of [null, false])
      for (const withChanges of [true, false])
        await findReleases(db, path, { offset: 1, limit: 2, isPrerelease, withChanges }, visible);
    await findReleaseByLabel(db, path, '2.1.0', visible);
    for (const number of [1, releaseNumber('ver_210')]) await findReleaseByNumber(db, path, number, visible);
    context = { name: 'the latest label', surface, sorts: false };
    await findLatest(db, path, visible);
    context = { name: 'more changes', surface, sorts: false };
    await findMoreChanges(db, { ...path, versionId: 'ver_210', after: 0 }, visible);
  }
  assert.ok(reads.length > 2 * (Object.keys(PARTS).length + NAMES.length));
  return reads;
}

/** 500 teams, each with a product that has 10 versions with a change each. */
export const MANY_ROWS: readonly string[] = [
  `insert into teams (id, slug, name, visibility, plan)
     select 1000 + n, 'team-' || n, 'Team', 'public', 'paid' from (${numbers(500)}) every`,
  `insert into products (id, team_id, slug, name, status)
     select 1000 + n, 1000 + n, 'product', 'Product', 'published' from (${numbers(500)}) every`,
  `insert into changelogs (id, product_id, name, status)
     select 'cl_' || n, 1000 + n, 'Changelog', 'published' from (${numbers(500)}) every`,
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
     select 'ver_many_' || n, 'cl_' || (n % 500), n, 'Version', 'published', '2026-01-01T00:00:00.000Z', 0, n
     from (${numbers(5_000)}) every`,
  `insert into changes (id, version_id, position, type, text, breaking)
     select 'chg_many_' || n, 'ver_many_' || n, 1, 'added', 'Text', 0 from (${numbers(5_000)}) every`,
];

/** From 0, in SQL for both engines. */
export function numbers(count: number): string {
  return `with recursive counted (n) as (select 0 union all select n + 1 from counted where n < ${count - 1})
    select n from counted`;
}
