// On SQLite the server competes with other writers, in the process that serves requests.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { doctor, type Sandbox } from '../../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../../support/program/process.ts';
import { becomes } from '../../support/becomes.ts';

const RECORDED_MS_MAX = 5_000;
/** A key in steady use, with pauses that leave some CPU on a small machine. */
const EVERY_MS = 10;
const NOT_RECORDED = '"last use of keys not recorded"';

type Seeded = { sandbox: Sandbox; world: World; server: ServerProcess };

async function startSeeded(scope: Scope, environment = {}): Promise<Seeded> {
  const sandbox = { folder: temporaryFolder(scope), environment };
  const world = await seedWorld(sandbox);
  const server = await spawnServer(scope, sandbox, { LOG_LEVEL: 'warn', PUBLIC_RATE_LIMIT: '100000' });
  return { sandbox, world, server };
}

function openFile(scope: Scope, sandbox: Sandbox): Sqlite.Database {
  const database = new Sqlite(databasePath(sandbox));
  scope.after(() => void database.close());
  return database;
}

const use = async ({ server, world }: Seeded) => {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${world.full}` };
  const { status } = await fetch(server.address + TEAM_FEED, { headers });
  assert.equal(status, 200);
  return performance.now() - startedAt;
};

const usesIn = (database: Sqlite.Database) => async () =>
  database.prepare('select count(*) from key_usage').pluck().get() as number;

describe('key usage while another process writes', () => {
  it('a locked database delays no request, is logged once, and the use is recorded afterwards', async (t) => {
    const seeded = await startSeeded(t);
    const other = openFile(t, seeded.sandbox);
    const reader = openFile(t, seeded.sandbox);
    await fetch(seeded.server.address + PUBLIC_FEED);
    other.exec('begin immediate');
    await use(seeded);
    const times: number[] = [];
    for (const deadline = performance.now() + 3_500; performance.now() < deadline; await delay(EVERY_MS))
      times.push(await use(seeded));
    await seeded.server.log.until(NOT_RECORDED);
    assert.equal(seeded.server.log.count(NOT_RECORDED), 1);
    assert.equal(await usesIn(reader)(), 0);
    // A request that waited for the lock would have taken seconds.
    assert.ok(Math.max(...times) < deadline(1_000), `${Math.max(...times)} ms`);
    other.exec('commit');
    await becomes(usesIn(reader), 1, RECORDED_MS_MAX);
    assert.equal(seeded.server.log.count(NOT_RECORDED), 1);
  });
});

describe('key usage on a full disk', () => {
  it('a full disk fails no request, is logged, and the use is recorded when there is space again', async (t) => {
    const seeded = await startSeeded(t);
    const reader = openFile(t, seeded.sandbox);
    reader.prepare('select 1 from key_usage').get();
    // A file size limit stands in for a full disk. The log is a pipe.
    const limitFiles = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(seeded.server.pid), `--fsize=${bytes}:`]);
    limitFiles('1');
    await use(seeded);
    await seeded.server.log.until(NOT_RECORDED);
    await use(seeded);
    assert.equal(await usesIn(reader)(), 0);
    limitFiles('unlimited');
    await becomes(usesIn(reader), 1, RECORDED_MS_MAX);
  });
});

describe('KEY_USAGE=off', () => {
  it('KEY_USAGE=off changes no byte of the database', async (t) => {
    const seeded = await startSeeded(t, { KEY_USAGE: 'off' });
    const files = ['', '-wal'].map((end) => databasePath(seeded.sandbox) + end);
    const look = () => files.map((file) => [statSync(file).mtimeMs, readFileSync(file).toString('base64')]);
    await fetch(seeded.server.address + PUBLIC_FEED);
    const before = look();
    // Longer than the interval between batches.
    for (const deadline = performance.now() + 1_500; performance.now() < deadline; await delay(EVERY_MS))
      await use(seeded);
    assert.deepEqual(look(), before);
    await seeded.server.stop();
    assert.equal(seeded.server.output().stderr, '');
  });
});

describe('a key deleted without foreign keys', () => {
  it('a key deleted by a shell without foreign keys leaves no use behind, and doctor finds no problem', async (t) => {
    const seeded = await startSeeded(t);
    const shell = openFile(t, seeded.sandbox);
    shell.pragma('foreign_keys = off');
    await use(seeded);
    await becomes(usesIn(shell), 1, RECORDED_MS_MAX);
    shell.prepare('delete from teams').run();
    assert.equal(await usesIn(shell)(), 0);
    assert.equal((await doctor(seeded.sandbox)).code, 0);
  });
});
