// PgBouncer between the program and PostgreSQL: what a transaction sets must not stay on the connection it was lent.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startPgBouncer } from '../../../cluster/pgbouncer.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { prepare } from '../../../src/store/engine/prepared.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { environmentOf, execute, query } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { openClient } from '../../../support/http/http-client.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { doctor, runOk, type Sandbox } from '../../../support/program/command.ts';
import { startNodes } from '../../../support/program/nodes.ts';

/** Fewer than the program opens, so that they go from one of its connections to another. */
const SIZE = 3;
const CHECKED = [
  'default_transaction_read_only',
  'default_transaction_isolation',
  'plan_cache_mode',
  'statement_timeout',
  'lock_timeout',
  'synchronous_commit',
  'search_path',
];
const scope = sharedScope();

async function bounce(mode: 'session' | 'transaction' | 'statement', size = SIZE) {
  const direct: Sandbox = { folder: temporaryFolder(scope) };
  const { DATABASE_URL } = await environmentOf(direct);
  const url = await startPgBouncer(scope, { url: DATABASE_URL, mode, size });
  return { direct, url, sandbox: { ...direct, environment: { DATABASE_URL: url } } };
}

/** In session mode each client has a connection of its own, also every command while the server runs. */
for (const [mode, size] of [
  ['transaction', SIZE],
  ['session', 50],
] as const)
  describe(`PgBouncer in ${mode} mode`, () => {
    let direct: Sandbox;
    let sandbox: Sandbox;
    let url: string;
    let world: World;
    before(async () => {
      ({ direct, sandbox, url } = await bounce(mode, size));
      // Migrates, applies documents and creates keys.
      world = await seedWorld(sandbox);
    });

    it(`a server responds to every read while content is written, and writes itself (${mode})`, async (t) => {
      const [node] = await startNodes(t, [url], 1);
      const client = openClient();
      t.after(client.close);
      const get = (path: string, headers = {}) => client.get(`${node?.address}${path}`, headers);
      const authorization = `Bearer ${world.full}`;
      for (const title of ['One', 'Two', 'Three']) {
        const responses = Array.from({ length: 20 }, (_, index) => {
          const search = `?q=${title}${index}`;
          return index % 2 ? get(TEAM_FEED + search, { authorization }) : get(PUBLIC_FEED + search);
        });
        await execute(direct, `update versions set title = '${title}' where id = 'ver_210'`);
        const statuses = (await Promise.all(responses)).map(({ status }) => status);
        assert.deepEqual([...new Set(statuses)], [200]);
        await until('the write shows', async () => (await get(PUBLIC_FEED)).body.includes(title));
      }
      await runOk(sandbox, ['version', 'publish', 'acme/rocket', '3.0.0', '--at', '2026-01-01T00:00:00Z']);
      await until('it is published', async () => (await get(PUBLIC_FEED)).body.includes('"ver_300"'));
      const isUsed = async () => (await query(direct, 'select * from key_usage')).length > 0;
      await until('the use of the key is recorded', isUsed);
      await node?.stop();
    });

    it(`commands work, and doctor finds nothing wrong (${mode})`, async () => {
      const exported = await runOk(sandbox, ['export', 'acme']);
      assert.equal(exported, await runOk(direct, ['export', 'acme']));
      assert.match(await runOk(sandbox, ['apply', '-'], exported), /no changes|unchanged/i);
      const { code, stdout } = await doctor(sandbox);
      assert.equal(code, 0, stdout);
    });

    it(`reads are read-only and have their time limit (${mode})`, async (t) => {
      const db = await openReader(url, { connectionsMax: 2 * SIZE, patienceMs: 7_000 });
      t.after(() => db.destroy());
      const settings = sql<
        Record<string, string>
      >`select current_setting('transaction_read_only') as "readOnly",
        current_setting('statement_timeout') as patience`;
      const expected = { readOnly: 'on', patience: '7s' };
      const read = prepare(() => settings);
      const many = Array.from({ length: 20 }, () => read(db, {}));
      for (const rows of await Promise.all(many)) assert.deepEqual(rows, [expected]);
      const writer = db as unknown as Writer;
      assert.deepEqual((await settings.execute(writer)).rows, [expected]);
      await writer.transaction().execute(async (trx) => {
        assert.deepEqual((await settings.execute(trx)).rows, [expected]);
        const { rows } = await sql<{ level: string }>`select current_setting('transaction_isolation') as level
          `.execute(trx);
        assert.equal(rows[0]?.level, 'repeatable read');
      });
      for (const insert of [writer, writer.transaction()])
        await assert.rejects(
          'execute' in insert
            ? insert.execute((trx) => sql`delete from teams`.execute(trx))
            : sql`delete from teams`.execute(insert),
          { code: '25006' },
        );
      assert.deepEqual(await read(db, {}), [expected], 'a failed statement leaves the connection usable');
    });

    it(`a schema in the URL is the one that is used (${mode})`, async () => {
      await execute(direct, 'create schema shared');
      const shared = {
        ...sandbox,
        environment: { DATABASE_URL: `${url}${url.includes('?') ? '&' : '?'}schema=shared` },
      };
      const team = 'team: { slug: other, name: Other, visibility: public }\n';
      await runOk(shared, ['apply', '-'], team);
      assert.deepEqual(await query(direct, 'select slug from shared.teams'), [{ slug: 'other' }]);
      assert.equal(JSON.parse(await runOk(shared, ['team', 'list', '--json'])).length, 1);
      assert.ok(!(await runOk(sandbox, ['team', 'list', '--json'])).includes('"other"'));
    });

    it(`nothing of the program stays on the connections of the pooler (${mode})`, async (t) => {
      await runOk(sandbox, ['apply', '-'], await runOk(sandbox, ['export', 'acme']));
      const clients = Array.from({ length: SIZE }, () => new pg.Client({ connectionString: url }));
      t.after(() => Promise.all(clients.map((client) => client.end())));
      await Promise.all(clients.map((client) => client.connect()));
      // All at once, so that each gets a connection of its own.
      await Promise.all(clients.map((client) => client.query('begin')));
      for (const client of clients) {
        const { rows } = await client.query(
          `select name, setting = boot_val or name = 'synchronous_commit'
          and setting = 'on' as usual from pg_settings where name = any ($1)`,
          [CHECKED],
        );
        assert.deepEqual(
          rows.filter(({ usual }) => !usual),
          [],
        );
        assert.equal(rows.length, CHECKED.length);
      }
    });
  });

describe('PgBouncer in statement mode', () => {
  it('doctor and commands name the mode, in which nothing can be written', async () => {
    const { sandbox } = await bounce('statement');
    const { code, stdout } = await doctor(sandbox);
    assert.equal(code, 1);
    assert.match(stdout, /^wrong +database .*transaction blocks not allowed in statement pooling mode/m);
    await assert.rejects(runOk(sandbox, ['migrate']), /statement pooling mode/);
  });
});
