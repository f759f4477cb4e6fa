// A database that has tables and none of this program belongs to another one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { describeDatabase, dump, ENGINE, execute, query } from '../../../../support/databases/engine.ts';
import { databasePath } from '../../../../support/databases/sqlite.ts';
import { doctor, run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { documentOf, expectFailure, sandboxOf } from '../../helpers.ts';

const DOCUMENT = JSON.stringify(documentOf([]));
const CHANGELOG = '# Changelog\n\n## 1.0.0 - 2026-05-04\n\n- A change.\n';

/** With an application's own tables. */
async function applicationOf(t: TestContext, ...statements: string[]): Promise<Sandbox> {
  const sandbox = sandboxOf(t);
  for (const statement of [
    'create table invoices (id integer)',
    'insert into invoices values (7)',
    ...statements,
  ])
    await execute(sandbox, statement);
  return sandbox;
}

/** On SQLite, opening a file may change it without changing a row. */
const bytesOf = (sandbox: Sandbox) => (ENGINE === 'sqlite' ? readFileSync(databasePath(sandbox)) : null);

describe('the database of another program', () => {
  const commands: [args: string[], input?: string][] = [
    [['migrate']],
    [['apply', '-'], DOCUMENT],
    [['apply', '-', '--dry-run'], DOCUMENT],
    [['import', 'acme/rocket', '-'], CHANGELOG],
    [['import', 'acme/rocket', '-', '--create'], CHANGELOG],
    [['team', 'set', 'acme', '--plan', 'free']],
    [['team', 'delete', 'acme', '--yes']],
    [['key', 'create', 'acme', '--kind', 'FULL']],
    [['publish-due']],
    [['serve', '--port', '0']],
    [['team', 'list']],
    [['export', 'acme']],
  ];
  for (const [args, input] of commands) {
    it(`\`${args.join(' ')}\` refuses it, names it, says what to do, and leaves it as it was`, async (t) => {
      const sandbox = await applicationOf(t);
      const before = bytesOf(sandbox);
      const message = await expectFailure(sandbox, args, input);
      assert.ok(
        message.startsWith(
          `changelog: ${describeDatabase(sandbox)} has tables of another program (invoices) and none of this one; nothing was changed. Set CHANGELOG_DATABASE_URL to another database, or`,
        ),
        message,
      );
      assert.match(message, /`changelog migrate --into-existing`\.$/m);
      assert.deepEqual(bytesOf(sandbox), before);
    });
  }

  it('AUTO_MIGRATE=false does not change the message', async (t) => {
    const sandbox = await applicationOf(t);
    for (const [args, input] of commands.slice(1))
      assert.match(
        await expectFailure({ ...sandbox, environment: { AUTO_MIGRATE: 'false' } }, args, input),
        /has tables of another program/,
      );
  });

  it('`doctor` reports it, and `backup` does not copy it', async (t) => {
    const sandbox = await applicationOf(t);
    const { code, stdout } = await doctor(sandbox);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^wrong {2}schema +\S+ has tables of another program \(invoices\) and none of this one; /m,
    );
    if (ENGINE === 'sqlite')
      assert.match(await expectFailure(sandbox, ['backup', 'copy.db']), /has tables of another program/);
  });

  const TABLES: [what: string, ...statements: string[]][] = [
    ['teams', 'create table teams (id integer)'],
    [
      'schema_migrations of another kind',
      'create table schema_migrations (version text primary key)',
      `insert into schema_migrations values ('20260101000000')`,
    ],
    [
      'schema_migrations of the same library',
      'create table schema_migrations (name text primary key, timestamp text)',
      `insert into schema_migrations values ('0001_init', '2026-01-01T00:00:00.000Z')`,
    ],
    [
      'an empty schema_migrations of the same library',
      'create table schema_migrations (name text primary key, timestamp text)',
    ],
  ];
  for (const [what, ...statements] of TABLES) {
    it(`a table ${what} is not taken for one of this program`, async (t) => {
      const sandbox = await applicationOf(t, ...statements);
      for (const args of [['migrate'], ['serve', '--port', '0'], ['team', 'list']])
        assert.match(await expectFailure(sandbox, args), /has tables of another program/);
    });

    it(`migrate --into-existing refuses a table ${what}, and names it`, async (t) => {
      const sandbox = await applicationOf(t, ...statements);
      const before = bytesOf(sandbox);
      assert.match(
        await expectFailure(sandbox, ['migrate', '--into-existing']),
        new RegExp(
          `already has ${what.split(' ').find((word) => /^(teams|schema)/.test(word))} of another program, and this one needs the same names; nothing was changed\\. Use another database`,
        ),
      );
      assert.deepEqual(bytesOf(sandbox), before);
    });
  }
});

describe('migrate --into-existing', () => {
  it('creates the tables next to the others, after which every command works', async (t) => {
    const sandbox = await applicationOf(t);
    await runOk(sandbox, ['migrate', '--into-existing']);
    assert.equal(await runOk(sandbox, ['migrate']), 'The schema is up to date.\n');
    await runOk(sandbox, ['apply', '-'], DOCUMENT);
    assert.match(await runOk(sandbox, ['export', 'acme']), /slug: rocket/);
    assert.equal((await doctor(sandbox)).code, 0);
    assert.deepEqual(await query(sandbox, 'select id from invoices'), [{ id: 7 }]);
  });

  it('is not needed for an empty database, and is allowed there', async (t) => {
    const sandbox = sandboxOf(t);
    await execute(sandbox, 'create table short_lived (id integer)');
    await execute(sandbox, 'drop table short_lived');
    assert.match(await runOk(sandbox, ['migrate', '--into-existing']), /Updated the schema/);
    assert.equal((await run(sandbox, ['migrate', '--into-existing'])).stdout, 'The schema is up to date.\n');
    assert.deepEqual((await dump(sandbox))?.teams, []);
  });
});
