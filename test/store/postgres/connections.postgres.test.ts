// Connections to PostgreSQL: what shares them, and what breaks them while they are in use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { startPostgres } from '../../../cluster/postgres.ts';
import { type DirectReader, prepare } from '../../../src/store/engine/prepared.ts';
import { openReader, openWriter } from '../../../support/databases/open.ts';
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

describe('reads at the same time', () => {
  it('share the connections, get their own rows, and one that fails fails alone', async (t) => {
    const server = await startPostgres(t);
    const db = await openReader(server.url(), { connectionsMax: 2 });
    t.after(() => db.destroy());
    const divide = prepare(
      (_, { by }: { by: number }) => sql<{ value: number }>`select 12 / cast(${by} as integer) as value`,
    );
    const divisors = Array.from({ length: 40 }, (_, index) => index % 4);
    const view = () => (db as unknown as DirectReader).options.viewPool?.();
    const reads = divisors.map(async (by) => await divide(db, { by }));
    assert.equal(view()?.waiting, 40, 'none has a connection yet');
    const results = await Promise.allSettled(reads);
    assert.deepEqual(
      results.map((read) => (read.status === 'fulfilled' ? read.value[0]?.value : read.reason.code)),
      divisors.map((by) => (by === 0 ? '22012' : 12 / by)),
    );
    assert.deepEqual({ ...view(), idle: 2 }, { open: 2, idle: 2, waiting: 0 });
  });
});
