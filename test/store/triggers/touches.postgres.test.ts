// Every write records what it touched (R29), on PostgreSQL, in an order in which no poll misses it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { provideSessions } from '../postgres/session.ts';
import { findRevision, listTouches, type Session, testCases } from './touch-cases.ts';
import { SEED, STATEMENTS, TOUCHING_TABLES, TRANSACTIONS, VISIBILITIES } from './touch-table.ts';

const scope = sharedScope();
let connect: () => Promise<Session>;
let session: Session;
before(async () => {
  connect = await provideSessions(scope, SEED);
  session = await connect();
});

describe('a statement', () => {
  testCases(() => session, 'a statement', [...STATEMENTS, ...VISIBILITIES]);

  it('truncate is refused, because no trigger is told what it deletes', async () => {
    for (const table of TOUCHING_TABLES)
      await assert.rejects(async () => await session.run(`truncate ${table} cascade`), /use delete/, table);
  });
});
describe('a transaction', () => {
  testCases(() => session, 'a transaction', TRANSACTIONS);

  it('a transaction advances the revision once, however much it writes', async () => {
    await session.reset();
    const revision = await findRevision(session);
    await session.run(`begin; update versions set title = 'X'; update teams set name = 'X';
      delete from changes; savepoint s; update products set name = 'X'; release s; commit`);
    assert.equal(await findRevision(session), revision + 1);
  });

  it('a transaction with a lower revision becomes visible before one with a higher revision', async () => {
    await session.reset();
    const revision = await findRevision(session);
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; update versions set title = 'X' where id = 'ver_12'`);
    const written = second.run(`update versions set title = 'X' where id = 'ver_21'`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    assert.equal(await findRevision(session), revision);
    await first.run('commit');
    await written;
    assert.deepEqual(await listTouches(session, revision), [
      [1, 12],
      [2, 21],
    ]);
    assert.deepEqual(await listTouches(session, revision + 1), [[2, 21]]);
    assert.equal(await findRevision(session), revision + 2);
  });

  it('a transaction that is rolled back while another waits leaves no gap in the revisions', async () => {
    await session.reset();
    const revision = await findRevision(session);
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; update versions set title = 'X' where id = 'ver_12'`);
    const written = second.run(`update versions set title = 'X' where id = 'ver_21'`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('rollback');
    await written;
    assert.deepEqual(await listTouches(session, revision), [[2, 21]]);
    assert.equal(await findRevision(session), revision + 1);
  });
});

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and query like 'update versions%'`;
