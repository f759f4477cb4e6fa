// A PostgreSQL server whose connections are used up by other clients (R30): open ones keep working, and no request waits.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../cluster/postgres.ts';
import { findRevision } from '../../../src/store/engine/revisions.ts';
import { openSource } from '../../../src/store/source/open.ts';
import type { Source } from '../../../src/store/source/source.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { openClient } from '../../../support/http/http-client.ts';
import { deadline, stretched } from '../../../support/processes/busy.ts';
import { until } from '../../../support/processes/poll.ts';
import { type Scope, sharedScope } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import { databaseUrls, provideDatabase, startNodes } from '../../../support/program/nodes.ts';

const CONNECTIONS = 8;
/** A read may take 750 ms, and an attempt to connect takes a few on an idle machine. */
const AT_ONCE_MS_MAX = 500;

describe('a PostgreSQL server without free connections', () => {
  const scope = sharedScope();
  let server: PostgresServer;
  let world: World;
  before(async () => {
    const settings = { max_connections: String(CONNECTIONS), superuser_reserved_connections: '0' };
    server = await startPostgres(scope, { settings: { ...settings, max_wal_senders: '0' } });
    world = await seedWorld(await provideDatabase(scope, server));
  });

  /** Takes all free connections; more can be taken later. */
  async function takeAll(t: Scope) {
    const taken: pg.Client[] = [];
    const release = async () => void (await Promise.all(taken.splice(0).map((client) => client.end())));
    t.after(release);
    const takeMore = async () => {
      for (let isLeft = true; isLeft; ) {
        const client = new pg.Client({ connectionString: server.url() }).on('error', () => {});
        isLeft = await client.connect().then(
          () => taken.push(client) > 0,
          (error) => error.code !== '53300',
        );
      }
    };
    await takeMore();
    const ask = async (question: string) => (await taken[0]?.query(question))?.rows ?? [];
    return { takeMore, release, ask };
  }

  /** The server ends the connections of the test before a little later than its client. */
  const connect = (source: Source) =>
    until('there is a connection', async () => {
      const reading = Promise.resolve(source.read(findRevision));
      return await reading.then(
        () => true,
        () => false,
      );
    });

  it('without free connections, uncached requests get 503 immediately, and the server recovers automatically', async (t) => {
    const [node] = await startNodes(t, databaseUrls(server), 1);
    const client = openClient();
    t.after(client.close);
    const ask = (path: string, headers = {}) => client.get(`${node?.address}${path}`, headers);
    const askNew = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => ask(`${PUBLIC_FEED}?q=word${index}`)));
    assert.equal((await ask(PUBLIC_FEED)).status, 200);
    const { takeMore, release, ask: askServer } = await takeAll(t);
    const [look] = await askServer(OURS);
    await askServer(`${END} and pid <> ${look.pid}`);
    await takeMore();

    const refused = await askNew(10);
    for (const { status, headers, ms } of refused) {
      assert.equal(status, 503);
      assert.match(headers['retry-after'] ?? '', /^[123]$/);
      assert.ok(ms < deadline(AT_ONCE_MS_MAX), `after ${ms} ms`);
    }
    assert.equal((await ask(TEAM_FEED, { authorization: `Bearer ${world.full}` })).status, 503);
    assert.equal((await ask(PUBLIC_FEED)).status, 200, 'cached responses are still served');

    await release();
    const recoveredMs = await until('answers again', async () => (await ask(TEAM_FEED)).status === 401);
    assert.ok(recoveredMs < deadline(1_000), `after ${recoveredMs} ms`);
    await until('all of them', async () => (await askNew(1))[0]?.status === 200);
    await node?.stop();
  });

  it('without free connections, all concurrent reads fail immediately', async (t) => {
    const source = await openSource(databaseUrls(server), { limit: stretched });
    t.after(source.close);
    await takeAll(t);
    const startedAt = performance.now();
    const reads = Array.from({ length: 200 }, () => source.read(findRevision));
    const codes = (await Promise.allSettled(reads)).map(
      (read) => read.status === 'rejected' && read.reason.code,
    );
    assert.deepEqual([...new Set(codes)], ['53300']);
    assert.ok(performance.now() - startedAt < deadline(AT_ONCE_MS_MAX));
  });

  it('without free connections, reads share the connections that are open', async (t) => {
    const source = await openSource(databaseUrls(server), { limit: stretched });
    t.after(source.close);
    await connect(source);
    await takeAll(t);
    const found = await Promise.all(Array.from({ length: 40 }, () => source.read(findRevision)));
    assert.equal(new Set(found).size, 1);
    assert.equal(source.databases()[0]?.connections?.open, 1);
  });

  it('a database without free connections counts as up while any connection is open', async (t) => {
    const states: string[] = [];
    const source = await openSource(databaseUrls(server), {
      onStateChange: (_, state) => states.push(state),
      limit: stretched,
    });
    t.after(source.close);
    await connect(source);
    const { ask, takeMore, release } = await takeAll(t);
    const [look, other] = await ask(OURS);
    await ask(`select pg_terminate_backend(${look.pid})`);
    await takeMore();
    await delay(1_500);
    assert.ok(await source.isConfirmed());
    assert.equal(await source.read(findRevision), source.revision());
    assert.deepEqual(states, []);

    await ask(`select pg_terminate_backend(${other.pid})`);
    await takeMore();
    // The source may have been quicker to take a connection that became free.
    await until('down', async () => {
      for (const { pid } of await ask(OURS)) await ask(`select pg_terminate_backend(${pid})`);
      await takeMore();
      return !source.isUp();
    });
    const startedAt = performance.now();
    await assert.rejects(async () => await source.read(findRevision));
    assert.ok(performance.now() - startedAt < deadline(100));
    await release();
    await until('up', () => source.isUp());
    assert.deepEqual(states, ['down', 'up']);
    await source.read(findRevision);
  });

  it('a command explains that the server has no free connections', async (t) => {
    const { release } = await takeAll(t);
    const sandbox = { folder: '/', environment: { DATABASE_URL: databaseUrls(server)[0] } };
    await assert.rejects(runOk(sandbox, ['team', 'list']), /too many clients already; try again later/);
    await release();
    await runOk(sandbox, ['team', 'list']);
  });
});

/** The program's connections, the one that polls first. */
const OURS = `select pid from pg_stat_activity where application_name = 'changelog' order by backend_start`;
/** Waits until they have ended, which takes a while on a busy machine. */
const END = `select pg_terminate_backend(pid, 30000) from pg_stat_activity where application_name = 'changelog'`;
