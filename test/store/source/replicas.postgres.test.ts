// Which database is read: replicas while they are there and keep up, then the primary; and none waits for a dead one.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../cluster/postgres.ts';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { isUnavailable } from '../../../src/store/engine/failures.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { findFeed, findKey } from '../../../src/store/read/reads.ts';
import { openRemoteSource } from '../../../src/store/source/remote.ts';
import { type DatabaseState, openSource, type Source } from '../../../src/store/source/source.ts';
import { seedWorld, type World } from '../../../support/content/world.ts';
import { until } from '../../../support/processes/poll.ts';
import { type Scope, sharedScope } from '../../../support/processes/scope.ts';
import { runOk, type Workplace } from '../../../support/program/command.ts';
import { databaseUrls, provideDatabase, psql } from '../../../support/program/nodes.ts';
import { startSlowProxy } from '../../support/slow.ts';

const SECOND_MS = 1_000;
const BACK_MS_MAX = 2_000;
const ROCKET = { team: 'acme', product: 'rocket' };

const readTitle = (source: Source) =>
  source.read(async (db) => {
    const { found } = await findFeed(db, ROCKET, visibleRows('public'));
    return found?.versions.find(({ id }) => id === 'ver_210')?.title;
  });

/** Reads all the time; returns what ends that, and fails if any read failed or took longer than a second. */
function readOn(source: Source): () => Promise<void> {
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      assert.ok(await readTitle(source));
      assert.ok(performance.now() - startedAt <= SECOND_MS, `took ${performance.now() - startedAt} ms`);
    }
  })();
  // Whoever ends it hears of it.
  reading.catch(() => {});
  return async () => {
    isOver = true;
    await reading;
  };
}

describe('a source with a primary and a replica', () => {
  const scope = sharedScope();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let workplace: Workplace;
  let world: World;
  before(async () => {
    primary = await startPostgres(scope);
    workplace = await provideDatabase(scope, primary);
    world = await seedWorld(workplace);
    standby = await startPostgres(scope, { standbyOf: primary });
  });

  async function open(t: Scope): Promise<Source> {
    const source = await openSource(databaseUrls(primary, standby));
    t.after(source.close);
    await until('both are up', () => statesOf(source).join() === 'up,up', { withinMs: BACK_MS_MAX });
    return source;
  }
  const statesOf = (source: Source) => source.databases().map(({ state }) => state);
  const becomes = (source: Source, states: readonly [DatabaseState, DatabaseState], withinMs: number) =>
    until(`primary and replica are ${states}`, () => statesOf(source).join() === states.join(), { withinMs });
  /** Those that have connections to read through. */
  const connected = (source: Source) =>
    source.databases().flatMap(({ name, connections }) => (connections?.open ? name : []));

  it('reads the replica, and not the primary', async (t) => {
    const source = await open(t);
    await readTitle(source);
    assert.deepEqual(connected(source), ['replica-1']);
  });

  it('takes a replica that lacks something for all there is, once the primary was away for long enough', async (t) => {
    const engine = await engineOf(primary.url());
    const orphanedMs = 2 * SECOND_MS;
    const source = await openRemoteSource(engine, databaseUrls(primary, standby), { orphanedMs });
    t.after(source.close);
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await psql(standby, 'select pg_wal_replay_pause()');
    await psql(primary, `update versions set title = 'Lost' where id = 'ver_210'`);
    await becomes(source, ['up', 'behind'], BACK_MS_MAX);
    await primary.stop('immediate');
    await becomes(source, ['away', 'behind'], BACK_MS_MAX);
    await assert.rejects(readTitle(source), isUnavailable);
    let dropped = false;
    source.onTouched((touches) => {
      dropped ||= touches === null;
    });
    await becomes(source, ['away', 'up'], orphanedMs + SECOND_MS);
    assert.ok(dropped, 'what is held may be of what was lost');
    assert.notEqual(await readTitle(source), 'Lost');
    await primary.start();
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], 5 * SECOND_MS);
    await until('the write shows', async () => (await readTitle(source)) === 'Lost');
  });

  it('goes on with the primary while the replica is gone, and back when that is', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    await standby.stop('immediate');
    await becomes(source, ['up', 'away'], SECOND_MS);
    await readTitle(source);
    assert.deepEqual(connected(source), ['primary']);
    await standby.start();
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await readTitle(source);
    assert.deepEqual(connected(source), ['primary', 'replica-1']);
    await stopReading();
  });

  it('goes on with the primary while the replica hangs, and back when it does not', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    standby.hang();
    await becomes(source, ['up', 'away'], BACK_MS_MAX);
    standby.resume();
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await readTitle(source);
    assert.deepEqual(connected(source), ['primary', 'replica-1']);
    await stopReading();
  });

  it('passes over a replica that lacks a write, and goes back when it has it', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    const isRead = (title: string) => async () => (await readTitle(source)) === title;
    const isDisabled = async () =>
      (await source.read((db) => findKey(db, hashApiKey(world.full)))).found === undefined;

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
    await runOk(workplace, ['key', 'disable', world.fullId]);
    t.diagnostic(`a key: ${Math.round(await until('it is disabled', isDisabled, { withinMs }))} ms`);
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await stopReading();
  });

  it('goes on with the replica while the primary is gone', async (t) => {
    const source = await open(t);
    const stopReading = readOn(source);
    await primary.stop('immediate');
    await becomes(source, ['away', 'up'], SECOND_MS);
    await until('what is held stands again', () => source.isConfirmed(), { withinMs: SECOND_MS });
    assert.ok(source.isUp());
    await primary.start();
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    await stopReading();
  });

  it('fails within a second while both hang, and goes on when they do', async (t) => {
    const source = await open(t);
    await readTitle(source);
    for (const server of [primary, standby]) server.hang();
    const startedAt = performance.now();
    await assert.rejects(readTitle(source), isUnavailable);
    assert.ok(performance.now() - startedAt <= SECOND_MS);
    await becomes(source, ['away', 'away'], BACK_MS_MAX);
    assert.ok(!source.isUp());
    assert.ok(!(await source.isConfirmed()));
    for (const server of [primary, standby]) server.resume();
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
    assert.ok(await readTitle(source));
  });

  it('forgets everything when the primary is one from an earlier time', async (t) => {
    const source = await open(t);
    const before = source.revision();
    const touched: unknown[] = [];
    source.onTouched((touches) => touched.push(touches));
    await psql(primary, 'update revision set value = value - 1');
    await until('that is noticed', () => touched.includes(null), { withinMs: SECOND_MS });
    await until('the revision is known', () => source.revision() === before - 1, { withinMs: SECOND_MS });
  });

  it('does not begin with a replica that is behind', async (t) => {
    await open(t);
    await psql(standby, 'select pg_wal_replay_pause()');
    await psql(primary, `update versions set title = 'Later' where id = 'ver_210'`);
    const source = await openSource(databaseUrls(primary, standby));
    t.after(source.close);
    assert.equal(await readTitle(source), 'Later');
    assert.deepEqual(statesOf(source), ['up', 'behind']);
    await psql(standby, 'select pg_wal_replay_resume()');
    await becomes(source, ['up', 'up'], BACK_MS_MAX);
  });

  it('takes no revision back for a replica that is slow to answer', async (t) => {
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
