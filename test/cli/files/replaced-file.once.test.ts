import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchownSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { listLeft, mayFollow, resolveTarget } from '../../../src/cli/files/replaced-file.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import { expectFailure, sandboxOf } from '../helpers.ts';

const [ROOT, ME, OTHER, NOBODY] = [{ uid: 0 }, { uid: 1000 }, { uid: 1001 }, { uid: 65534 }];

describe('a symbolic link to a file that a command writes', () => {
  it('is followed if it belongs to the user, to root or to the owner of its directory', () => {
    for (const [link, folder] of [
      [ME, ROOT],
      [ME, OTHER],
      [ROOT, ME],
      [OTHER, OTHER],
    ] as const)
      assert.ok(mayFollow(ME.uid, link, folder));
    assert.ok(!mayFollow(ME.uid, OTHER, ROOT));
    assert.ok(!mayFollow(ME.uid, OTHER, ME));
    assert.ok(!mayFollow(ROOT.uid, OTHER, ROOT));
  });

  it('leads to a file that may not exist yet, over directories that are links too, but not in a circle', (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(path.join(folder, 'disk/backup'), { recursive: true });
    symlinkSync('disk/backup', path.join(folder, 'backup'));
    symlinkSync('../new.db', path.join(folder, 'backup/latest.db'));
    assert.equal(resolveTarget(folder, 'backup/latest.db'), path.join(folder, 'disk/new.db'));
    assert.equal(resolveTarget(folder, 'no/such/file'), path.join(folder, 'no/such/file'));
    symlinkSync('b', path.join(folder, 'a'));
    symlinkSync('a', path.join(folder, 'b'));
    assert.throws(() => resolveTarget(folder, 'a/copy.db'), /leads in a circle of symbolic links/);
  });

  // Only root can make a link of another user.
  if (process.getuid?.() === 0)
    it('is not followed by `backup` if another user put it there, nor is one to a directory', async (t) => {
      const sandbox = sandboxOf(t);
      await runOk(sandbox, ['migrate']);
      const [shared, secret] = ['shared', 'secret'].map((name) => path.join(sandbox.folder, name)) as [
        string,
        string,
      ];
      for (const folder of [shared, secret]) mkdirSync(folder, { mode: 0o777 });
      symlinkSync('../secret/file', path.join(shared, 'copy.db'));
      symlinkSync('../secret', path.join(shared, 'folder'));
      for (const name of ['copy.db', 'folder']) lchownSync(path.join(shared, name), NOBODY.uid, NOBODY.uid);
      for (const name of ['shared/copy.db', 'shared/folder/copy.db'])
        assert.match(
          await expectFailure(sandbox, ['backup', name]),
          /^changelog: \S+\/shared\/(copy\.db|folder) is a symbolic link of another user, and is not followed: /,
        );
      assert.deepEqual([readdirSync(secret), readdirSync(shared)], [[], ['copy.db', 'folder']]);
    });
});

describe('temporary directories that are left', () => {
  it('are those of processes that have ended, and after a day those of other machines', async (t) => {
    const folder = temporaryFolder(t);
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    const make = (name: string, ageSeconds = 0) => {
      mkdirSync(path.join(folder, name));
      const time = Date.now() / 1000 - ageSeconds;
      utimesSync(path.join(folder, name), time, time);
      return path.join(folder, name);
    };
    const [ended, old] = [`copy-${os.hostname()}-${child.pid}`, 25 * 3600];
    const left = [
      make(`.changelog-${ended}-abcdef`),
      make(`.changelog-copy-${os.hostname()}-${process.pid}-abcdef`, old),
      make('.changelog-copy-elsewhere-1-abcdef', old),
    ];
    make(`.changelog-copy-${os.hostname()}-${process.ppid}-abcdef`);
    make('.changelog-copy-elsewhere-1-ghijkl');
    make('.changelog-backup', old);
    make('.changelog-site-1-abcdef', old);
    make('changelog.db', old);
    assert.deepEqual(listLeft(folder).sort(), left.sort());
    assert.deepEqual(listLeft(path.join(folder, 'none')), []);
  });
});
