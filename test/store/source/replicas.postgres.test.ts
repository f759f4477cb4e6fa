// Which database is read: replicas while they are up and keep up, then the primary; no read waits for a dead one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../cluster/postgres.ts';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { isUnavailable } from '../../../src/store/engine/failures.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { EVERYTHING } from '../../../src/store/engine/touches.ts';
import { findFeed } from '../../../src/store/read/find-feed.ts';
import { indexesOf } from '../../../src/store/read/index.ts';
import { findKey, type VersionRow } from '../../../src/store/read/reads.ts';
import { openSource } from '../../../src/store/source/open.ts';
import { openRemoteSource } from '../../../src/store/source/remote.ts';
import type { DatabaseState, Source } from '../../../src/store/source/source.ts';
import { seedWorld, type World } from '../../../support/content/world.ts';
import { deadline, stretched } from '../../../support/processes/busy.ts';
import { until } from '../../../support/processes/poll.ts';
import { type Scope, sharedScope } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { databaseUrls, provideDatabase, psql } from '../../../support/program/nodes.ts';
import { startSlowProxy } from '../../support/slow.ts';

const NOW = '2026-06-01T00:00:00.000Z';

const SECOND_MS = 1_000;
const BACK_MS_MAX = 2_000;
const ROCKET = { team: 'acme', product: 'rocket' };

const readTitle = (source: Source) =>
  source.read(async (db) => {
    const { found } = await findFeed(db, ROCKET, visibleRows('public'));
    const versions: VersionRow[] = JSON.parse(found?.versions ?? '[]');
    return versions.find(({ id }) => id === 'ver_210')?.title;
  });

/** The returned function fails if it is called more than a second later. The load may change meanwhile. */
function timeSecond(): () => void {
  const [startedAt, msMax] = [performance.now(), deadline(SECOND_MS)];
  return () => {
    const took = performance.now() - startedAt;
    assert.ok(took <= Math.max(msMax, deadline(SECOND_MS)), `took ${took} ms`);
  };
}

/** Reads continuously; the returned function stops it, and fails if any read failed or took longer than a second. */
function readOn(source: Source): () => Promise<void> {
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const assertInTime = timeSecond();
      assert.ok(await readTitle(source));
      assertInTime();
    }
  })();
  // The function that stops it reports the failure.
  reading.catch(() => {});
  return async () => {
    isOver = true;
    await reading;
  };
}

/** They answer again whatever happens: closing a source waits for them. */
async function whileHung(servers: readonly PostgresServer[], check: () => Promise<unknown>): Promise<void> {
  for (const server of servers) server.hang();
  try {
    await check();
  } finally {
    for (const server of servers) server.resume();
  }
}

