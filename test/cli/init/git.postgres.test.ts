// A password in `.env` must not be committed. The URL of a SQLite file has none, so a server is needed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { databaseUrl, query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { command } from './command.ts';

type Git = (...args: string[]) => string;

/** Runs `init` in a repository with these files; its URL is that of a new database. */
async function initIn(t: TestContext, files: Record<string, string>, prepare: (git: Git) => void = () => {}) {
  const folder = temporaryFolder(t);
  await query({ folder }, 'select 1');
  const git: Git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  prepare(git);
  const answers = ['', '', '', databaseUrl({ folder }), ''];
  const { code, stderr } = await command({ folder, answers }, 'init');
  assert.equal(code, 0, stderr);
  const file = path.join(folder, '.gitignore');
  return { stderr, git, ignored: existsSync(file) ? readFileSync(file, 'utf8') : null };
}

describe('init with a password, in a git repository', () => {
  it('adds .env to .gitignore, and says so', async (t) => {
    const { stderr, ignored, git } = await initIn(t, {});
    assert.equal(ignored, '.env\n');
    assert.match(stderr, /^\.env contains a password, so it was added to \.gitignore\.$/m);
    assert.equal(git('status', '--short', '--untracked-files=all'), '?? .gitignore\n');
  });

  it('adds a line to a .gitignore that exists', async (t) => {
    assert.equal((await initIn(t, { '.gitignore': 'dist' })).ignored, 'dist\n.env\n');
  });

  it('adds nothing if .env is ignored already', async (t) => {
    const { stderr, ignored } = await initIn(t, { '.gitignore': '.env*\n' });
    assert.equal(ignored, '.env*\n');
    assert.doesNotMatch(stderr, /password/);
  });

  it('warns of a .env that git tracks, because ignoring it would change nothing', async (t) => {
    const { stderr, ignored, git } = await initIn(t, { '.env': 'PORT=0\n' }, (git) => {
      git('add', '.env');
      git('config', 'core.fsmonitor', 'touch fired; false');
    });
    assert.equal(ignored, null);
    assert.doesNotMatch(stderr, /chmod/);
    assert.doesNotMatch(git('-c', 'core.fsmonitor=false', 'status', '--short'), /fired/);
    assert.match(
      stderr,
      /^\.env contains a password, and git tracks it; run `git rm --cached \.env` before/m,
    );
  });
});
