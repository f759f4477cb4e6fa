import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { guessDefaults, isTrackedByGit } from '../../../src/cli/init/guesses.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';

it('no command in the configuration of a repository runs', (t) => {
  const folder = temporaryFolder(t);
  const [command, ran] = ['command', 'ran'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(command, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init');
  git('remote', 'add', 'origin', 'https://git.example/acme/rocket.git');
  writeFileSync(path.join(folder, '.gitignore'), '*.key\n');
  git('add', '.gitignore');
  for (const name of ['core.fsmonitor', 'core.pager', 'pager.config', 'pager.check-ignore', 'alias.config'])
    git('config', name, command);

  assert.equal(guessDefaults(folder).team, 'Acme');
  assert.deepEqual([isTrackedByGit(folder, '.env'), isTrackedByGit(folder, 'a.key')], [true, false]);
  assert.ok(!existsSync(ran), 'the command ran');
  git('status');
  assert.ok(existsSync(ran), 'git alone does not run the command: this test proves nothing');
});
