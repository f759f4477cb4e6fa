// A database file replaced under a running server, as by a restore.
import assert from 'node:assert/strict';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import inject from 'light-my-request';
import { PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../support/content/world.ts';
import { execute, query } from '../../../support/databases/engine.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { until } from '../../../support/processes/poll.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { createKey, doctor, runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { becomes } from '../../support/becomes.ts';

const NOTICED_MS_MAX = 1_000;
const REPLACED = '"database file replaced: reopened"';
const NOT_CACHED = `${PUBLIC_FEED}/versions/ver_210`;

type Seeded = Readonly<{ sandbox: Sandbox; key: string }>;

/** A database that differs from the others only in its changelog's name and its key. */
async function seed(scope: Scope, name: string): Promise<Seeded> {
  const sandbox = { folder: temporaryFolder(scope) };
  const { fullId } = await seedWorld(sandbox);
  await runOk(sandbox, ['key', 'delete', fullId, '--yes']);
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  await rename(sandbox, name);
  return { sandbox, key };
}

async function rename(sandbox: Sandbox, name: string): Promise<void> {
  await execute(sandbox, `update changelogs set name = '${name}' where id = 'cl_rocket'`);
}

const put = (from: Sandbox, to: Sandbox) => renameSync(databasePath(from), databasePath(to));

async function serve(scope: Scope, { sandbox, key: ownKey }: Seeded, flags: string[] = []) {
  const settings = { OPS_PORT: '0', PUBLIC_RATE_LIMIT: '1000000' };
  const server = await spawnServer(scope, sandbox, settings, flags);
  const ask = (route: string, key = ownKey) =>
    fetch(server.address + route, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    });
  return {
    server,
    status: async (route: string, key?: string) => (await ask(route, key)).status,
    /** In the API and on a page. */
    shows: async (name: string) => {
      const [feed = '', page = ''] = await Promise.all(
        [PUBLIC_FEED, PRODUCT_PAGE].map(async (route) => await (await ask(route)).text()),
      );
      return feed.includes(`"${name}"`) && page.includes(`>${name}<`);
    },
    isReady: async () => (await fetch(`${server.opsAddress}/readyz`)).status === 200,
  };
}

describe('a database file that is replaced under a running server', () => {
  it('a replaced file is read within a second, with nothing left of the old one, whether its revision is lower or higher', async (t) => {
    const old = await seed(t, 'The old one');
    await execute(old.sandbox, 'update revision set value = 1000');
    const { server, status, shows } = await serve(t, old);
    assert.ok(await shows('The old one'));
    assert.equal(await status(TEAM_FEED), 200);
    const used = () => query(old.sandbox, 'select * from key_usage');
    await until('its use is recorded in the old one', async () => (await used()).length === 1);
    // From here on, the write-ahead log has content that the database file lacks.
    await rename(old.sandbox, 'The last of the old one');
    assert.ok(await shows('The last of the old one'));
    assert.ok(statSync(`${databasePath(old.sandbox)}-wal`).size > 0);

    const earlier = await seed(t, 'An earlier one');
    put(earlier.sandbox, old.sandbox);
    const noticedMs = await until('the new one', () => shows('An earlier one'));
    assert.ok(noticedMs < deadline(NOTICED_MS_MAX), `after ${noticedMs} ms`);
    assert.equal(await status(TEAM_FEED), 401, 'a key that is not in the new one');
    assert.equal(await status(TEAM_FEED, earlier.key), 200);
    await until('its use is recorded in the new one', async () => (await used()).length === 1);

    const later = await seed(t, 'A later one');
    await execute(later.sandbox, 'update revision set value = 2000');
    put(later.sandbox, old.sandbox);
    await until('the new one', () => shows('A later one'));
    await rename(old.sandbox, 'Written since');
    assert.ok(await shows('Written since'));
    assert.match((await doctor(old.sandbox)).stdout, /opens and is intact/);
    assert.equal(server.log.count(REPLACED), 2);
    assert.equal(server.log.count('"database unreachable"'), 0);
    await server.stop();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });

  it('the database counts as down while the file is missing or unusable, and is up again once it is usable', async (t) => {
    const old = await seed(t, 'The old one');
    const { server, status, shows, isReady } = await serve(t, old);
    assert.ok(await shows('The old one'));
    const file = databasePath(old.sandbox);
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
    put(fresh.sandbox, old.sandbox);
    await until('the new one', () => shows('The new one'));
    assert.equal(await isReady(), true);
    assert.equal(server.log.count('"database unreachable"'), 1);
    assert.equal(server.log.count('"database reachable again"'), 1);
    assert.equal(server.log.count(REPLACED), 1);
  });

  it('a file that comes back is served again, and an empty one as soon as its schema is created', async (t) => {
    const old = await seed(t, 'The old one');
    const { server, status, shows } = await serve(t, old);
    const file = databasePath(old.sandbox);
    assert.ok(await shows('The old one'));
    renameSync(file, `${file}.away`);
    await until('it is noticed', async () => (await status(TEAM_FEED)) === 503);
    renameSync(`${file}.away`, file);
    await until('it is back', async () => (await status(TEAM_FEED)) === 200);
    assert.equal(await status(NOT_CACHED), 200);
    assert.equal(server.log.count(REPLACED), 0);

    const empty = { folder: temporaryFolder(t) };
    writeFileSync(databasePath(empty), '');
    put(empty, old.sandbox);
    await until('it is noticed', async () => (await status(TEAM_FEED)) === 503);
    await runOk(old.sandbox, ['migrate']);
    await until('there is nothing', async () => (await status(PUBLIC_FEED)) === 404);
    await until('it is logged', async () => server.log.count(REPLACED) === 1);
  });

  it('a replaced file is read by every worker', async (t) => {
    const old = await seed(t, 'The old one');
    const { server, shows } = await serve(t, old, ['--workers', '2']);
    for (let asked = 0; asked < 4; asked++) assert.ok(await shows('The old one'));
    const fresh = await seed(t, 'The new one');
    put(fresh.sandbox, old.sandbox);
    await until('both have it', async () => (await shows('The new one')) && server.log.count(REPLACED) === 2);
    for (let asked = 0; asked < 4; asked++) assert.ok(await shows('The new one'));
    assert.deepEqual(await query(old.sandbox, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
  });

  it('its domains are those of the new one, even if its revision is the same', async (t) => {
    const domainOf = async (slug: string) => {
      const sandbox = { folder: temporaryFolder(t) };
      await seedWorld(sandbox);
      await execute(
        sandbox,
        `update products set domain = 'rocket.example' where id = (select id from products where slug = '${slug}' limit 1)`,
      );
      await execute(sandbox, 'update revision set value = 1000');
      return sandbox;
    };
    const [old, fresh] = [await domainOf('rocket'), await domainOf('new')];
    const { app } = await startApp(t, old);
    const product = async () => {
      const { body } = await inject(app.handle, { url: '/feed.json', headers: { host: 'rocket.example' } });
      return JSON.parse(body).title;
    };
    assert.equal(await product(), 'Rocket changelog');
    put(fresh, old);
    await becomes(product, 'New', NOTICED_MS_MAX);
  });
});
