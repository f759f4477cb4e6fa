// The ratios that must not regress, with a margin for noise: a short form of `npm run bench`, without its other servers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { feedPath, fillStatements, HOT, TEAM } from '../../bench/data/datasets.ts';
import { addKeys, makeSqlite } from '../../bench/data/sqlite-data.ts';
import { cachedPages } from '../../bench/pages.ts';
import { median } from '../../bench/report/statistics.ts';
import { measureInRounds, type Subject } from '../../bench/rounds/rounds.ts';
import { type RequestSpec, subjectFor } from '../../bench/rounds/subjects.ts';
import { requestOnce } from '../../bench/servers/responses.ts';
import { startBare, startOurs } from '../../bench/servers/servers.ts';
import { ensureServers } from '../../cluster/debian.ts';
import { sharedScope } from '../../support/processes/scope.ts';

/** Compared with bare `node:http` that sends the same bytes. */
const HOT_MIN = 0.7;
const AUTHENTICATED_MIN = 0.6;
/** Compared with a cached 200. */
const SHORT_RESPONSES_MIN = 0.8;
/** Compared with cached JSON of the same size. */
const PAGE_MIN = 0.8;

const PACE = { rounds: 7, milliseconds: 120, warmUpMilliseconds: 1_000 };
/** Few, because requests that are unfinished at the end of a run take processor time but are not counted. */
const CONNECTIONS = 8;
const FEED = feedPath('hot', 1);
const MISSING = `/api/v1/public/teams/${TEAM}/products/none/changelog`;

describe('the performance of hot reads', () => {
  const scope = sharedScope();
  let ratio: (id: string, to: string) => number;

  before(async () => {
    await ensureServers(['wrk']);
    const file = await makeSqlite(scope, fillStatements(HOT));
    const keys = addKeys(file, 'hot-1');
    const database = { DATABASE_URL: `sqlite:${file}` };
    const [ours, limited] = await Promise.all([
      startOurs(scope, database),
      startOurs(scope, { ...database, PUBLIC_RATE_LIMIT: '1', PUBLIC_RATE_WINDOW_SECONDS: '86400' }),
    ]);
    await requestOnce(limited.address + FEED);
    const response = await requestOnce(ours.address + FEED);
    const bare = await startBare(scope, response);
    const asked = { group: '', server: ours, status: 200, connections: CONNECTIONS };
    const feed = { ...asked, target: { path: FEED }, example: FEED };
    const team = feedPath('hot', 1, '');
    const specs: Omit<RequestSpec, 'name'>[] = [
      { ...feed, id: 'bare', server: bare },
      { ...feed, id: '200' },
      { ...feed, id: '304', headers: { 'if-none-match': response.header('etag') ?? '' }, status: 304 },
      { ...feed, id: '404', target: { path: MISSING }, example: MISSING, status: 404 },
      { ...feed, id: '429', server: limited, status: 429 },
      {
        ...feed,
        id: 'key',
        target: { path: team },
        example: team,
        headers: { authorization: `Bearer ${keys.full}` },
      },
    ];
    const pages = (await cachedPages(ours)).filter(({ id }) => id === 'page' || id === 'json');
    specs.push(...pages.map((page) => ({ ...page, connections: CONNECTIONS })));
    const subjects: Subject[] = [];
    for (const spec of specs) subjects.push((await subjectFor({ ...spec, name: spec.id })).subject);
    const measures = await measureInRounds(subjects, PACE);
    // By processor time, not wall-clock time. Other load of the machine may spoil the best round or the median, but
    // seldom both; a regression shows in both.
    const rounds = new Map(measures.map(({ id, perCpuSecond = [] }) => [id, perCpuSecond]));
    const by = (sum: (values: readonly number[]) => number) => (id: string, to: string) =>
      sum(rounds.get(id) ?? []) / sum(rounds.get(to) ?? []);
    const [byBest, byMiddle] = [by((values) => Math.max(...values)), by(median)];
    ratio = (id, to) => Math.max(byBest(id, to), byMiddle(id, to));
  });

  it(`a cached public 200 has at least ${HOT_MIN} of the throughput of bare node:http`, () => {
    assert.ok(ratio('200', 'bare') >= HOT_MIN, `it is ${ratio('200', 'bare')}`);
  });

  it(`a cached authenticated 200 has at least ${AUTHENTICATED_MIN} of the throughput of bare node:http`, () => {
    assert.ok(ratio('key', 'bare') >= AUTHENTICATED_MIN, `it is ${ratio('key', 'bare')}`);
  });

  it(`a cached page has at least ${PAGE_MIN} of the throughput of cached JSON of the same size`, () => {
    assert.ok(ratio('page', 'json') >= PAGE_MIN, `it is ${ratio('page', 'json')}`);
  });

  for (const status of ['304', '404', '429']) {
    it(`a ${status} has at least ${SHORT_RESPONSES_MIN} of the throughput of a cached 200`, () => {
      assert.ok(ratio(status, '200') >= SHORT_RESPONSES_MIN, `it is ${ratio(status, '200')}`);
    });
  }
});
