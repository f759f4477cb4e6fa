// R7 on PostgreSQL, also when several write at once.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { postgres } from '../../../support/databases/postgres.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import { RESET, testPublicRows } from './public-cases.ts';
import type { Session } from './touch-cases.ts';

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

describe('public_changelogs', () => {
  testPublicRows(() => session, { runs: 60 });

  it('has what two transactions make public together', async () => {
    await session.run(RESET);
    const [first, second] = [await connect(), await connect()];
    await session.run(`update products set status = 'draft' where id = 3`);
    await first.run(`begin; update teams set visibility = 'public' where id = 2`);
    const written = second.run(`update products set status = 'published' where id = 3`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('commit');
    await written;
    assert.deepEqual(await session.rows(`select changelog_id from public_changelogs where team_id = 2`), [
      ['cl_3'],
    ]);
  });

  it('tells of a version that was written while its changelog became public', async () => {
    await session.run(RESET);
    const [[before] = []] = await session.rows('select value from revision');
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; update products set status = 'published' where id = 2`);
    const written = second.run(`update versions set title = 'Y' where id = 'ver_3'`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('commit');
    await written;
    assert.deepEqual(await session.rows('select public_revision from touches where product_id = 2'), [
      [String(Number(before) + 2)],
    ]);
  });

  it('is empty after a truncation', async () => {
    for (const table of ['teams', 'products', 'changelogs']) {
      await session.run(RESET);
      await session.run(`truncate ${table} cascade`);
      assert.deepEqual(await session.rows('select * from public_changelogs'), [], table);
    }
  });
});

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and query like 'update %'`;
