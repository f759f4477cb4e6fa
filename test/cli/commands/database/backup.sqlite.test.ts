import assert from 'node:assert/strict';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { loadCopies } from '../../../../src/store/engine/open.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../../support/content/world.ts';
import { execute, query } from '../../../../support/databases/engine.ts';
import { databasePath } from '../../../../support/databases/sqlite.ts';
import { sharedScope } from '../../../../support/processes/scope.ts';
import { doctor, run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { spawnServer } from '../../../../support/program/process.ts';
import { addLaterStep } from '../../../store/migrate/later-step.ts';
import { expectFailure, expectMisuse, runJson, sandboxOf } from '../../helpers.ts';

const OWNER_ONLY = 0o600;
/** More than one step of the copy. */
const PADDING = ['create table padding (bytes blob)', 'insert into padding values (randomblob(12000000))'];

const at = (sandbox: Sandbox, name: string) => path.join(sandbox.folder, name);
/** The files of a folder, except those that SQLite keeps next to a database. */
const filesIn = (folder: string) => readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
const isTemporary = (name: string) => name.startsWith('.changelog-');

function copyOf(sandbox: Sandbox, name: string): Sandbox {
  return { folder: sandbox.folder, environment: { DATABASE_URL: `sqlite:${at(sandbox, name)}` } };
}

describe('backup', () => {
  it('a copy made while the database is served and written to passes doctor and serves the same responses', async (t) => {
    const sandbox = sandboxOf(t);
    const { full } = await seedWorld(sandbox);
    for (const statement of PADDING) await execute(sandbox, statement);
    const server = await spawnServer(t, sandbox, { KEY_USAGE: 'off' });
    const writer = new Sqlite(databasePath(sandbox));
    t.after(() => void writer.close());
    writer.exec('create table pairs (a integer, b integer); insert into pairs values (0, 0)');
    let commits = 0;
    let isDone = false;
    const commit = () => {
      if (isDone) return;
      writer.exec('begin; update pairs set a = a + 1; update pairs set b = b + 1; commit');
      commits++;
      setImmediate(commit);
    };
    commit();
    const { bytes, ...told } = await runJson<{ bytes: number }>(sandbox, ['backup', 'copy.db']);
    isDone = true;
    assert.deepEqual(told, { database: databasePath(sandbox), file: 'copy.db' });
    assert.ok(commits > 3, `${commits} commits`);
    assert.equal(statSync(at(sandbox, 'copy.db')).size, bytes);
    assert.equal(statSync(at(sandbox, 'copy.db')).mode & 0o777, OWNER_ONLY);

    const copy = copyOf(sandbox, 'copy.db');
    const { code, stdout } = await doctor(copy);
    assert.equal(code, 0, stdout);
    const opened = new Sqlite(at(sandbox, 'copy.db'), { readonly: true });
    t.after(() => void opened.close());
    assert.equal(opened.prepare('select a = b from pairs').pluck().get(), 1);
    assert.equal(opened.pragma('journal_mode', { simple: true }), 'wal');
    const copied = await spawnServer(t, copy, { KEY_USAGE: 'off' });
    for (const route of [PUBLIC_FEED, TEAM_FEED, `${PUBLIC_FEED}/versions/latest`]) {
      const [expected, actual] = await Promise.all(
        [server, copied].map(async ({ address }) => {
          const response = await fetch(address + route, { headers: { authorization: `Bearer ${full}` } });
          return [response.status, response.headers.get('etag'), await response.text()];
        }),
      );
      assert.equal(expected?.[0], 200);
      assert.deepEqual(actual, expected);
    }
  });

  it('a commit of another process between two steps does not restart the copy', async (t) => {
    const sandbox = sandboxOf(t);
    await seedWorld(sandbox);
    for (const statement of PADDING) await execute(sandbox, statement);
    const writer = new Sqlite(databasePath(sandbox));
    t.after(() => void writer.close());
    const { copyDatabase } = await loadCopies();
    const steps: number[] = [];
    await copyDatabase(databasePath(sandbox), at(sandbox, 'copy.db'), (bytes) => {
      steps.push(bytes);
      writer.exec(`update teams set name = 'later ${steps.length}'`);
    });
    assert.ok(steps.length > 2 && steps.length < 10, steps.join(' '));
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    const copy = new Sqlite(at(sandbox, 'copy.db'), { readonly: true });
    t.after(() => void copy.close());
    assert.equal(copy.prepare(`select count(*) from teams where name like 'later%'`).pluck().get(), 0);
  });

  it('a copy replaces an older one, also behind a symbolic link, and leaves nothing else', async (t) => {
    const sandbox = sandboxOf(t);
    await runOk(sandbox, ['migrate']);
    mkdirSync(at(sandbox, 'backup'));
    symlinkSync('backup/copy.db', at(sandbox, 'link.db'));
    for (const [name, team] of [
      ['backup/copy.db', 'first'],
      ['backup/copy.db', 'second'],
      ['link.db', 'third'],
    ] as const) {
      await execute(
        sandbox,
        `insert into teams (slug, name, visibility, plan) values ('${team}', 'x', 'private', 'free')`,
      );
      assert.match(
        await runOk(sandbox, ['backup', name]),
        /^Copied \S+\/changelog\.db to \S+ \([\d.]+ MiB\)\.\n$/,
      );
      const teams = await runJson<{ slug: string }[]>(copyOf(sandbox, 'backup/copy.db'), ['team', 'list']);
      assert.ok(teams.some(({ slug }) => slug === team));
    }
    assert.deepEqual(filesIn(at(sandbox, 'backup')), ['copy.db']);
    assert.equal(statSync(at(sandbox, 'backup/copy.db')).mode & 0o777, OWNER_ONLY);
  });

  it('while a copy is written, nobody else can put a journal or a link next to it', async (t) => {
    const sandbox = sandboxOf(t);
    await runOk(sandbox, ['migrate']);
    for (const statement of PADDING) await execute(sandbox, statement);
    const modes = new Set<string>();
    let isDone = false;
    const look = () => {
      if (isDone) return;
      for (const name of readdirSync(sandbox.folder).filter(isTemporary)) {
        const found = statSync(at(sandbox, name), { throwIfNoEntry: false });
        if (found) modes.add(`${found.isDirectory()} ${(found.mode & 0o777).toString(8)}`);
      }
      setImmediate(look);
    };
    look();
    await runOk(sandbox, ['backup', 'copy.db']);
    isDone = true;
    assert.deepEqual([...modes], ['true 700']);
  });

  it('a database with an older schema is copied as it is, and not migrated', async (t) => {
    const sandbox = sandboxOf(t);
    const stepsIn = (file: string) => {
      const database = new Sqlite(file, { readonly: true });
      const steps = database.prepare('select count(*) from schema_migrations').pluck().get();
      database.close();
      return steps;
    };
    await runOk(sandbox, ['migrate']);
    const steps = stepsIn(databasePath(sandbox));
    addLaterStep(t);
    await runOk(sandbox, ['backup', 'copy.db']);
    for (const file of [databasePath(sandbox), at(sandbox, 'copy.db')]) assert.equal(stepsIn(file), steps);
  });

  it('a copy goes to the file that a symbolic link names, also if that does not exist yet', async (t) => {
    const sandbox = sandboxOf(t);
    await runOk(sandbox, ['migrate']);
    mkdirSync(at(sandbox, 'disk/backup'), { recursive: true });
    symlinkSync('disk/backup', at(sandbox, 'backup'));
    symlinkSync('../first.db', at(sandbox, 'backup/latest.db'));
    await runOk(sandbox, ['backup', 'backup/latest.db']);
    assert.deepEqual(readdirSync(at(sandbox, 'disk')), ['backup', 'first.db']);
    assert.ok(lstatSync(at(sandbox, 'backup/latest.db')).isSymbolicLink());
  });

  it('backup without a database refuses and creates nothing', async (t) => {
    const sandbox = sandboxOf(t);
    assert.match(await expectFailure(sandbox, ['backup', 'copy.db']), /there is no database at /);
    assert.deepEqual(readdirSync(sandbox.folder), []);
    assert.match(await expectMisuse(sandbox, ['backup']), /missing required argument 'file'/);
  });
});

describe('a backup that fails', () => {
  const scope = sharedScope();
  const sandbox = sandboxOf(scope);
  before(async () => {
    await seedWorld(sandbox);
    mkdirSync(at(sandbox, 'folder'));
    linkSync(databasePath(sandbox), at(sandbox, 'hard.db'));
    symlinkSync('changelog.db', at(sandbox, 'soft.db'));
    writeFileSync(at(sandbox, 'notes.txt'), 'SQLite is a database.');
    writeFileSync(at(sandbox, 'used.db'), '');
    writeFileSync(at(sandbox, 'used.db-wal'), 'x');
  });

  const refused: Record<string, [file: string, message: RegExp]> = {
    'the database itself': ['changelog.db', /changelog\.db is the database itself/],
    'its write-ahead log': ['changelog.db-wal', /changelog\.db-wal is the database itself, or belongs to it/],
    'a hard link to it': ['hard.db', /hard\.db is the database itself/],
    'a symbolic link to it': ['soft.db', /soft\.db is the database itself/],
    'a directory': ['folder', /folder is a directory; name a file in it, such as folder\/changelog\.db/],
    'another kind of file': ['notes.txt', /notes\.txt exists and is not a copy of a database/],
    'a device': ['/dev/null', /\/dev\/null exists and is not a copy of a database/],
    'a database in use': ['used.db', /used\.db is in use as a database, .*: used\.db-wal is not empty/],
    'a directory that does not exist': [
      'no/copy.db',
      /\S+\/no\/copy\.db cannot be written: its directory does not exist; create it/,
    ],
    'a file in place of a directory': [
      'notes.txt/copy.db',
      /notes\.txt\/copy\.db cannot be written: ENOTDIR/,
    ],
  };
  for (const [what, [file, message]] of Object.entries(refused)) {
    it(`\`backup\` to ${what} is refused, and changes nothing`, async () => {
      const look = () => filesIn(sandbox.folder).map((name) => [name, statSync(at(sandbox, name)).ino]);
      const before = look();
      assert.match(await expectFailure(sandbox, ['backup', file]), message);
      assert.deepEqual(look(), before);
      assert.equal(readFileSync(at(sandbox, 'notes.txt'), 'utf8'), 'SQLite is a database.');
    });
  }

  it('a damaged database does not replace an intact copy', async (t) => {
    const own = sandboxOf(t);
    await runOk(own, ['migrate']);
    for (const statement of PADDING) await execute(own, statement);
    await runOk(own, ['backup', 'copy.db']);
    const intact = readFileSync(at(own, 'copy.db'));
    // The pages of the padding, which are the last, become those of another one.
    const damaged = intact.subarray(0, -4096 * 10);
    writeFileSync(databasePath(own), Buffer.concat([damaged, Buffer.alloc(4096 * 10, 1)]));
    const { code, stderr } = await run(own, ['backup', 'copy.db']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^changelog: the database \S+ is damaged: .+\. No copy was made; restore an older one\.\n$/,
    );
    assert.ok(readFileSync(at(own, 'copy.db')).equals(intact));
    assert.deepEqual(filesIn(own.folder), ['changelog.db', 'copy.db']);
    assert.match(
      (await doctor(own)).stdout,
      /^wrong {2}database +\S+ is damaged: (?!\*).+ Restore a backup with `\S+ restore`\.$/m,
    );
  });

  it('a database without tables does not replace a copy', async (t) => {
    const own = sandboxOf(t);
    await runOk(own, ['migrate']);
    await runOk(own, ['backup', 'copy.db']);
    const copy = readFileSync(at(own, 'copy.db'));
    writeFileSync(databasePath(own), '');
    assert.match(
      await expectFailure(own, ['backup', 'copy.db']),
      /the database has no tables of this program: check DATABASE_URL/,
    );
    assert.ok(readFileSync(at(own, 'copy.db')).equals(copy));
  });

  it('a signal stops a copy, and leaves the older one and no temporary file', async (t) => {
    const own = sandboxOf(t);
    await seedWorld(own);
    await runOk(own, ['backup', 'copy.db']);
    const older = readFileSync(at(own, 'copy.db'));
    for (const statement of PADDING) await execute(own, statement);
    const stopWhenCopying = () => {
      if (readdirSync(own.folder).some(isTemporary)) process.emit('SIGHUP', 'SIGHUP');
      else setImmediate(stopWhenCopying);
    };
    // A test that has started a server in this process listens, too.
    const listeners = process.listenerCount('SIGHUP');
    stopWhenCopying();
    const { code, stderr } = await run(own, ['backup', 'copy.db']);
    assert.deepEqual([code, stderr], [1, 'changelog: stopped by SIGHUP; copy.db was left as it was.\n']);
    assert.deepEqual(filesIn(own.folder), ['changelog.db', 'copy.db']);
    assert.ok(readFileSync(at(own, 'copy.db')).equals(older));
    assert.equal(process.listenerCount('SIGHUP'), listeners);
    assert.deepEqual(await query(own, 'select count(*) as n from padding'), [{ n: 1 }]);
  });
});
