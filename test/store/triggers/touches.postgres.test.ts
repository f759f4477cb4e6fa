// R29: whoever writes says what nodes must read anew, in an order in which nobody who looks can miss it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { postgres } from '../../../support/databases/postgres.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import { findRevision, listTouches, RESET, type Session, testCases } from './touch-cases.ts';
import { STATEMENTS, TRANSACTIONS, TRUNCATIONS, VISIBILITIES } from './touch-table.ts';

const scope = sharedScope();
const folder = temporaryFolder(scope);
let session: Session;
before(async () => {
  await postgres.provide(folder);
  await runOk({ folder, environment: { DATABASE_URL: postgres.url(folder) } }, ['migrate']);
  session = await connect();
});

async function connect(): Promise<Session> {
  const client = new pg.Client({ connectionString: postgres.url(folder) });
  await client.connect();
  // The database may be dropped first.
  client.on('error', () => {});
  scope.after(() => client.end().catch(() => {}));
  return {
    run: (statements) => client.query(statements),
    rows: async (query) => (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows,
  };
}

describe('a statement touches', () =>
  testCases(() => session, [...STATEMENTS, ...VISIBILITIES, ...TRUNCATIONS]));
describe('a transaction touches', () => testCases(() => session, TRANSACTIONS));

describe('a transaction', () => {
  it('is one revision, however much it writes', async () => {
    await session.run(RESET);
    const revision = await findRevision(session);
    await session.run(`begin; update versions set title = 'X'; update teams set name = 'X';
      delete from changes; savepoint s; update products set name = 'X'; release s; commit`);
    assert.equal(await findRevision(session), revision + 1);
  });

  it('becomes visible before every later one', async () => {
    await session.run(RESET);
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

  it('leaves no gap when it is rolled back while another waits', async () => {
    await session.run(RESET);
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
