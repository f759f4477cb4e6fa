// R30 on SQLite: a file that becomes unreadable under a running server, and readable again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LISTS, PAGES, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { HIDDEN, PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../support/content/world.ts';
import { execute, makeUnavailable } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { rawRequest } from '../../support/socket.ts';

const CACHED = [PUBLIC_FEED, ...PAGES, ...LISTS];
const NOT_CACHED = [
  `${PUBLIC_FEED}/versions/ver_210`,
  PUBLIC_FEED.replace('rocket', 'nothing'),
  ...[`${PRODUCT_PAGE}/versions/1.0.0`, `${PRODUCT_PAGE}?q=countdown`, '/changelog/nobody'],
];

describe('a database file that becomes unreadable', () => {
  it('while the file is unreadable, cached public responses are served and everything else fails, without a restart', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    const world = await seedWorld(sandbox);
    const server = await spawnServer(t, sandbox, { OPS_PORT: '0', KEY_USAGE: 'off', LISTING: 'all' });
    const headers = { authorization: `Bearer ${world.full}` };
    const ask = (path: string) => fetch(server.address + path, { headers });
    const isReady = async () => (await fetch(`${server.opsAddress}/readyz`)).status;
    const read = async (path: string) => {
      const response = await ask(path);
      return { status: response.status, etag: response.headers.get('etag'), body: await response.text() };
    };
    const cached = new Map<string, Awaited<ReturnType<typeof read>>>();
    for (const path of CACHED) cached.set(path, await read(path));
    assert.equal((await ask(TEAM_FEED)).status, 200);

    const giveBack = await makeUnavailable(sandbox);
    for (const [path, before] of cached) {
      assert.equal(before.status, 200, path);
      assert.deepEqual(await read(path), before);
    }
    assert.equal(await isReady(), 503);
    for (const path of [...NOT_CACHED, TEAM_FEED]) {
      const failed = await ask(path);
      const body = await failed.text();
      assert.equal(failed.status, 503, path);
      assert.match(failed.headers.get('retry-after') ?? '', /^[123]$/);
      assert.equal(failed.headers.get('cache-control'), 'no-store');
      if (path.startsWith('/changelog')) assert.match(body, /^<!doctype html>.*Not available right now/is);
      else assert.equal(JSON.parse(body).error.code, 'unavailable');
      assert.doesNotMatch(body, new RegExp(`${HIDDEN}|malformed|changelog\\.db`));
    }
    // These need no database.
    assert.equal((await ask(`${PRODUCT_PAGE}?from=nonsense`)).status, 400);
    assert.equal((await ask('/changelog/%ff')).status, 404);

    await giveBack();
    const isThere = (path: string) => !/nothing|nobody/.test(path);
    for (const path of [...CACHED, ...NOT_CACHED, TEAM_FEED])
      assert.equal((await ask(path)).status, isThere(path) ? 200 : 404, path);
    assert.equal(await isReady(), 200);
    await server.log.until('"database reachable again"');
    assert.equal(server.log.count('"database unreachable"'), 1, 'it is logged once');
  });

  it('cached responses are served for no more than a minute while the file is unreadable', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(sandbox);
    const { app } = await startApp(t, sandbox, { LISTING: 'all' });
    let aheadMs = 0;
    const { now } = performance;
    t.mock.method(performance, 'now', () => now.call(performance) + aheadMs);
    /** The status that all responses share. */
    const status = async () => {
      const statuses = new Set<number>();
      for (const path of CACHED) statuses.add((await app.inject(path)).statusCode);
      return statuses.size === 1 ? [...statuses][0] : [...statuses];
    };
    assert.equal(await status(), 200);
    const giveBack = await makeUnavailable(sandbox);
    aheadMs = 59_000;
    assert.equal(await status(), 200);
    aheadMs = 60_001;
    assert.equal(await status(), 503);
    await giveBack();
    assert.equal(await status(), 200);
  });

  it('domains are known from the start: what is at one fails, and is not missing', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(sandbox);
    await execute(sandbox, "update products set domain = 'rocket.example' where name = 'Rocket'");
    const server = await spawnServer(t, sandbox, { OPS_PORT: '0' });
    await makeUnavailable(sandbox);
    const { status } = await rawRequest(server.port, ['GET /latest.txt HTTP/1.1', 'Host: rocket.example']);
    assert.equal(status, 503);
    const asked = await fetch(`${server.opsAddress}/domains?domain=rocket.example`);
    assert.equal(asked.status, 200);
  });
});
