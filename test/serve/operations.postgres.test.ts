// Readiness with a PostgreSQL server that is stopped, suspended and started again.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../support/content/world.ts';
import { scrape } from '../../support/http/prometheus.ts';
import { deadline } from '../../support/processes/busy.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../support/program/process.ts';
import { becomes } from '../support/becomes.ts';

const STALE_WHILE_DOWN_MS_MAX = 1_500;
const BACK_MS_MAX = 2_000;

const readiness = (server: ServerProcess) => async () => (await fetch(`${server.opsAddress}/readyz`)).status;
const liveness = async (server: ServerProcess) => (await fetch(`${server.opsAddress}/livez`)).status;

describe('a server whose PostgreSQL is down', () => {
  const scope = sharedScope();
  let postgres: PostgresServer;
  let world: World;
  let server: ServerProcess;
  before(async () => {
    postgres = await startPostgres(scope);
    const sandbox: Sandbox = {
      folder: temporaryFolder(scope),
      environment: { DATABASE_URL: postgres.url() },
    };
    world = await seedWorld(sandbox);
    server = await spawnServer(scope, sandbox, { OPS_PORT: '0', LOG_FORMAT: 'json' });
  });

  it('the server is alive but not ready while PostgreSQL is down, logs it, and recovers', async () => {
    assert.equal(await readiness(server)(), 200);
    for (const round of [1, 2]) {
      await postgres.stop();
      await becomes(readiness(server), 503, STALE_WHILE_DOWN_MS_MAX);
      assert.equal(await liveness(server), 200);
      const { sum } = await scrape(server.opsAddress);
      assert.equal(sum('changelog_database_up', { database: 'primary' }), 0);
      await postgres.start();
      await becomes(readiness(server), 200, BACK_MS_MAX);
      await server.log.until('"database reachable again"', round);
      assert.equal(server.log.count('"database unreachable"'), round, 'once each time');
    }
  });

  it('the server is not ready while PostgreSQL hangs', async (t) => {
    postgres.hang();
    t.after(postgres.resume);
    await becomes(readiness(server), 503, STALE_WHILE_DOWN_MS_MAX);
    assert.equal(await liveness(server), 200);
    postgres.resume();
    await becomes(readiness(server), 200, BACK_MS_MAX);
  });

  it('while PostgreSQL is down, cached public responses are served, the rest fail immediately, and both are counted', async (t) => {
    const authorization = `Bearer ${world.full}`;
    const ask = (path: string, headers = {}) => fetch(server.address + path, { headers });
    const bytes = await (await ask(PUBLIC_FEED)).text();
    assert.equal((await ask(TEAM_FEED, { authorization })).status, 200);
    await postgres.stop();
    t.after(postgres.start);
    await becomes(readiness(server), 503, STALE_WHILE_DOWN_MS_MAX);
    // Until the revision counts as unconfirmed, these are ordinary cached responses.
    const cached = async () => {
      const response = await ask(PUBLIC_FEED);
      assert.deepEqual([response.status, await response.text()], [200, bytes]);
      return (await scrape(server.opsAddress)).sum('changelog_responses_total', { source: 'stale_cache' });
    };
    await becomes(cached, 1, STALE_WHILE_DOWN_MS_MAX);
    const startedAt = performance.now();
    for (const rejected of [
      await ask(`${PUBLIC_FEED}/versions/ver_210`),
      await ask(TEAM_FEED, { authorization }),
    ]) {
      assert.equal(rejected.status, 503);
      assert.match(rejected.headers.get('retry-after') ?? '', /^[123]$/);
      assert.equal(rejected.headers.get('cache-control'), 'no-store');
    }
    assert.ok(performance.now() - startedAt < deadline(1_000));
    const { sum } = await scrape(server.opsAddress);
    assert.equal(sum('changelog_key_checks_total', { result: 'allowed' }), 1, 'nobody is let in unchecked');
  });

  it('stopping while PostgreSQL hangs takes a few seconds at most, even with a key use left to record', async (t) => {
    await becomes(readiness(server), 200, BACK_MS_MAX);
    // The first use of this key.
    const headers = { authorization: `Bearer ${world.select}` };
    assert.equal((await fetch(server.address + TEAM_FEED, { headers })).status, 200);
    postgres.hang();
    t.after(postgres.resume);
    const startedAt = performance.now();
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    const ms = performance.now() - startedAt;
    t.diagnostic(`${Math.round(ms)} ms`);
    assert.ok(ms < deadline(4_000), `${Math.round(ms)} ms`);
  });
});
