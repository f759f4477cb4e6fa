import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { isCommitted, isTrackedByGit } from '../../../src/cli/init/git.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';

it('no command in the configuration of a repository runs', (t) => {
  const folder = temporaryFolder(t);
  const [command, ran] = ['command', 'ran'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(command, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init');
  writeFileSync(path.join(folder, '.gitignore'), '*.key\n');
  git('add', '.gitignore');
  for (const name of [
    'core.fsmonitor',
    'core.pager',
    'pager.check-ignore',
    'alias.check-ignore',
    'alias.ls-files',
  ])
    git('config', name, command);

  assert.deepEqual([isCommitted(folder, '.gitignore'), isCommitted(folder, '.env')], [true, false]);
  assert.deepEqual([isTrackedByGit(folder, '.env'), isTrackedByGit(folder, 'a.key')], [true, false]);
  assert.ok(!existsSync(ran), 'the command ran');
  git('status');
  assert.ok(existsSync(ran), 'git alone does not run the command: this test proves nothing');
});
