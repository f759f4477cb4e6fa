// Scheduled versions on a PostgreSQL that cannot be written to, permanently or for now (R50).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { seedWorld } from '../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';

const SETTINGS = { LOG_LEVEL: 'info', LOG_FORMAT: 'json', KEY_USAGE: 'off', AUTO_MIGRATE: 'false' };
const DUE = '"scheduled versions are due: run `changelog publish-due`"';
const LATE = '"scheduled versions are late: retrying"';

describe('a PostgreSQL that cannot be written to', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  before(async () => {
    await seedWorld(sandbox);
    await execute(
      sandbox,
      `update versions set publish_at = '2026-06-01T08:00:00.000Z' where id = 'ver_300'`,
    );
  });
  const isPublished = async () =>
    (await query(sandbox, `select 1 as one from versions where id = 'ver_300' and status = 'published'`))
      .length === 1;
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl(sandbox) });
    await client.connect();
    scope.after(() => client.end());
    return client;
  };

  it('a read-only session and a user without the privilege only cause a log line about what is due', async (t) => {
    const role = `reader_${process.pid}`;
    await execute(sandbox, `create role ${role} login password 'reader'`);
    scope.after(async () => {
      await execute(sandbox, `drop owned by ${role}; drop role ${role}`);
    });
    await execute(sandbox, `grant select on all tables in schema public to ${role}`);
    const readOnly = new URL(databaseUrl(sandbox));
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const unprivileged = Object.assign(new URL(databaseUrl(sandbox)), { username: role, password: 'reader' });
    const reasons = { [readOnly.href]: 'read-only transaction', [unprivileged.href]: 'permission denied' };
    for (const [url, reason] of Object.entries(reasons)) {
      const server = await spawnServer(t, sandbox, { ...SETTINGS, DATABASE_URL: url });
      await server.log.until(DUE);
      assert.match(
        server.log.all.at(-1) ?? '',
        new RegExp(`${reason}.*"versions":\\["acme/rocket 3\\.0\\.0"\\]`),
      );
      assert.equal(await isPublished(), false);
      await server.stop();
      assert.equal(server.log.all.length, 1, 'one line');
    }
  });

  it('a writer that holds its lock delays publication, which is logged once, and then the version is published', async (t) => {
    const writer = await connect();
    // The first thing that a writing command does.
    await writer.query('begin; select pg_advisory_xact_lock(7423116021)');
    const server = await spawnServer(t, sandbox, SETTINGS);
    await server.log.until(LATE);
    assert.equal(await isPublished(), false);
    await writer.query('commit');
    await server.log.until('"scheduled version published"');
    assert.equal(await isPublished(), true);
    assert.equal(server.log.count(LATE), 1);
    await server.stop();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
});
