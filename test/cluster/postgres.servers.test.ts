import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { openScope } from '../../cluster/scope.ts';
import { until } from '../../support/processes/poll.ts';
import { type Scope, sharedScope } from '../../support/processes/scope.ts';

const HUNG_MS = 300;

describe('PostgreSQL', () => {
  const scope = sharedScope();
  let primary: PostgresServer;
  before(async () => {
    primary = await startPostgres(scope);
  });

  it('PostgreSQL accepts connections only with the password', async () => {
    assert.equal(await primary.psql('postgres', 'SELECT 40 + 2'), '42\n');
    await assert.rejects(primary.psql('postgres', 'SELECT oops'), /column "oops" does not exist/);
    const stranger = new pg.Client({ connectionString: primary.url().replace(/:[^:@]+@/, ':wrong@') });
    await assert.rejects(stranger.connect(), /password authentication failed/);
  });

  it('PostgreSQL creates, copies and drops databases', async () => {
    await primary.createDatabase('first');
    await primary.psql('first', 'CREATE TABLE kept AS SELECT 1 AS one');
    await primary.createDatabase('second', 'first');
    assert.equal(await primary.psql('second', 'SELECT one FROM kept'), '1\n');
    await connect(scope, primary.url('second'));
    await primary.dropDatabase('second');
    await assert.rejects(primary.psql('second', 'SELECT 1'), /does not exist/);
  });

  it('PostgreSQL restarts on the same port with its data', async () => {
    await primary.createDatabase('lasting');
    await primary.restart();
    assert.equal(await primary.psql('lasting', 'SELECT 1'), '1\n');
    await primary.stop('immediate');
    await assert.rejects(primary.psql('lasting', 'SELECT 1'), /Connection refused/);
    await primary.start();
    assert.equal(await primary.psql('lasting', 'SELECT 1'), '1\n');
  });

  it('PostgreSQL can be suspended with open connections, and resumed', async (t) => {
    const session = await connect(t, primary.url());
    await session.query('SELECT 1');
    primary.hang();
    const response = session.query('SELECT 1');
    const waited = new Promise((resolve) => setTimeout(resolve, HUNG_MS, 'nothing'));
    assert.equal(await Promise.race([response, waited]), 'nothing');
    primary.resume();
    assert.equal((await response).rowCount, 1);
  });

  it('a standby follows PostgreSQL and is read-only', async (t) => {
    const standby = await startPostgres(t, { standbyOf: primary });
    await primary.psql('postgres', 'CREATE TABLE followed AS SELECT 7 AS seven');
    const session = await connect(t, standby.url());
    const look = `SELECT to_regclass('followed') IS NOT NULL AS found`;
    await until('the standby has the table', async () => (await session.query(look)).rows[0].found);
    await assert.rejects(standby.psql('postgres', 'DROP TABLE followed'), /read-only transaction/);
  });

  it('PostgreSQL is removed with its data when its scope is closed, even if it is suspended', async () => {
    const own = openScope();
    const server = await startPostgres(own, { settings: { application_name: 'gone' } });
    const pid = server.pid();
    const [, data = ''] = /\0-D\0([^\0]+)\0/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? [];
    assert.ok(existsSync(data));
    server.hang();
    await own.close();
    assert.ok(!existsSync(data));
    assert.ok(!existsSync(`/proc/${pid}`));
  });
});

async function connect(scope: Scope, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The server may be stopped before this client.
  client.on('error', () => {});
  scope.after(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}
