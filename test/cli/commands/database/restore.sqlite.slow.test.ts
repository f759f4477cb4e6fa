import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { Cli } from '../../../../src/cli/cli.ts';
import { STEPS } from '../../../../src/store/migrate/migrate.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../../support/content/world.ts';
import { dump, execute, query } from '../../../../support/databases/engine.ts';
import { databasePath } from '../../../../support/databases/sqlite.ts';
import { until } from '../../../../support/processes/poll.ts';
import { type Scope, sharedScope } from '../../../../support/processes/scope.ts';
import { startApp } from '../../../../support/program/app.ts';
import { createKey, doctor, run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { addLaterStep, LATER } from '../../../store/migrate/later-step.ts';
import { expectFailure, expectMisuse, runJson, sandboxOf } from '../../helpers.ts';

const NOW = '2026-05-04T09:00:00.000Z';

const at = (sandbox: Sandbox, name: string) => path.join(sandbox.folder, name);
const isSidecar = (name: string) => /-(wal|shm)$/.test(name);
/** The files of a folder, except those that SQLite keeps next to a database. */
const filesIn = (folder: string) => readdirSync(folder).filter((name) => !isSidecar(name));
const rename = (sandbox: Sandbox, name: string) =>
  execute(sandbox, `update changelogs set name = '${name}' where id = 'cl_rocket'`);

/** A database with a backup, `copy.db`, that was made before its changelog was renamed. */
async function backedUp(scope: Scope) {
  const sandbox = sandboxOf(scope, { now: NOW });
  await seedWorld(sandbox);
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  await rename(sandbox, 'Before');
  await runOk(sandbox, ['backup', 'copy.db']);
  const rows = await dump(sandbox);
  await rename(sandbox, 'After');
  return { ...sandbox, key, rows };
}

const nameOn = ({ body }: { body: string }) =>
  /"name":"(Before|After|Another|Written since)"/.exec(body)?.[1];
const nameIn = async (sandbox: Sandbox) =>
  (await query(sandbox, `select name from changelogs where id = 'cl_rocket'`))[0]?.name;

function answering(answer: string, asked: string[] = []): Partial<Cli> {
  return {
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  };
}

describe('restore', () => {
  it('the content of the backup replaces that of the database, in the same file, and leaves nothing else', async (t) => {
    const sandbox = await backedUp(t);
    const { ino } = statSync(databasePath(sandbox));
    chmodSync(databasePath(sandbox), 0o640);
    const copy = readFileSync(at(sandbox, 'copy.db'));
    const told = await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.match(
      told,
      /^Restored \S+\/changelog\.db from copy\.db \([\d.]+ MiB\): 2 teams, \d+ products, \d+ versions and \d+ API keys\. Keys and states are those of the backup\.\n$/,
    );
    // Both are about which writes there were, and not content.
    const wanted = { ...sandbox.rows, revision: null, touches: null };
    assert.deepEqual({ ...(await dump(sandbox)), revision: null, touches: null }, wanted);
    const after = statSync(databasePath(sandbox));
    assert.deepEqual([after.ino, after.mode & 0o777], [ino, 0o640]);
    assert.ok(readFileSync(at(sandbox, 'copy.db')).equals(copy));
    assert.deepEqual(filesIn(sandbox.folder), ['changelog.db', 'copy.db']);
    const { code, stdout } = await doctor(sandbox);
    assert.equal(code, 0, stdout);
  });

  it('a running server serves the backup with its next response, whichever of the two is newer, and nothing that it has cached', async (t) => {
    const sandbox = await backedUp(t);
    const { app } = await startApp(t, sandbox);
    const shown = async () => nameOn(await app.inject(PUBLIC_FEED));
    const asTeam = async (key: string) =>
      (await app.inject({ url: TEAM_FEED, headers: { authorization: `Bearer ${key}` } })).statusCode;
    assert.equal(await shown(), 'After');
    const { key: later } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    assert.deepEqual([await asTeam(later), await asTeam(sandbox.key)], [200, 200]);
    await runOk(sandbox, ['backup', 'later.db']);

    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(await shown(), 'Before');
    assert.deepEqual([await asTeam(later), await asTeam(sandbox.key)], [401, 200]);

    // This one has another history, in which the revisions of `later.db` mean other content.
    await rename(sandbox, 'Another');
    assert.equal(await shown(), 'Another');
    await runOk(sandbox, ['restore', 'later.db', '--yes']);
    assert.equal(await shown(), 'After');
    assert.deepEqual([await asTeam(later), await asTeam(sandbox.key)], [200, 200]);
    await rename(sandbox, 'Written since');
    assert.equal(await shown(), 'Written since');
  });

  it('a restore waits for the transaction of another process, and replaces all that it has written', async (t) => {
    const sandbox = await backedUp(t);
    const writer = new Sqlite(databasePath(sandbox));
    t.after(() => void writer.close());
    writer.exec(`begin immediate; update changelogs set name = 'In flight'`);
    const restored = runOk(sandbox, ['restore', 'copy.db', '--yes']);
    await until('it waits for the lock', async () =>
      readdirSync(sandbox.folder).some((name) => name.startsWith('.changelog-')),
    );
    assert.equal(await nameIn(sandbox), 'After');
    writer.exec('commit');
    await restored;
    assert.equal(await nameIn(sandbox), 'Before');
    assert.deepEqual(writer.pragma('integrity_check', { simple: true }), 'ok');
  });

  it('what hooks have announced since the backup stays announced, and versions that are not in the backup leave nothing', async (t) => {
    const sandbox = await backedUp(t);
    const [version] = await query(sandbox, 'select min(id) as id from versions');
    await execute(
      sandbox,
      `insert into hook_deliveries (hook, kind, about, state, due_at) values ('chat', 'watch', '', 'known', '')`,
    );
    for (const [id, state] of [
      [version?.id, 'sent'],
      ['ver_gone', 'sent'],
      ['ver_waiting', 'pending'],
    ])
      await execute(
        sandbox,
        `insert into hook_deliveries (hook, kind, about, state, message_id, due_at)
          values ('chat', 'announcement', '${id}', '${state}', 'msg_1', '')`,
      );
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.deepEqual(
      await query(sandbox, 'select hook, about, state, message_id from hook_deliveries order by kind, about'),
      [
        { hook: 'chat', about: version?.id, state: 'sent', message_id: 'msg_1' },
        { hook: 'chat', about: '', state: 'known', message_id: '' },
      ],
    );
  });

  it('a restore whose log cannot be moved into the file yet has succeeded, and says so', async (t) => {
    const sandbox = await backedUp(t);
    const { pragma } = Sqlite.prototype;
    t.mock.method(Sqlite.prototype, 'pragma', function (this: Sqlite.Database, ...args: [string]) {
      if (args[0].startsWith('wal_checkpoint'))
        throw new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
      return pragma.apply(this, args);
    });
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    t.mock.restoreAll();
    assert.equal(await nameIn(sandbox), 'Before');
  });

  it('asks before content is replaced; without a terminal, it never asks', async (t) => {
    const sandbox = await backedUp(t);
    const what = `${databasePath(sandbox)} (2 teams, 10 products, 9 versions and 3 API keys)`;
    const asked: string[] = [];
    const refused = await run(sandbox, ['restore', 'copy.db'], '', answering('n', asked));
    assert.deepEqual(
      [refused.code, refused.stderr],
      [1, 'changelog: nothing was replaced; answer y or use --yes\n'],
    );
    assert.equal(
      asked[0]?.replace(
        /\d+ products, \d+ versions and \d+ API keys/,
        '10 products, 9 versions and 3 API keys',
      ),
      `Replace ${what}? [y/N] `,
    );
    assert.equal((await run(sandbox, ['restore', 'copy.db'], '', answering('y'))).code, 0);
    assert.equal(await nameIn(sandbox), 'Before');
    await execute(sandbox, `update teams set name = 'After'`);
    await runOk(sandbox, ['restore', 'copy.db']);
    assert.equal(await nameIn(sandbox), 'Before');
  });

  it('needs no answer where there is no content, and creates a database that is missing, only for this user', async (t) => {
    const { folder } = await backedUp(t);
    const emptied = sandboxOf(t);
    await runOk(emptied, ['migrate']);
    const { content } = await runJson<{ content: { teams: number } }>(emptied, [
      'restore',
      path.join(folder, 'copy.db'),
    ]);
    assert.equal(content.teams, 2);

    const missing = { folder, environment: { DATABASE_URL: `sqlite:${folder}/data/changelog.db` } };
    mkdirSync(path.join(folder, 'data'));
    await runOk(missing, ['restore', 'copy.db']);
    assert.equal(statSync(path.join(folder, 'data/changelog.db')).mode & 0o777, 0o600);
    assert.equal((await runJson<unknown[]>(missing, ['team', 'list'])).length, 2);
    assert.equal((await run(sandboxAt(folder, 'new/folder'), ['restore', 'copy.db'])).code, 0);
  });

  it('updates an older schema, unless AUTO_MIGRATE is false, and refuses a newer one', async (t) => {
    const sandbox = await backedUp(t);
    addLaterStep(t);
    assert.match(
      await expectFailure({ ...sandbox, environment: { AUTO_MIGRATE: 'false' } }, [
        'restore',
        'copy.db',
        '--yes',
      ]),
      /copy\.db has an older schema, and AUTO_MIGRATE is false: restore it with AUTO_MIGRATE=true/,
    );
    assert.match(
      await runOk(sandbox, ['restore', 'copy.db', '--yes']),
      /^Updated the schema: 9000_later\.$/m,
    );
    assert.deepEqual(await query(sandbox, 'select distinct later from teams'), [{ later: 1 }]);
    await runOk(sandbox, ['backup', 'newer.db']);
    const steps = STEPS as (typeof LATER)[];
    steps.splice(steps.indexOf(LATER), 1);
    try {
      const { code, stderr } = await run(sandbox, ['restore', 'newer.db', '--yes']);
      assert.equal(code, 1);
      assert.match(stderr, /was made by a newer version of this program: use that version/);
      // The way back after an upgrade: the present database is the newer one.
      await runOk(sandbox, ['restore', 'copy.db', '--yes']);
      assert.equal(await nameIn(sandbox), 'Before');
    } finally {
      steps.push(LATER);
    }
  });

  it('a backup and a database that are not in WAL mode are restored too', async (t) => {
    const sandbox = await backedUp(t);
    const other = new Sqlite(at(sandbox, 'copy.db'));
    other.pragma('journal_mode = delete');
    other.close();
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(await nameIn(sandbox), 'Before');
    assert.deepEqual(await query(sandbox, 'pragma journal_mode'), [{ journal_mode: 'wal' }]);
    await rename(sandbox, 'After');
    const database = new Sqlite(databasePath(sandbox));
    database.pragma('journal_mode = delete');
    database.close();
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(await nameIn(sandbox), 'Before');
  });

  it('a damaged database is not replaced; once it is moved away, the backup takes its place, and a server recovers', async (t) => {
    const sandbox = await backedUp(t);
    const { app } = await startApp(t, sandbox);
    const shown = async () => nameOn(await app.inject(PUBLIC_FEED));
    assert.equal(await shown(), 'After');
    const garbage = 'not a database, and long enough to be looked at as one'.repeat(100);
    writeFileSync(databasePath(sandbox), garbage);
    const { code, stderr } = await run(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /changelog\.db is damaged: file is not a database\. Move it away, with \S+-wal and \S+-shm, and run this again/,
    );
    assert.equal(readFileSync(databasePath(sandbox), 'utf8'), garbage);
    for (const suffix of ['', '-wal', '-shm'])
      renameSync(databasePath(sandbox) + suffix, at(sandbox, `damaged.db${suffix}`));
    await runOk(sandbox, ['restore', 'copy.db']);
    await until('the server has the new file', async () => (await shown()) === 'Before');
    assert.match((await doctor(sandbox)).stdout, /opens and is intact/);
  });
});

describe('a backup with a schema of somebody else', () => {
  const OPEN = `create trigger open_up after update on teams begin update teams set visibility = 'public'; end`;
  const cases: Record<string, [statements: string[], named: string]> = {
    'a foreign trigger': [[OPEN], 'trigger open_up'],
    'a foreign view': [['create view shown as select * from teams'], 'view shown'],
    'a foreign index on our table': [['create index by_name on teams (name)'], 'index by_name'],
    'another column': [['alter table teams add column more text'], 'table teams'],
    'one trigger less and one more': [
      ['drop trigger versions_on_insert', OPEN],
      'trigger open_up, trigger versions_on_insert',
    ],
  };
  for (const [what, [statements, named]] of Object.entries(cases)) {
    it(`is refused for ${what}, which is named, and nothing is written`, async (t) => {
      const sandbox = await backedUp(t);
      const before = await dump(sandbox);
      changeFile(at(sandbox, 'copy.db'), statements);
      assert.match(
        await expectFailure(sandbox, ['restore', 'copy.db', '--yes']),
        new RegExp(
          `copy\\.db does not have the schema .* Foreign, changed or missing: ${named}\\. Restore a backup`,
        ),
      );
      assert.deepEqual(await dump(sandbox), before);
      assert.deepEqual(filesIn(sandbox.folder), ['changelog.db', 'copy.db']);
    });
  }

  it('is restored if it only has tables of another program next to ours, and statistics', async (t) => {
    const sandbox = await backedUp(t);
    changeFile(at(sandbox, 'copy.db'), [
      'create table bookmarks (id integer primary key autoincrement, url text unique)',
      'create index bookmarks_by_url on bookmarks (url)',
      'create virtual table notes using fts5 (text)',
      "insert into bookmarks (url) values ('x')",
      'analyze',
    ]);
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(await nameIn(sandbox), 'Before');
    assert.deepEqual(await query(sandbox, 'select url from bookmarks'), [{ url: 'x' }]);
  });

  it('is not what an earlier version made, with fewer schema steps', async (t) => {
    const sandbox = await backedUp(t);
    addLaterStep(t);
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(await nameIn(sandbox), 'Before');
    changeFile(at(sandbox, 'copy.db'), [OPEN]);
    assert.match(
      await expectFailure(sandbox, ['restore', 'copy.db', '--yes']),
      /missing: trigger open_up\. /,
    );
  });

  it('is refused with how to move its content if it is of an earlier schema', async (t) => {
    const sandbox = await backedUp(t);
    changeFile(at(sandbox, 'copy.db'), [`update schema_migrations set name = '0001_first_schema'`]);
    assert.match(
      await expectFailure(sandbox, ['restore', 'copy.db', '--yes']),
      /an earlier version of this program and cannot be upgraded; nothing was changed\. Export each team/,
    );
  });
});

function changeFile(file: string, statements: readonly string[]): void {
  const database = new Sqlite(file);
  for (const statement of statements) database.exec(statement);
  database.pragma('journal_mode = delete');
  database.close();
}

const sandboxAt = (folder: string, below: string): Sandbox => ({
  folder,
  environment: { DATABASE_URL: `sqlite:${folder}/${below}/changelog.db` },
});

describe('a restore that fails', () => {
  const scope = sharedScope();
  const sandbox = sandboxOf(scope);
  before(async () => {
    await seedWorld(sandbox);
    await runOk(sandbox, ['backup', 'copy.db']);
    mkdirSync(at(sandbox, 'folder'));
    linkSync(databasePath(sandbox), at(sandbox, 'hard.db'));
    symlinkSync('changelog.db', at(sandbox, 'soft.db'));
    writeFileSync(at(sandbox, 'notes.txt'), 'SQLite is a database.');
    writeFileSync(at(sandbox, 'empty.db'), '');
    copyFileSync(at(sandbox, 'copy.db'), at(sandbox, 'used.db'));
    writeFileSync(at(sandbox, 'used.db-wal'), 'x');
    copyFileSync(at(sandbox, 'copy.db'), at(sandbox, 'short.db'));
    truncateSync(at(sandbox, 'short.db'), 4096 * 20);
    const damaged = readFileSync(at(sandbox, 'copy.db'));
    damaged.fill(7, 4096 * 10);
    writeFileSync(at(sandbox, 'damaged.db'), damaged);
    const other = new Sqlite(at(sandbox, 'other.db'));
    other.exec('create table bookmarks (id integer)');
    other.close();
  });

  const refused: Record<string, [file: string, message: RegExp]> = {
    'the database itself': ['changelog.db', /changelog\.db is the database itself/],
    'its write-ahead log': ['changelog.db-wal', /changelog\.db-wal is the database itself, or belongs to it/],
    'a hard link to it': ['hard.db', /hard\.db is the database itself/],
    'a symbolic link to it': ['soft.db', /soft\.db is the database itself/],
    'a file that does not exist': ['none.db', /none\.db does not exist/],
    'a directory': ['folder', /folder does not exist, or is not a SQLite database/],
    'another kind of file': ['notes.txt', /notes\.txt does not exist, or is not a SQLite database/],
    'an empty file': ['empty.db', /empty\.db does not exist, or is not a SQLite database/],
    'a device': ['/dev/null', /\/dev\/null does not exist, or is not a SQLite database/],
    'a database in use': ['used.db', /used\.db is in use as a database, .*: used\.db-wal is not empty/],
    'a file that was cut off': ['short.db', /short\.db is damaged: .*Restore an older backup/],
    'a damaged file': ['damaged.db', /damaged\.db is damaged: .*Restore an older backup/],
    'a database of another program': ['other.db', /other\.db has no tables of this program/],
  };
  for (const [what, [file, message]] of Object.entries(refused)) {
    it(`\`restore\` of ${what} is refused, and changes nothing`, async () => {
      const look = () => filesIn(sandbox.folder).map((name) => [name, statSync(at(sandbox, name)).ino]);
      const before = look();
      assert.match(await expectFailure(sandbox, ['restore', file, '--yes']), message);
      assert.deepEqual(look(), before);
    });
  }

  it('a database of another program is not replaced', async () => {
    const other = {
      folder: sandbox.folder,
      environment: { DATABASE_URL: `sqlite:${at(sandbox, 'other.db')}` },
    };
    const { code, stderr } = await run(other, ['restore', 'copy.db', '--yes']);
    assert.equal(code, 1);
    assert.match(stderr, /bookmarks/);
    assert.match(await expectMisuse(sandbox, ['restore']), /missing required argument 'file'/);
  });

  it('a signal stops a restore that waits for another process, and leaves the database and no temporary file', async (t) => {
    const own = await backedUp(t);
    const writer = new Sqlite(databasePath(own));
    t.after(() => void writer.close());
    writer.exec('begin immediate');
    const stopWhenWaiting = () => {
      if (readdirSync(own.folder).some((name) => name.startsWith('.changelog-')))
        process.emit('SIGHUP', 'SIGHUP');
      else setImmediate(stopWhenWaiting);
    };
    stopWhenWaiting();
    const { code, stderr } = await run(own, ['restore', 'copy.db', '--yes']);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: stopped by SIGHUP; \S+\/changelog\.db was left as it was\.\n$/);
    writer.exec('rollback');
    assert.equal(await nameIn(own), 'After');
    assert.deepEqual(filesIn(own.folder), ['changelog.db', 'copy.db']);
  });
});
