// R30 on the embedded database: a file that loses its pages under a running server, and gets them back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HIDDEN, PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../support/content/world.ts';
import { makeUnavailable } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import type { Workplace } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';

const NOT_HELD = `${PUBLIC_FEED}/versions/ver_210`;

describe('a database file that cannot be read any more', () => {
  it('leaves what is public and held, fails everything else, and is no matter of a restart', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    const world = await seedWorld(workplace);
    const server = await spawnServer(t, workplace, { OPS_PORT: '0', KEY_USAGE: 'off' });
    const headers = { authorization: `Bearer ${world.full}` };
    const ask = (path: string) => fetch(server.address + path, { headers });
    const isReady = async () => (await fetch(`${server.opsAddress}/readyz`)).status;
    const held = await ask(PUBLIC_FEED);
    const bytes = await held.text();
    assert.equal((await ask(TEAM_FEED)).status, 200);

    const giveBack = await makeUnavailable(workplace);
    const away = await ask(PUBLIC_FEED);
    assert.deepEqual([away.status, await away.text()], [200, bytes]);
    assert.equal(away.headers.get('etag'), held.headers.get('etag'));
    assert.equal(await isReady(), 503);
    for (const path of [NOT_HELD, TEAM_FEED, PUBLIC_FEED.replace('rocket', 'nothing')]) {
      const refused = await ask(path);
      const body = await refused.text();
      assert.equal(refused.status, 503, path);
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.equal(JSON.parse(body).error.code, 'unavailable');
      assert.doesNotMatch(body, new RegExp(`${HIDDEN}|malformed|changelog\\.db`));
    }

    await giveBack();
    for (const path of [PUBLIC_FEED, NOT_HELD, TEAM_FEED]) assert.equal((await ask(path)).status, 200);
    assert.equal(await isReady(), 200);
    await server.log.until('"database back"');
    assert.equal(server.log.count('"database away"'), 1, 'it is said once');
  });

  it('is no reason to go on for more than a minute', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await seedWorld(workplace);
    const { app } = await startApp(t, workplace);
    let aheadMs = 0;
    const { now } = performance;
    t.mock.method(performance, 'now', () => now.call(performance) + aheadMs);
    const status = async () => (await app.inject(PUBLIC_FEED)).statusCode;
    assert.equal(await status(), 200);
    const giveBack = await makeUnavailable(workplace);
    aheadMs = 59_000;
    assert.equal(await status(), 200);
    aheadMs = 60_001;
    assert.equal(await status(), 503);
    await giveBack();
    assert.equal(await status(), 200);
  });
});
