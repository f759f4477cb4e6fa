// R11 on PostgreSQL, also when several write at once.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { postgres } from '../../../support/databases/postgres.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import { testCounts } from './count-cases.ts';
import { RESET, type Session } from './touch-cases.ts';

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

const addChange = (id: string) =>
  `insert into changes (id, version_id, position, type, text, breaking)
     values ('${id}', 'ver_11', ${id.slice(-1)}, 'added', 'A', 0)`;
const COUNT = `select change_count from versions where id = 'ver_11'`;

describe('change_count', () => {
  testCounts(() => session, { runs: 100 });

  it('counts what two transactions add to one version at once', async () => {
    await session.run(RESET);
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; ${addChange('chg_2')}`);
    const written = second.run(addChange('chg_3'));
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('commit');
    await written;
    assert.deepEqual(await session.rows(COUNT), [[3]]);
  });

  it('is none after all changes are truncated', async () => {
    await session.run(RESET);
    await session.run('truncate changes');
    assert.deepEqual(await session.rows('select distinct change_count from versions'), [[0]]);
  });
});

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and query like 'insert into changes%'`;