describe('a source with a primary and a replica', () => {
  const scope = sharedScope();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let sandbox: Sandbox;
  let world: World;
  before(async () => {
    primary = await startPostgres(scope);
    sandbox = await provideDatabase(scope, primary);
    world = await seedWorld(sandbox);
    standby = await startPostgres(scope, { standbyOf: primary });
  });

  async function open(t: Scope): Promise<Source> {
    const source = await openSource(databaseUrls(primary, standby), { limit: stretched });
    t.after(source.close);
    await until('both are up', () => statesOf(source).join() === 'up,up', { withinMs: BACK_MS_MAX });
    return source;
  }
  const statesOf = (source: Source) => source.databases().map(({ state }) => state);
  const becomes = (source: Source, states: readonly [DatabaseState, DatabaseState], withinMs: number) =>
    until(`primary and replica are ${states}`, () => statesOf(source).join() === states.join(), { withinMs });
  /** The databases that have connections for reads. */
  const connected = (source: Source) =>
    source.databases().flatMap(({ name, connections }) => (connections?.open ? name : []));

  it('a source reads the replica, not the primary', async (t) => {
    const source = await open(t);
    await readTitle(source);
    assert.deepEqual(connected(source), ['replica-1']);
  });

  it('a read goes on as long as slices of an index arrive, and fails when none does', async (t) => {
    const source = await open(t);
    const giveUpMs = stretched(SECOND_MS);
    const read = (isIndex: boolean) =>
      source.read(async (db) => {
        const indexes = indexesOf.get(db);
        assert.ok(indexes);
        const startedAt = performance.now();
        while (performance.now() - startedAt < 2 * giveUpMs) {
          await sql`select pg_sleep(0.1)`.execute(db as unknown as Writer);
          if (isIndex) indexes.slices++;
        }
        return 'read';
      });
    assert.equal(await read(true), 'read');
    await assert.rejects(async () => await read(false), isUnavailable);
  });

  it('a replica that hangs is left in time, also while slices of an index arrive from elsewhere', async (t) => {
    const source = await open(t);
    const indexes = await source.read((db) => indexesOf.get(db));
    const timer = setInterval(() => {
      if (indexes) indexes.slices++;
    }, 10);
    t.after(() => clearInterval(timer));
    await whileHung([standby], async () => {
      const assertInTime = timeSecond();
      assert.ok(await readTitle(source));
      assertInTime();
    });
  });

  it('a source uses a replica that is behind once the primary has been down for long enough', async (t) => {
    const engine = await engineOf(primary.url());
    const orphanedMs = 2 * SECOND_MS;
    const source = await openRemoteSource(engine, databaseUrls(primary, standby), {
      orphanedMs,
      limit: stretched,
    });
    t.after(source.close);
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await psql(standby, 'select pg_wal_replay_pause()');
    await psql(primary, `update versions set title = 'Lost' where id = 'ver_210'`);
    await becomes(source, ['up', 'behind'], BACK_MS_MAX);
    await primary.stop('immediate');
    await becomes(source, ['down', 'behind'], BACK_MS_MAX);
    await assert.rejects(async () => await readTitle(source), isUnavailable);
    let dropped = false;
    source.onTouched((touches) => {
      dropped ||= touches.includes(EVERYTHING);
    });
    await becomes(source, ['down', 'up'], orphanedMs + SECOND_MS);
    assert.ok(dropped, 'cached responses may show lost writes');
    assert.notEqual(await readTitle(source), 'Lost');
    await primary.start();
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], 5 * SECOND_MS);
    await until('the write shows', async () => (await readTitle(source)) === 'Lost');
  });

  it('a source reads the primary while the replica is down, and the replica again when it is back', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    await standby.stop('immediate');
    await becomes(source, ['up', 'down'], SECOND_MS);
    await readTitle(source);
    assert.deepEqual(connected(source), ['primary']);
    await standby.start();
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await readTitle(source);
    assert.deepEqual(connected(source), ['primary', 'replica-1']);
    await stopReading();
  });

  it('a source reads the primary while the replica hangs, and the replica again when it answers', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    await whileHung([standby], () => becomes(source, ['up', 'down'], BACK_MS_MAX));
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await readTitle(source);
    assert.deepEqual(connected(source), ['primary', 'replica-1']);
    await stopReading();
  });

  it('a source skips a replica that lacks a write, and reads it again when it has caught up', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    const isRead = (title: string) => async () => (await readTitle(source)) === title;
    const isDisabled = async () =>
      (await source.read((db) => findKey(db, hashApiKey(world.full), NOW))).found === undefined;

    await psql(standby, 'select pg_wal_replay_pause()');
    await psql(primary, `update versions set title = 'Late' where id = 'ver_210'`);
    const withinMs = SECOND_MS;
    t.diagnostic(`a title: ${Math.round(await until('it is read', isRead('Late'), { withinMs }))} ms`);
    await becomes(source, ['up', 'behind'], SECOND_MS);
    assert.ok((source.databases()[1]?.behindMs ?? 0) > 0);
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    assert.equal(source.databases()[1]?.behindMs, 0);
    assert.equal(await readTitle(source), 'Late');

    await psql(standby, 'select pg_wal_replay_pause()');
    await runOk(sandbox, ['key', 'disable', world.fullId]);
    t.diagnostic(`a key: ${Math.round(await until('it is disabled', isDisabled, { withinMs }))} ms`);
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await stopReading();
  });

  it('a source reads the replica while the primary is down', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    await primary.stop('immediate');
    await becomes(source, ['down', 'up'], SECOND_MS);
    await until('cached responses are current again', () => source.isConfirmed(), { withinMs: SECOND_MS });
    assert.ok(source.isUp());
    await primary.start();
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await stopReading();
  });

  it('a source fails within a second while both databases hang, and recovers when they answer', async (t) => {
    const source = await open(t);
    await readTitle(source);
    await whileHung([primary, standby], async () => {
      const assertInTime = timeSecond();
      await assert.rejects(async () => await readTitle(source), isUnavailable);
      assertInTime();
      await becomes(source, ['down', 'down'], BACK_MS_MAX);
      assert.ok(!source.isUp());
      assert.ok(!(await source.isConfirmed()));
    });
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    const reads = async () => (await readTitle(source)) !== undefined;
    await until('it reads again', () => reads().catch(() => false));
  });

  it('a source invalidates everything when the revision of the primary goes back', async (t) => {
    const source = await open(t);
    const before = source.revision();
    const touched: unknown[] = [];
    source.onTouched((touches) => touched.push(...touches));
    await psql(primary, 'update revision set value = value - 1');
    await until('that is noticed', () => touched.includes(EVERYTHING), { withinMs: SECOND_MS });
    await until('the revision is known', () => source.revision() === before - 1, { withinMs: SECOND_MS });
  });

  it('a source does not start with a replica that is behind', async (t) => {
    await open(t);
    await psql(standby, 'select pg_wal_replay_pause()');
    await psql(primary, `update versions set title = 'Later' where id = 'ver_210'`);
    const source = await openSource(databaseUrls(primary, standby), { limit: stretched });
    t.after(source.close);
    assert.equal(await readTitle(source), 'Later');
    assert.deepEqual(statesOf(source), ['up', 'behind']);
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
  });

  it('the revision of a source never goes back because of a slow replica', async (t) => {
    const [url] = databaseUrls(primary);
    const slow = await startSlowProxy(t, primary.port, 150);
    const source = await openSource([url, url.replace(`:${primary.port}/`, `:${slow.port}/`)]);
    t.after(source.close);
    const seen: number[] = [];
    source.onTouched(() => seen.push(source.revision()));
    const last = source.revision() + 100;
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    for (let revision = source.revision(); revision < last; revision++) {
      await session.query(`update teams set name = 'Acme ${revision}' where slug = 'acme'`);
      await delay(10);
    }
    await session.end();
    await until('the last one is known', () => source.revision() === last);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });
});
