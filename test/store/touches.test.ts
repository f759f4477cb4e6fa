// R29: whoever writes says what nodes must read anew. The same table for both engines.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { startPostgres } from '../../cluster/postgres.ts';
import { TOUCH_RULES } from '../../src/store/touch-rules.ts';
import { runOk } from '../support/command.ts';
import { type Scope, sharedScope, temporaryFolder } from '../support/folder.ts';
import { databaseUrls, provideDatabase } from '../support/nodes.ts';
import { until } from '../support/poll.ts';
import { type Case, SEED, STATEMENTS, TRANSACTIONS, TRUNCATIONS } from './touch-table.ts';

/** A connection that is none of ours. */
type Session = Readonly<{
  run: (statements: string) => Promise<unknown>;
  rows: (query: string) => Promise<unknown[][]>;
}>;

/** Table by table: without foreign keys, an id that was changed leaves rows behind that nothing leads to. */
const RESET = `${TOUCH_RULES.map(({ table }) => `delete from ${table};`).join(' ')} delete from touches; ${SEED}`;
/** Touches of what is gone, which nobody needs. */
const ORPHANS = `select team_id, product_id from touches
  where team_id <> 0 and team_id not in (select id from teams)
    or product_id > 0 and product_id not in (select id from products)`;

const findRevision = async ({ rows }: Session) => Number((await rows('select value from revision'))[0]?.[0]);
const listTouches = ({ rows }: Session, since: number) =>
  rows(`select team_id, product_id from touches where revision > ${since} order by 1, 2`);

function testCases(open: (scope: Scope) => Promise<Session>, cases: readonly Case[]): void {
  const scope = sharedScope();
  let session: Session;
  before(async () => {
    session = await open(scope);
  });
  for (const { what, statement, touched } of cases) {
    it(what, async () => {
      await session.run(RESET);
      const revision = await findRevision(session);
      await session.run(statement);
      assert.deepEqual(await listTouches(session, revision), touched);
      assert.equal((await findRevision(session)) > revision, touched.length > 0);
      assert.deepEqual(await session.rows(ORPHANS), []);
      const [latest = []] = await session.rows('select max(revision) from touches');
      assert.ok(Number(latest[0]) <= (await findRevision(session)));
    });
  }
}

async function openSqlite(scope: Scope, foreignKeys: 'on' | 'off'): Promise<Session> {
  const folder = temporaryFolder(scope);
  const file = `${folder}/changelog.db`;
  await runOk({ folder, environment: { DATABASE_URL: `sqlite:${file}` } }, ['migrate']);
  const database = new Sqlite(file);
  database.pragma(`foreign_keys = ${foreignKeys}`);
  scope.after(() => void database.close());
  return {
    run: async (statements) => database.exec(statements),
    rows: async (query) => database.prepare(query).raw().all() as unknown[][],
  };
}

async function openPostgres(scope: Scope): Promise<Session & { another: () => Promise<Session> }> {
  const server = await startPostgres(scope);
  await runOk(await provideDatabase(scope, server), ['migrate']);
  const another = async () => {
    const client = new pg.Client({ connectionString: databaseUrls(server)[0] });
    await client.connect();
    // The server may be stopped first.
    client.on('error', () => {});
    scope.after(() => client.end().catch(() => {}));
    return {
      run: (statements: string) => client.query(statements),
      rows: async (query: string) => (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows,
    };
  };
  return { ...(await another()), another };
}

it('the table has every kind of statement on every table that answers depend on', () => {
  const tried = STATEMENTS.map(({ statement }) => /^(insert into|update|delete from) (\w+)/.exec(statement));
  const kinds = ['insert into', 'update', 'delete from'];
  for (const { table } of TOUCH_RULES) {
    for (const kind of kinds)
      assert.ok(
        tried.some((found) => found?.[1] === kind && found[2] === table),
        `${kind} ${table}`,
      );
    assert.ok(TRUNCATIONS.some(({ statement }) => statement === `truncate ${table} cascade`));
  }
});

for (const foreignKeys of ['on', 'off'] as const) {
  describe(`on SQLite, with foreign keys ${foreignKeys}`, () => {
    describe('a statement touches', () => testCases((scope) => openSqlite(scope, foreignKeys), STATEMENTS));
    describe('a transaction touches', () =>
      testCases((scope) => openSqlite(scope, foreignKeys), TRANSACTIONS));
  });
}

describe('on PostgreSQL', () => {
  const scope = sharedScope();
  let session: Session & { another: () => Promise<Session> };
  before(async () => {
    session = await openPostgres(scope);
  });
  const open = async () => session;
  describe('a statement touches', () => testCases(open, [...STATEMENTS, ...TRUNCATIONS]));
  describe('a transaction touches', () => testCases(open, TRANSACTIONS));

  it('a transaction is one revision, however much it writes', async () => {
    await session.run(RESET);
    const revision = await findRevision(session);
    await session.run(`begin; update versions set title = 'X'; update teams set name = 'X';
      delete from changes; savepoint s; update products set name = 'X'; release s; commit`);
    assert.equal(await findRevision(session), revision + 1);
  });

  it('writers become visible in the order of their revisions', async () => {
    await session.run(RESET);
    const revision = await findRevision(session);
    const [first, second] = [await session.another(), await session.another()];
    await first.run(`begin; update versions set title = 'X' where id = 'ver_12'`);
    const waiting = second.run(`update versions set title = 'X' where id = 'ver_21'`);
    const blocked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%ver_21%'`;
    await until('the second writer waits', async () => (await session.rows(blocked)).length === 1);
    assert.equal(await findRevision(session), revision);
    await first.run('commit');
    await waiting;
    const touches = await session.rows(
      `select team_id, product_id, revision - ${revision} from touches where revision > ${revision} order by 3`,
    );
    assert.deepEqual(touches, [
      [1, 12, '1'],
      [2, 21, '2'],
    ]);
  });

  it('a writer that gives up leaves no gap', async () => {
    await session.run(RESET);
    const revision = await findRevision(session);
    const [first, second] = [await session.another(), await session.another()];
    await first.run(`begin; update versions set title = 'X' where id = 'ver_12'`);
    const waiting = second.run(`update versions set title = 'X' where id = 'ver_21'`);
    await first.run('rollback');
    await waiting;
    assert.equal(await findRevision(session), revision + 1);
    assert.deepEqual(await listTouches(session, revision), [[2, 21]]);
  });
});
