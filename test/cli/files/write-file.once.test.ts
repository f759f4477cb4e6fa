import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Cli } from '../../../src/cli/cli.ts';
import {
  replaceFile,
  resolveTarget,
  withFiles,
  withTemporaryFile,
  writeOutput,
} from '../../../src/cli/files/write-file.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import { expectFailure, sandboxOf } from '../helpers.ts';

const NOBODY = 65534;

describe('a symbolic link to a file that a command writes', () => {
  it('leads to a file that may not exist yet, but not in a circle', (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(path.join(folder, 'backup'));
    symlinkSync('../new.db', path.join(folder, 'backup/latest.db'));
    assert.equal(resolveTarget(folder, 'backup/latest.db'), path.join(folder, 'new.db'));
    assert.equal(resolveTarget(folder, 'no/such/file'), path.join(folder, 'no/such/file'));
    symlinkSync('b', path.join(folder, 'a'));
    symlinkSync('a', path.join(folder, 'b'));
    assert.throws(() => resolveTarget(folder, 'a'), /^Refusal: a cannot be written: ELOOP: /);
  });

  // Only root can make a link of another user.
  if (process.getuid?.() === 0)
    it('is not followed by `backup` if another user put it there', async (t) => {
      const sandbox = sandboxOf(t);
      await runOk(sandbox, ['migrate']);
      const [shared, secret] = ['shared', 'secret'].map((name) => path.join(sandbox.folder, name)) as [
        string,
        string,
      ];
      for (const folder of [shared, secret]) mkdirSync(folder, { mode: 0o777 });
      symlinkSync('../secret/file', path.join(shared, 'copy.db'));
      lchownSync(path.join(shared, 'copy.db'), NOBODY, NOBODY);
      assert.match(
        await expectFailure(sandbox, ['backup', 'shared/copy.db']),
        /^changelog: \S+\/shared\/copy\.db is a symbolic link of another user, and is not followed: /,
      );
      assert.deepEqual([readdirSync(secret), readdirSync(shared)], [[], ['copy.db']]);
    });
});

describe('a file that is replaced', () => {
  const failure = new Error('no more');

  it('is the old one until the new one is complete, and keeps its mode', async (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'notes.md');
    writeFileSync(file, 'old');
    chmodSync(file, 0o604);
    const fail = async (temporary: string) => {
      writeFileSync(temporary, 'half');
      assert.equal(readFileSync(file, 'utf8'), 'old');
      throw failure;
    };
    await assert.rejects(replaceFile(file, fail), failure);
    assert.deepEqual([readFileSync(file, 'utf8'), readdirSync(folder)], ['old', ['notes.md']]);
    await writeOutput({ folder } as Cli, 'notes.md', 'new');
    assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['new', 0o604]);
  });

  it('is not in the way of what a killed command has left, which is removed after a day', async (t) => {
    const folder = temporaryFolder(t);
    const [old, young] = ['.changelog-copy-a', '.changelog-copy-b'] as const;
    for (const name of [old, young, 'changelog.db']) mkdirSync(path.join(folder, name));
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(path.join(folder, old), yesterday, yesterday);
    await withTemporaryFile(path.join(folder, 'copy.db'), async (file) => assert.ok(existsSync(file)));
    assert.deepEqual(readdirSync(folder).sort(), [young, 'changelog.db']);
  });
});

describe('files that a command makes on its way', () => {
  it('are as they were if it fails', async (t) => {
    const cli = { folder: temporaryFolder(t) } as Cli;
    const read = () => readFileSync(path.join(cli.folder, '.env'), 'utf8');
    writeFileSync(path.join(cli.folder, '.env'), 'A=1');
    const failure = new Error('no more');
    const work = withFiles(cli, async (write) => {
      write('.env', 'B=2\n', { isAdded: true });
      write('new.key', 'secret');
      assert.equal(read(), 'A=1\nB=2\n');
      assert.equal(statSync(path.join(cli.folder, 'new.key')).mode & 0o777, 0o600);
      throw failure;
    });
    await assert.rejects(work, failure);
    assert.deepEqual([read(), readdirSync(cli.folder)], ['A=1', ['.env']]);
  });
});
