// Which database `init` uses, and where it writes that down.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { databaseUrl, dump, execute, provideMigrated, query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { command } from './command.ts';

const DEFAULT = 'data/changelog.db';
/** A project whose `.env` names the database of its application, with or without a newline at its end. */
async function applicationOf(t: TestContext, end = '\n') {
  const folder = temporaryFolder(t);
  await execute({ folder }, 'create table invoices (id integer)');
  const file = path.join(folder, '.env');
  const text = `# Ours\nDATABASE_URL='${databaseUrl({ folder })}'${end}`;
  writeFileSync(file, text, { mode: 0o640 });
  return { folder, text, dotEnv: () => readFileSync(file, 'utf8') };
}

describe('init where an application has a DATABASE_URL', () => {
  it('does not use it, and says how to', async (t) => {
    const { folder, text, dotEnv } = await applicationOf(t, '');
    const before = await dump({ folder });
    const said = await command({ folder, answers: [''] }, 'init');
    assert.equal(said.code, 0, said.stderr);
    assert.match(
      said.stderr,
      /^DATABASE_URL is set in \.env, perhaps for an application, and is not used\. To use that database, set CHANGELOG_DATABASE_URL to it\.$/m,
    );
    assert.match(
      said.stderr,
      /^Added CHANGELOG_DATABASE_URL and CHANGELOG_LISTING to \.env, which existed\.$/m,
    );
    assert.match(said.stdout, /^= \.env \(already exists\)$/m);
    assert.equal(dotEnv(), `${text}\nCHANGELOG_DATABASE_URL=sqlite:${DEFAULT}\nCHANGELOG_LISTING=all\n`);
    assert.equal((statSync(path.join(folder, '.env')).mode & 0o777).toString(8), '640');
    assert.deepEqual(await dump({ folder }), before);
    // From now on, the directory has a database of this program.
    const again = await command({ folder }, 'init');
    assert.match(again.stderr, /Everything is set up already/);
  });

  it('with --yes, takes a file instead, also if that database is empty, and says so', async (t) => {
    for (const statement of ['drop table invoices', 'delete from invoices']) {
      const { folder, text, dotEnv } = await applicationOf(t);
      await execute({ folder }, statement);
      const before = await dump({ folder });
      const { code, stdout, stderr } = await command({ folder }, 'init', '--yes');
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /^DATABASE_URL is set in \.env, perhaps for an application, and is not used\. To use that database, set CHANGELOG_DATABASE_URL to it\.$/m,
      );
      assert.match(stdout, /^\+ database data\/changelog\.db$/m);
      assert.doesNotMatch(stderr, /wins over/);
      assert.equal(dotEnv(), `${text}CHANGELOG_DATABASE_URL=sqlite:${DEFAULT}\nCHANGELOG_LISTING=all\n`);
      assert.deepEqual(await dump({ folder }), before);
      assert.match((await command({ folder }, 'init', '--yes')).stderr, /Everything is set up already/);
    }
  });

  it('with --yes, takes a file also if it is in the environment, and says what later commands need', async (t) => {
    const { folder } = await applicationOf(t);
    rmSync(path.join(folder, '.env'));
    await execute({ folder }, 'drop table invoices');
    const before = await dump({ folder });
    const environment = { DATABASE_URL: databaseUrl({ folder }) };
    for (const isFirst of [true, false]) {
      const { code, stdout, stderr } = await command({ folder, environment }, 'init', '--yes');
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /^Before you run other commands: DATABASE_URL in the environment wins over \.env, so set CHANGELOG_DATABASE_URL=sqlite:data\/changelog\.db there\.$/m,
      );
      assert.match(stdout, /^[+=] database data\/changelog\.db/m);
      assert.match(stderr, isFirst ? /in the environment, perhaps for/ : /Everything is set up already/);
    }
    assert.equal(
      readFileSync(path.join(folder, '.env'), 'utf8'),
      `CHANGELOG_DATABASE_URL=sqlite:${DEFAULT}\nCHANGELOG_LISTING=all\n`,
    );
    assert.deepEqual(await dump({ folder }), before);
  });

  it('with --yes --database, uses that one, and adds it to .env', async (t) => {
    const { folder, text, dotEnv } = await applicationOf(t);
    const before = await dump({ folder });
    const done = await command({ folder }, 'init', '--yes', '--database', 'sqlite:own.db');
    assert.equal(done.code, 0, done.stderr);
    assert.equal(dotEnv(), `${text}CHANGELOG_DATABASE_URL=sqlite:own.db\nCHANGELOG_LISTING=all\n`);
    const other = await command({ folder }, 'init', '--yes', '--database', 'sqlite:other.db');
    assert.equal(other.code, 0, other.stderr);
    assert.match(
      dotEnv(),
      /=sqlite:own\.db\nCHANGELOG_LISTING=all\nCHANGELOG_DATABASE_URL=sqlite:other\.db\n$/,
    );
    assert.match((await command({ folder }, 'init')).stdout, /^= database other\.db/m);
    assert.deepEqual(await dump({ folder }), before);
  });

  it('with --yes, uses a file that the environment names and that does not exist, as in a new container', async (t) => {
    const folder = temporaryFolder(t);
    const environment = { DATABASE_URL: 'sqlite:new.db' };
    const { code, stdout, stderr } = await command({ folder, environment }, 'init', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\+ database new\.db$/m);
    assert.ok(!existsSync(path.join(folder, '.env')));
    const other = temporaryFolder(t);
    writeFileSync(path.join(other, '.env'), 'DATABASE_URL=sqlite:application.db\n');
    assert.match(
      (await command({ folder: other }, 'init', '--yes')).stdout,
      /^\+ database data\/changelog\.db$/m,
    );
    assert.equal(existsSync(path.join(other, 'application.db')), false);
  });

  it('uses a database with tables of this program, whatever the name of its variable', async (t) => {
    const folder = temporaryFolder(t);
    await provideMigrated({ folder });
    writeFileSync(path.join(folder, '.env'), `DATABASE_URL=${databaseUrl({ folder })}\n`, { mode: 0o600 });
    const { code, questions, stderr } = await command({ folder, answers: ['Acme'] }, 'init');
    assert.deepEqual([code, questions.length], [0, 1], stderr);
    assert.deepEqual(await query({ folder }, 'select slug from teams'), [{ slug: 'acme' }]);
    assert.match((await command({ folder }, 'init')).stderr, /Everything is set up already/);
  });

  it('uses one in the environment with tables of this program, whatever .env has with the prefix', async (t) => {
    const folder = temporaryFolder(t);
    await provideMigrated({ folder });
    writeFileSync(path.join(folder, '.env'), 'CHANGELOG_DATABASE_URL=postgres://192.0.2.1:1/x\n');
    const environment = { DATABASE_URL: databaseUrl({ folder }) };
    const { code, stderr } = await command({ folder, environment }, 'init', '--yes', '--team', 'Acme');
    assert.equal(code, 0, stderr);
    assert.deepEqual(await query({ folder }, 'select slug from teams'), [{ slug: 'acme' }]);
    assert.doesNotMatch(stderr, /wins over/);
  });

  it('is not in the way if this program cannot use it', async (t) => {
    for (const url of ['mysql://app:hunter2@127.0.0.1/app', 'postgres://app:hunter2@127.0.0.1:1/app'])
      for (const asked of [{ args: ['--yes'] }, { args: [], answers: [''] }]) {
        const folder = temporaryFolder(t);
        const file = path.join(folder, '.env');
        writeFileSync(file, `DATABASE_URL=${url}\n`, { mode: 0o600 });
        const { code, stdout, stderr } = await command({ folder, ...asked }, 'init', ...asked.args);
        assert.equal(code, 0, stderr);
        assert.match(
          readFileSync(file, 'utf8'),
          /\nCHANGELOG_DATABASE_URL=sqlite:data\/changelog\.db\nCHANGELOG_LISTING=all\n$/,
        );
        assert.doesNotMatch(stdout + stderr, /hunter2/);
      }
  });

  it('refuses an invalid CHANGELOG_DATABASE_URL, which is not an application’s', async (t) => {
    const folder = temporaryFolder(t);
    const environment = { CHANGELOG_DATABASE_URL: 'mysql://app:hunter2@127.0.0.1/app' };
    const { code, stderr } = await command({ folder, environment }, 'init', '--yes');
    assert.deepEqual([code, existsSync(path.join(folder, 'data'))], [1, false]);
    assert.match(stderr, /^changelog: CHANGELOG_DATABASE_URL is not valid; it must be sqlite:PATH or /);
    assert.doesNotMatch(stderr, /hunter2/);
  });

  it('refuses --database if CHANGELOG_DATABASE_URL in the environment would win over it', async (t) => {
    const folder = temporaryFolder(t);
    const environment = { CHANGELOG_DATABASE_URL: 'sqlite:a.db' };
    const { code, stderr } = await command(
      { folder, environment },
      'init',
      '--yes',
      '--database',
      'sqlite:b.db',
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^changelog: CHANGELOG_DATABASE_URL is set to another database in the environment; /,
    );
  });

  it('takes its line back if it fails', async (t) => {
    const { folder, text, dotEnv } = await applicationOf(t);
    writeFileSync(path.join(folder, 'data'), 'no folder');
    const failed = await command({ folder }, 'init', '--yes', '--database', 'sqlite:own.db');
    assert.deepEqual([failed.code, dotEnv()], [1, text]);
  });

  it('quotes a path with spaces in .env', async (t) => {
    const folder = temporaryFolder(t);
    const done = await command({ folder }, 'init', '--yes', '--database', 'sqlite:my own.db');
    assert.equal(done.code, 0, done.stderr);
    assert.match((await command({ folder }, 'init')).stdout, /^= database my own\.db/m);
    assert.equal((await command({ folder }, 'init', '--yes', '--database', "sqlite:'.db")).code, 2);
  });
});
