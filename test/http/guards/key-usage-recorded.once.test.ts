// A key's last use, from a request on a real server to `key list`.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { formatApiKey } from '../../../src/domain/access/api-key.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { execute, openSession, query } from '../../../support/databases/engine.ts';
import type { Session } from '../../../support/databases/engines.ts';
import { scrape } from '../../../support/http/prometheus.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { createKey, runOk, type Sandbox } from '../../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../../support/program/process.ts';
import { becomes } from '../../support/becomes.ts';

/** A second until the batch is written, plus time to write it. */
const RECORDED_MS_MAX = 5_000;
/** A key in steady use, with pauses that leave some CPU on a small machine. */
const EVERY_MS = 40;
const QUIET = { LOG_LEVEL: 'silent', OPS_PORT: '0', PUBLIC_RATE_LIMIT: '100000' };

const usesOf = (id: string) => `select key_id from key_usage where key_id = '${id}'`;

type Listed = { id: string; lastUsedAt?: string | null };

describe('the last use of a key', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let world: World;
  let server: ServerProcess;
  let session: Session;

  before(async () => {
    world = await seedWorld(sandbox);
    session = await openSession(sandbox);
    scope.after(session.close);
    server = await spawnServer(scope, sandbox, QUIET);
  });

  const use = async (key: string, path = TEAM_FEED, on = server) => {
    const response = await fetch(on.address + path, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status;
  };
  const listed = async (team = 'acme'): Promise<Listed[]> =>
    JSON.parse(await runOk(sandbox, ['key', 'list', team, '--json']));
  const lastUsedAt = async (id: string, team?: string) =>
    (await listed(team)).find((key) => key.id === id)?.lastUsedAt ?? null;
  /** Queries the database, which is much faster than the command. */
  const untilRecorded = (id: string) =>
    until('the use is recorded', async () => (await session.query(usesOf(id))).length === 1, {
      withinMs: RECORDED_MS_MAX,
      everyMs: 50,
    });

  it('`key list` soon shows when a key was used', async () => {
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    assert.equal(await lastUsedAt(id), null);
    const before = new Date().toISOString();
    assert.equal(await use(key), 200);
    const after = new Date().toISOString();
    await untilRecorded(id);
    const usedAt = await lastUsedAt(id);
    assert.ok(usedAt !== null && before <= usedAt && usedAt <= after, `${before} ${usedAt} ${after}`);
    assert.match(await runOk(sandbox, ['key', 'list', 'acme']), new RegExp(`${id} .*${usedAt}`));
  });

  it('a 403 or 404 is a use, a 401 is not', async () => {
    const forbidden = await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket');
    const elsewhere = await createKey(sandbox, 'vault', '--kind', 'FULL');
    const missing = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const disabled = await createKey(sandbox, 'acme', '--kind', 'FULL');
    await runOk(sandbox, ['key', 'disable', disabled.id]);
    await becomes(() => use(disabled.key), 401);
    assert.equal(await use(formatApiKey(randomInt)), 401);
    assert.equal(await use(forbidden.key, TEAM_FEED.replace('rocket', 'secret')), 403);
    assert.equal(await use(elsewhere.key), 403);
    assert.equal(await use(missing.key, TEAM_FEED.replace('rocket', 'nothing')), 404);
    for (const [id, team] of [[forbidden.id], [elsewhere.id, 'vault'], [missing.id]] as const) {
      await untilRecorded(id);
      assert.notEqual(await lastUsedAt(id, team), null);
    }
    assert.equal(await lastUsedAt(disabled.id), null);
  });

  it('a key in steady use is recorded once', async () => {
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    await use(key);
    await untilRecorded(id);
    const first = await lastUsedAt(id);
    for (const deadline = performance.now() + 2_500; performance.now() < deadline; await delay(EVERY_MS))
      await use(key);
    assert.equal(await lastUsedAt(id), first);
  });

  it('recording a use does not change the revision or the cache', async () => {
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const [revision] = await query(sandbox, 'select value from revision');
    const read = async () =>
      (await scrape(server.opsAddress)).sum('changelog_responses_total', { source: 'database' });
    await fetch(server.address + PUBLIC_FEED);
    await use(key);
    const readBefore = await read();
    await untilRecorded(id);
    for (let round = 0; round < 5; round++) await fetch(server.address + PUBLIC_FEED);
    await use(key);
    assert.equal(await read(), readBefore);
    assert.deepEqual(await query(sandbox, 'select value from revision'), [revision]);
  });

  it('the last use is deleted with its key, and a key deleted meanwhile is skipped', async () => {
    const kept = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const gone = await createKey(sandbox, 'acme', '--kind', 'FULL');
    await Promise.all([use(kept.key), use(gone.key)]);
    await runOk(sandbox, ['key', 'delete', gone.id, '--yes']);
    await untilRecorded(kept.id);
    assert.equal(await execute(sandbox, `delete from api_keys where id = '${kept.id}'`), 1);
    const left = await query<{ key_id: string }>(sandbox, 'select key_id from key_usage');
    assert.deepEqual(
      left.filter(({ key_id }) => [kept.id, gone.id].includes(key_id)),
      [],
    );
  });

  it('a use right before the server stops is recorded', async (t) => {
    const stopping = await spawnServer(t, sandbox, QUIET);
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    assert.equal(await use(key, TEAM_FEED, stopping), 200);
    await stopping.stop();
    assert.deepEqual(await stopping.exited, { code: 0, signal: null });
    assert.notEqual(await lastUsedAt(id), null);
  });

  it('several servers together record a key once a minute', async (t) => {
    const other = await spawnServer(t, sandbox, QUIET);
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    await use(key);
    await untilRecorded(id);
    const first = await lastUsedAt(id);
    await use(key, TEAM_FEED, other);
    await other.stop();
    assert.equal(await lastUsedAt(id), first);
  });

  it('KEY_USAGE=off records and shows no use', async (t) => {
    const unrecorded = { ...sandbox, environment: { KEY_USAGE: 'off' } };
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const written = () =>
      query(
        sandbox,
        'select (select value from revision) as revision, (select count(*) from key_usage) as uses',
      );
    const before = await written();
    const off = await spawnServer(t, unrecorded, QUIET);
    assert.equal(await use(key, TEAM_FEED, off), 200);
    await off.stop();
    assert.deepEqual(await written(), before);
    assert.equal(await lastUsedAt(id), null);
    assert.equal(await use(world.full, TEAM_FEED), 200, 'others go on recording');
  });
});
