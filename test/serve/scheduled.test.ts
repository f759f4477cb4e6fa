// R50 from outside: processes on one database publish what is due, each version once. Also the short form of
// `npm run prove schedule`.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Member, startFleet } from '../../proofs/schedule/fleet.ts';
import {
  assertPublished,
  type Database,
  describeOutcome,
  scheduleVersions,
  startAudit,
  untilShown,
} from '../../proofs/schedule/schedule.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { databaseUrl, ENGINE, execute, query } from '../../support/databases/engine.ts';
import { scrape } from '../../support/http/prometheus.ts';
import { deadline } from '../../support/processes/busy.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../support/program/process.ts';

const PUBLISHED_MS_MAX = 2_000;
const MISSED_AT = '2026-06-01T08:00:00.000Z';
const LOCKED_AT = '2026-06-02T08:00:00.000Z';
const SETTINGS = { LOG_LEVEL: 'info', LOG_FORMAT: 'json', PUBLIC_RATE_LIMIT: '1000000', OPS_PORT: '0' };
const PAGE = '/changelog/acme/rocket';
const PATHS = [PUBLIC_FEED, `${PUBLIC_FEED}/feed.atom`, PAGE];
const SPREAD = { series: 100, versions: 40, changesEach: 0, fromMs: 500, untilMs: 2_500 };
const BURST = { series: 200, versions: 200, changesEach: 3, fromMs: 3_000, untilMs: 3_000 };

const insertDraft = (id: string, changelog: string, label: string, publishAt: string) =>
  `insert into versions (id, changelog_id, label, title, status, publish_at, yanked, created_order)
    values ('${id}', '${changelog}', '${label}', 'Scheduled', 'draft', '${publishAt}', 0, 900)`;

describe('scheduled versions on several processes', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let members: Member[] = [];
  let servers: ServerProcess[] = [];

  const get = async ({ address }: ServerProcess, path: string) => {
    const response = await fetch(address + path);
    return { etag: response.headers.get('etag'), body: await response.text() };
  };
  const shows = (label: string) => async () => {
    const bodies = await Promise.all(
      servers.flatMap((server) => PATHS.map(async (path) => (await get(server, path)).body)),
    );
    return bodies.every((body) => body.includes(label));
  };
  const publishedAtOf = async (id: string) =>
    (await query(sandbox, `select published_at from versions where id = '${id}' and status = 'published'`))[0]
      ?.published_at;
  const linesAbout = (label: string) =>
    servers.flatMap(({ log }) => log.all.filter((line) => line.includes(`"version":"${label}"`)));

  before(async () => {
    await seedWorld(sandbox);
    await execute(sandbox, insertDraft('ver_missed', 'cl_rocket', '4.0.0', MISSED_AT));
    members = await startFleet(scope, { ...SETTINGS, DATABASE_URL: databaseUrl(sandbox) }, [2, 1]);
    servers = members.map(({ node }) => node());
  });

  it('a version that came due while no server ran is published at startup, with its scheduled time', async () => {
    await until('4.0.0 is shown', shows('4.0.0'), { withinMs: PUBLISHED_MS_MAX });
    assert.equal(await publishedAtOf('ver_missed'), MISSED_AT);
  });

  it('a version is published once when it is due, not before, and every response of every process follows', async () => {
    const earlier = await Promise.all(PATHS.map((path) => get(servers[1] as ServerProcess, path)));
    const publishAt = new Date(Date.now() + 600).toISOString();
    await execute(sandbox, `update versions set publish_at = '${publishAt}' where id = 'ver_300'`);
    for (const { body } of earlier) assert.doesNotMatch(body, /3\.0\.0/);
    await until('3.0.0 is public', async () => (await publishedAtOf('ver_300')) !== undefined);
    const lateMs = Date.now() - Date.parse(publishAt);
    assert.ok(lateMs >= 0 && lateMs <= deadline(PUBLISHED_MS_MAX), `${lateMs} ms`);
    assert.equal(await publishedAtOf('ver_300'), publishAt);
    await until('3.0.0 is shown', shows('3.0.0'), { withinMs: PUBLISHED_MS_MAX });
    for (const [index, path] of PATHS.entries())
      assert.notEqual((await get(servers[1] as ServerProcess, path)).etag, earlier[index]?.etag, path);
    assert.equal(linesAbout('3.0.0').length, 1);
    assert.match(
      linesAbout('3.0.0')[0] ?? '',
      /"product":"acme\/rocket".*"msg":"scheduled version published"/,
    );
    const counts = await Promise.all(servers.map(({ opsAddress }) => scrape(opsAddress)));
    const total = counts.reduce((n, { sum }) => n + sum('changelog_scheduled_versions_published_total'), 0);
    assert.equal(total, 2, 'the two versions so far');
  });

  it('a version of a locked product waits, and is published as soon as the product is unlocked', async () => {
    await execute(sandbox, `update products set status = 'locked' where slug = 'new'`);
    await execute(sandbox, insertDraft('ver_held', 'cl_new', '1.0.0', LOCKED_AT));
    await execute(sandbox, insertDraft('ver_free', 'cl_rocket', '5.0.0', LOCKED_AT));
    await until('5.0.0 is shown', shows('5.0.0'), { withinMs: PUBLISHED_MS_MAX });
    assert.equal(await publishedAtOf('ver_held'), undefined);
    for (const { opsAddress } of servers)
      await until(
        'no version is overdue',
        async () => (await scrape(opsAddress)).sum('changelog_schedule_overdue_seconds') === 0,
      );
    await execute(sandbox, `update products set status = 'published' where slug = 'new'`);
    const isOut = async () => (await publishedAtOf('ver_held')) === LOCKED_AT;
    await until('1.0.0 is published', isOut, { withinMs: PUBLISHED_MS_MAX });
  });

  it('each of many versions is published once, not early and at most two seconds late, while a node is killed', async (t) => {
    const database: Database = {
      engine: ENGINE,
      execute: (statement) => execute(sandbox, statement),
      query: (statement) => query(sandbox, statement),
      outages: [],
    };
    await startAudit(database);
    const scheduled = await scheduleVersions(database, SPREAD);
    // All at the same time.
    scheduled.push(...(await scheduleVersions(database, BURST)));
    await members[1]?.restart('SIGKILL');
    await untilShown(scheduled, members);
    const lateMsMax = deadline(PUBLISHED_MS_MAX);
    const outcome = await assertPublished(database, scheduled, members, lateMsMax);
    t.diagnostic(describeOutcome(outcome, members.length));
  });
});

describe('SCHEDULER=off', () => {
  it('SCHEDULER=off and KEY_USAGE=off write nothing, and log what is due', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(sandbox);
    await execute(sandbox, insertDraft('ver_missed', 'cl_rocket', '4.0.0', MISSED_AT));
    const state = () =>
      query(sandbox, `select value, (select count(*) from key_usage) as uses from revision`);
    const before = await state();
    const server = await spawnServer(t, sandbox, { ...SETTINGS, SCHEDULER: 'off', KEY_USAGE: 'off' });
    await server.log.until('"scheduled versions are due: run `changelog publish-due`"');
    assert.match(
      server.log.all.at(-1) ?? '',
      /"level":"warn",.*"reason":"SCHEDULER is off","due":1,"versions":\["acme\/rocket 4\.0\.0"\]/,
    );
    assert.ok((await scrape(server.opsAddress)).sum('changelog_schedule_overdue_seconds') > 0);
    assert.equal((await fetch(`${server.opsAddress}/readyz`)).status, 200);
    assert.deepEqual(await state(), before);
    await server.stop();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
});
