// R30 on the embedded database: a file that becomes unreadable under a running server, and readable again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HIDDEN, PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../support/content/world.ts';
import { makeUnavailable } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';

const NOT_CACHED = `${PUBLIC_FEED}/versions/ver_210`;

describe('a database file that becomes unreadable', () => {
  it('while the file is unreadable, cached public responses are served and everything else fails, without a restart', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    const world = await seedWorld(sandbox);
    const server = await spawnServer(t, sandbox, { OPS_PORT: '0', KEY_USAGE: 'off' });
    const headers = { authorization: `Bearer ${world.full}` };
    const ask = (path: string) => fetch(server.address + path, { headers });
    const isReady = async () => (await fetch(`${server.opsAddress}/readyz`)).status;
    const cached = await ask(PUBLIC_FEED);
    const bytes = await cached.text();
    assert.equal((await ask(TEAM_FEED)).status, 200);

    const giveBack = await makeUnavailable(sandbox);
    const down = await ask(PUBLIC_FEED);
    assert.deepEqual([down.status, await down.text()], [200, bytes]);
    assert.equal(down.headers.get('etag'), cached.headers.get('etag'));
    assert.equal(await isReady(), 503);
    for (const path of [NOT_CACHED, TEAM_FEED, PUBLIC_FEED.replace('rocket', 'nothing')]) {
      const failed = await ask(path);
      const body = await failed.text();
      assert.equal(failed.status, 503, path);
      assert.equal(failed.headers.get('retry-after'), '1');
      assert.equal(JSON.parse(body).error.code, 'unavailable');
      assert.doesNotMatch(body, new RegExp(`${HIDDEN}|malformed|changelog\\.db`));
    }

    await giveBack();
    for (const path of [PUBLIC_FEED, NOT_CACHED, TEAM_FEED]) assert.equal((await ask(path)).status, 200);
    assert.equal(await isReady(), 200);
    await server.log.until('"database reachable again"');
    assert.equal(server.log.count('"database unreachable"'), 1, 'it is logged once');
  });

  it('cached responses are served for no more than a minute while the file is unreadable', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(sandbox);
    const { app } = await startApp(t, sandbox);
    let aheadMs = 0;
    const { now } = performance;
    t.mock.method(performance, 'now', () => now.call(performance) + aheadMs);
    const status = async () => (await app.inject(PUBLIC_FEED)).statusCode;
    assert.equal(await status(), 200);
    const giveBack = await makeUnavailable(sandbox);
    aheadMs = 59_000;
    assert.equal(await status(), 200);
    aheadMs = 60_001;
    assert.equal(await status(), 503);
    await giveBack();
    assert.equal(await status(), 200);
  });
});
