// A database that an application shares: its tables are in `public`, ours in a schema of their own.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { databaseUrl, describeDatabase, dump, execute, query } from '../../../support/databases/engine.ts';
import { createKey, doctor, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { documentOf, expectFailure, sandboxOf } from '../../cli/helpers.ts';

const APPLICATION = `
  create table teams (id serial primary key, city text);
  insert into teams (city) values ('Oslo');
  create table versions (id integer, teams integer references teams);
  create table schema_migrations (version text primary key);
  insert into schema_migrations values ('20260101000000');
  create table schema_migrations_lock (id text);
  create function touch_rows() returns integer language sql return 1;
  create schema changelog`;
const DOCUMENT = documentOf([{ version: '1.0.0', title: 'First', status: 'published' }]);
const PATH = 'teams/acme/products/rocket/changelog';

const WAYS: [what: string, parameters: string, settings: (database: string) => string, described: string][] =
  [
    ['?schema=', '?schema=changelog', () => '', '?schema=changelog'],
    ['options', '?options=-c%20search_path%3Dchangelog', () => '', ''],
    [
      'the search_path of the user',
      '',
      (database) => `alter role current_user in database "${database}" set search_path = changelog, public`,
      '',
    ],
  ];

describe('a schema of our own in the database of an application', () => {
  for (const [what, parameters, settings, described] of WAYS) {
    it(`with ${what}, everything works, and the tables of the application stay as they were`, async (t) => {
      const own = sandboxOf(t);
      const url = new URL(databaseUrl(own));
      await execute(own, APPLICATION);
      const before = await dump(own);
      const database = url.pathname.slice(1);
      if (settings(database) !== '') await execute(own, settings(database));
      const sandbox: Sandbox = { ...own, environment: { DATABASE_URL: `${url}${parameters}` } };

      const migrated = JSON.parse(await runOk(sandbox, ['migrate', '--json']));
      assert.equal(migrated.database, describeDatabase(own) + described);
      assert.equal(await runOk(sandbox, ['migrate']), 'The schema is up to date.\n');
      await runOk(sandbox, ['apply', '-'], JSON.stringify(DOCUMENT));
      writeFileSync(path.join(own.folder, 'CHANGELOG.md'), '## [1.1.0] - 2026-03-02\n\n- Faster.\n');
      const file = path.join(own.folder, 'CHANGELOG.md');
      assert.match(await runOk(sandbox, ['import', 'acme/rocket', file]), /1 created/);
      assert.match(await runOk(sandbox, ['export', 'acme']), /Faster\./);
      const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
      const examined = await doctor(sandbox);
      assert.equal(examined.code, 0, examined.stdout);

      const { address, stop } = await spawnServer(t, sandbox);
      const open = await fetch(`${address}/api/v1/public/${PATH}?q=faster`);
      const keyed = await fetch(`${address}/api/v1/${PATH}`, { headers: { authorization: `Bearer ${key}` } });
      for (const [response, count] of [
        [open, 1],
        [keyed, 2],
      ] as const) {
        assert.equal(response.status, 200);
        const { data } = (await response.json()) as { data: { versions: unknown[] } };
        assert.equal(data.versions.length, count);
      }
      await stop();

      const tables = `select count(*) from information_schema.tables where table_schema = 'changelog'`;
      assert.ok(((await query<{ count: number }>(own, tables))[0]?.count ?? 0) > 10);
      await execute(own, `alter role current_user in database "${database}" reset all`);
      assert.deepEqual(await dump(own), before);
    });
  }

  it('a schema that does not exist is refused, with what to do', async (t) => {
    const own = sandboxOf(t);
    await execute(own, APPLICATION);
    const environment = { DATABASE_URL: `${databaseUrl(own)}?schema=My"own` };
    assert.match(
      await expectFailure({ ...own, environment }, ['migrate']),
      /\?schema=My"own has no schema "My""own": create it with `create schema`, or correct DATABASE_URL\.$/m,
    );
    await execute(own, 'create schema "My""own"');
    assert.match(await runOk({ ...own, environment }, ['migrate']), /^Updated the schema: 0001/);
    const { stderr } = await run({ ...own, environment }, ['backup', 'x']);
    assert.match(stderr, /`pg_dump [^`]* '--schema="My""own"' --file=x`/);
  });
});
