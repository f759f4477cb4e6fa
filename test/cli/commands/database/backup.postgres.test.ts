import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { postgresProgram } from '../../../../cluster/debian.ts';
import { seedWorld } from '../../../../support/content/world.ts';
import { databaseUrl, dump } from '../../../../support/databases/engine.ts';
import { run, runOk } from '../../../../support/program/command.ts';
import { expectFailure, sandboxOf } from '../../helpers.ts';

describe('backup and restore on PostgreSQL', () => {
  it('backup and restore name the commands of PostgreSQL, which work and have no password', async (t) => {
    const sandbox = sandboxOf(t);
    await seedWorld(sandbox);
    const message = await expectFailure(sandbox, ['backup', 'all of it.dump']);
    const [, command = ''] = /for PostgreSQL run `(pg_dump [^`]+)`, .*PGPASSWORD/.exec(message) ?? [];
    const { password } = new URL(databaseUrl(sandbox));
    assert.ok(password.length > 0 && !message.includes(password));
    assert.deepEqual(readdirSync(sandbox.folder), []);
    const programs = path.dirname(postgresProgram('pg_dump'));
    const env = { PATH: `${programs}:${process.env.PATH}`, PGPASSWORD: decodeURIComponent(password) };
    const sh = (line: string) =>
      execFileSync('sh', ['-c', line], { cwd: sandbox.folder, env, encoding: 'utf8' });
    sh(command);
    assert.match(sh("pg_restore --list 'all of it.dump'"), /TABLE DATA public versions/);
    const rows = await dump(sandbox);
    await runOk(sandbox, ['team', 'delete', 'acme', '--yes']);

    const advice = await expectFailure(sandbox, ['restore', 'all of it.dump']);
    const [, restore = ''] =
      /restores only SQLite .*for PostgreSQL run `(pg_restore [^`]+)`, .*PGPASSWORD/.exec(advice) ?? [];
    assert.ok(!advice.includes(password));
    sh(restore);
    assert.deepEqual(await dump(sandbox), rows);
  });

  it('the pg_dump command has every part of the URL but the password, quoted for a shell', async (t) => {
    const { folder } = sandboxOf(t);
    const lineFor = async (url: string) => {
      const { stderr } = await run({ folder, environment: { DATABASE_URL: url } }, ['backup', 'x']);
      assert.doesNotMatch(stderr, /hunter2/);
      return /`(pg_dump [^`]+)`/.exec(stderr)?.[1];
    };
    assert.equal(
      await lineFor('postgres://a%27b:hunter2@[::1]:5433/my%20db?sslmode=require,postgres://replica/x'),
      `pg_dump --format=custom --host=::1 --port=5433 '--username=a'\\''b' '--dbname=my db' --file=x`,
    );
    assert.equal(
      await lineFor('postgres:///changelog?host=/run/postgresql&user=changelog&password=hunter2'),
      'pg_dump --format=custom --host=/run/postgresql --port=5432 --username=changelog --dbname=changelog --file=x',
    );
    assert.equal(
      await lineFor('postgres://a%b:50%hunter2@h/100%x?user=me%40x&port=5433'),
      'pg_dump --format=custom --host=h --port=5433 --username=me@x --dbname=100%x --file=x',
    );
  });
});
