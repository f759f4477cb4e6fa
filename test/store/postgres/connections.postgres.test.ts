// Connections to PostgreSQL that break while they are in use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { startPostgres } from '../../../cluster/postgres.ts';
import { openWriter } from '../../../support/databases/open.ts';
import { until } from '../../../support/processes/poll.ts';

describe('a connection that the server closes between two queries', () => {
  it('a connection that the server closes fails the next query and nothing else', async (t) => {
    const server = await startPostgres(t);
    const db = await openWriter(server.url(), { create: false });
    t.after(() => db.destroy());
    const sessions = `from pg_stat_activity where application_name = 'changelog'`;

    await db.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection);
      await server.psql('postgres', `select pg_terminate_backend(pid) ${sessions}`);
      await until(
        'it is closed',
        async () => (await server.psql('postgres', `select count(*) ${sessions}`)) === '0\n',
      );
      await assert.rejects(sql`select 1`.execute(connection));
    });
    assert.equal((await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one, 1);
  });
});
