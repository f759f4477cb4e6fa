// A database file that is replaced under a running server, as a restore does.
import assert from 'node:assert/strict';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { execute, query } from '../../../support/databases/engine.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { until } from '../../../support/processes/poll.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { doctor, runOk, type Workplace } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';

const NOTICED_MS_MAX = 1_000;
const REPLACED = '"database file replaced: reopened"';
const NOT_CACHED = `${PUBLIC_FEED}/versions/ver_210`;

type Seeded = Readonly<{ workplace: Workplace; world: World }>;

/** A database like the others, except for the name of its changelog and its keys. */
async function seed(scope: Scope, name: string): Promise<Seeded> {
  const workplace = { folder: temporaryFolder(scope) };
  const world = await seedWorld(workplace);
  await rename(workplace, name);
  return { workplace, world };
}

async function rename(workplace: Workplace, name: string): Promise<void> {
  await execute(workplace, `update changelogs set name = '${name}' where id = 'cl_rocket'`);
}

const put = (from: Workplace, to: Workplace) => renameSync(databasePath(from), databasePath(to));

async function serve(scope: Scope, { workplace, world }: Seeded, flags: string[] = []) {
  const settings = { OPS_PORT: '0', PUBLIC_RATE_LIMIT: '1000000' };
  const server = await spawnServer(scope, workplace, settings, flags);
  const ask = (route: string, key = world.full) =>
    fetch(server.address + route, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    });
  return {
    server,
    status: async (route: string, key?: string) => (await ask(route, key)).status,
    shows: async (name: string) => (await (await ask(PUBLIC_FEED)).text()).includes(`"${name}"`),
    isReady: async () => (await fetch(`${server.opsAddress}/readyz`)).status === 200,
  };
}

describe('a database file that is replaced under a running server', () => {
  it('a replaced file is read within a second, with nothing of the old one, whether its revision is lower or higher', async (t) => {
    const old = await seed(t, 'The old one');
    await execute(old.workplace, 'update revision set value = 1000');
    const { server, status, shows } = await serve(t, old);
    assert.ok(await shows('The old one'));
    assert.equal(await status(TEAM_FEED), 200);
    // From here on the write-ahead log has content that is not in the database file.
    await rename(old.workplace, 'The last of the old one');
    assert.ok(await shows('The last of the old one'));
    assert.ok(statSync(`${databasePath(old.workplace)}-wal`).size > 0);

    const earlier = await seed(t, 'An earlier one');
    put(earlier.workplace, old.workplace);
    const noticedMs = await until('the new one', () => shows('An earlier one'));
    assert.ok(noticedMs < NOTICED_MS_MAX, `after ${noticedMs} ms`);
    assert.equal(await status(TEAM_FEED), 401, 'a key that is not in the new one');
    assert.equal(await status(TEAM_FEED, earlier.world.full), 200);
    const used = () => query(old.workplace, 'select * from key_usage');
    await until('its use is recorded in the new one', async () => (await used()).length === 1);

    const later = await seed(t, 'A later one');
    await execute(later.workplace, 'update revision set value = 2000');
    put(later.workplace, old.workplace);
    await until('the new one', () => shows('A later one'));
    await rename(old.workplace, 'Written since');
    assert.ok(await shows('Written since'));
    assert.match((await doctor(old.workplace)).stdout, /opens and is intact/);
    assert.equal(server.log.count(REPLACED), 2);
    assert.equal(server.log.count('"database unreachable"'), 0);
    await server.stop();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });

  it('the database counts as down while the file is missing or cannot be served, and is back when one can', async (t) => {
    const old = await seed(t, 'The old one');
    const { server, status, shows, isReady } = await serve(t, old);
    assert.ok(await shows('The old one'));
    const file = databasePath(old.workplace);
    const isDown = async () => {
      await until('it is noticed', async () => (await status(TEAM_FEED)) === 503);
      assert.deepEqual([await status(PUBLIC_FEED), await status(NOT_CACHED)], [200, 503]);
      assert.ok(await shows('The old one'));
      assert.equal(await isReady(), false);
    };

    renameSync(file, `${file}.away`);
    await isDown();
    assert.match(
      server.log.all.find((line) => line.includes('"database unreachable"')) ?? '',
      /there is no database/,
    );
    writeFileSync(file, 'not a database, and long enough to be looked at as one'.repeat(100));
    await isDown();
    const empty = new Sqlite(`${file}.empty`);
    empty.exec('create table things (id integer)');
    empty.close();
    renameSync(`${file}.empty`, file);
    await isDown();
    const hasLeft = async () => (await isReady()) || !existsSync(`${file}-wal`);
    await until('nothing of the old one is beside the new one', hasLeft);
    await isDown();

    const fresh = await seed(t, 'The new one');
    put(fresh.workplace, old.workplace);
    await until('the new one', () => shows('The new one'));
    assert.equal(await isReady(), true);
    assert.equal(server.log.count('"database unreachable"'), 1);
    assert.equal(server.log.count('"database reachable again"'), 1);
    assert.equal(server.log.count(REPLACED), 1);
  });

  it('a file that comes back is served again, and an empty one as soon as its schema is created', async (t) => {
    const old = await seed(t, 'The old one');
    const { server, status, shows } = await serve(t, old);
    const file = databasePath(old.workplace);
    assert.ok(await shows('The old one'));
    renameSync(file, `${file}.away`);
    await until('it is noticed', async () => (await status(TEAM_FEED)) === 503);
    renameSync(`${file}.away`, file);
    await until('it is back', async () => (await status(TEAM_FEED)) === 200);
    assert.equal(await status(NOT_CACHED), 200);
    assert.equal(server.log.count(REPLACED), 0);

    const empty = { folder: temporaryFolder(t) };
    writeFileSync(databasePath(empty), '');
    put(empty, old.workplace);
    await until('it is noticed', async () => (await status(TEAM_FEED)) === 503);
    await runOk(old.workplace, ['migrate']);
    await until('there is nothing', async () => (await status(PUBLIC_FEED)) === 404);
    assert.equal(server.log.count(REPLACED), 1);
  });

  it('a replaced file is read by every worker', async (t) => {
    const old = await seed(t, 'The old one');
    const { server, shows } = await serve(t, old, ['--workers', '2']);
    for (let asked = 0; asked < 4; asked++) assert.ok(await shows('The old one'));
    const fresh = await seed(t, 'The new one');
    put(fresh.workplace, old.workplace);
    await until('both have it', async () => (await shows('The new one')) && server.log.count(REPLACED) === 2);
    for (let asked = 0; asked < 4; asked++) assert.ok(await shows('The new one'));
    assert.deepEqual(await query(old.workplace, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
  });
});
