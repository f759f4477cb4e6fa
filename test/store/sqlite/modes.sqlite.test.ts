// Who may read the files that this program creates for a SQLite database.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { startNode } from '../../../cluster/nodes.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';

const CHANGELOG = '## 1.0.0 - 2026-01-02\n\n- A thing.\n';
const UMASK = process.umask();

const modeOf = (...names: string[]) => (statSync(path.join(...names)).mode & 0o777).toString(8);
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(folder, name)]));

describe('the mode of a new database', () => {
  afterEach(() => void process.umask(UMASK));

  it('is 0600, and 0700 that of the folders made for it, under any umask', async (t) => {
    const ways: [args: string[], file: string][] = [
      [['migrate'], 'changelog.db'],
      [['import', 'acme/rocket', '-', '--create'], 'changelog.db'],
      [['init', '--yes', '--no-import'], 'changelog.db'],
    ];
    for (const umask of [0o000, 0o022, 0o077, 0o377])
      for (const [args, file] of ways) {
        const folder = temporaryFolder(t);
        const environment = { CHANGELOG_DATABASE_URL: `sqlite:${folder}/new/data/${file}` };
        process.umask(umask);
        await runOk({ folder, environment }, args, CHANGELOG);
        process.umask(UMASK);
        assert.deepEqual([modeOf(folder, 'new'), modeOf(folder, 'new/data')], ['700', '700']);
        assert.deepEqual(modesIn(path.join(folder, 'new/data')), { [file]: '600' }, args.join(' '));
      }
  });

  it('is that of the files next to it while it is served, and of the demo', async (t) => {
    const folder = temporaryFolder(t);
    await startNode(t, { command: 'demo', folder, environment: {} });
    assert.equal(modeOf(folder, 'data'), '700');
    const modes = modesIn(path.join(folder, 'data'));
    for (const name of ['demo.db', 'demo.db-wal', 'demo.db-shm', 'demo-keys.json'])
      assert.equal(modes[name], '600', name);
  });

  it('is 0600 for a backup and for what is restored or copied elsewhere', async (t) => {
    const folder = temporaryFolder(t);
    const at = (name: string) => ({ folder, environment: { DATABASE_URL: `sqlite:${folder}/${name}` } });
    process.umask(0);
    await runOk(at('a/a.db'), ['migrate']);
    mkdirSync(path.join(folder, 'backups'));
    await runOk(at('a/a.db'), ['backup', 'backups/a.db']);
    await runOk(at('b/b.db'), ['restore', 'backups/a.db', '--yes']);
    await runOk(at('a/a.db'), ['copy', '--to', `sqlite:${folder}/c/c.db`]);
    assert.deepEqual(modesIn(path.join(folder, 'backups')), { 'a.db': '600' });
    for (const name of ['b', 'c']) {
      assert.equal(modeOf(folder, name), '700');
      assert.deepEqual(modesIn(path.join(folder, name)), { [`${name}.db`]: '600' });
    }
  });

  it('stays what it is if the folder or the file exists', async (t) => {
    const folder = temporaryFolder(t);
    const environment = { DATABASE_URL: `sqlite:${folder}/data/changelog.db` };
    mkdirSync(path.join(folder, 'data'));
    chmodSync(path.join(folder, 'data'), 0o750);
    const file = path.join(folder, 'data/changelog.db');
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    await runOk({ folder, environment }, ['migrate']);
    await runOk({ folder, environment }, ['import', 'acme/rocket', '-', '--create'], CHANGELOG);
    await startNode(t, { folder, environment });
    assert.deepEqual([modeOf(folder, 'data'), modeOf(file)], ['750', '640']);
    // Another user of the group needs all three.
    for (const sidecar of ['-wal', '-shm']) assert.equal(modeOf(file + sidecar), '640');
  });
});
