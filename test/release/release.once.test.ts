import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { release, tagProblem } from '../../scripts/release/release.ts';
import { namedVersions, releaseUnreleased } from '../../scripts/release/versions.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DATE = '2026-11-18';
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A door.\n\n## [0.9.0] - 2026-01-02\n\n- A wall.\n';

const FILES = {
  'CHANGELOG.md': CHANGELOG,
  'package.json': '{\n  "name": "changelog-read-api",\n  "version": "0.9.0"\n}\n',
  'deploy/kubernetes/app.yaml': 'image: registry.example/changelog:0.9.0\nother: postgres:0.9.0\n',
  'README.md': 'npm install ./changelog-read-api-0.9.0.tgz\n\n**Status:** version 0.9.0.\n',
};

/** A repository on main with these files, and what was run in it. */
function repository(t: TestContext, changes: Record<string, string> = {}) {
  const root = temporaryFolder(t);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  for (const [file, text] of Object.entries({ ...FILES, ...changes })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  git('init', '--initial-branch', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@x.example');
  git('add', '.');
  git('commit', '--message', 'One');
  const ran: string[] = [];
  const failing = new Set<string>();
  const run = (program: string, ...args: string[]) => {
    ran.push([program, ...args].join(' '));
    return !failing.has(program);
  };
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return { root, git, ran, failing, read, releasing: { root, date: DATE, run } };
}

describe('npm run release', () => {
  it('commits and tags the version with its date in every file that names it, after the checks', (t) => {
    const { git, ran, read, releasing } = repository(t);
    assert.equal(release('0.10.0', releasing), null);
    assert.deepEqual(ran, ['bin/changelog check CHANGELOG.md', '.ci/run']);
    assert.equal(git('log', '-1', '--format=%s %D'), 'Release 0.10.0 HEAD -> main, tag: v0.10.0');
    assert.equal(git('status', '--porcelain'), '');
    assert.match(read('CHANGELOG.md'), /^## \[Unreleased\]\n\n## \[0\.10\.0\] - 2026-11-18\n\n### Added\n/m);
    assert.match(read('package.json'), /"version": "0\.10\.0"/);
    assert.equal(
      read('deploy/kubernetes/app.yaml'),
      'image: registry.example/changelog:0.10.0\nother: postgres:0.9.0\n',
    );
    assert.doesNotMatch(read('README.md'), /0\.9\.0/);
    assert.equal(tagProblem('v0.10.0', releasing), null);
    assert.equal(ran.at(-1), 'bin/changelog check CHANGELOG.md --version 0.10.0');
  });

  it('leaves everything as it was if the checks fail', (t) => {
    const { git, failing, releasing } = repository(t);
    failing.add('.ci/run');
    assert.match(release('0.10.0', releasing) ?? '', /^the checks failed: .* Nothing was changed$/);
    assert.deepEqual(
      [git('status', '--porcelain'), git('tag'), git('rev-list', '--count', 'HEAD')],
      ['', '', '1'],
    );
  });

  it('says what is wrong with the version, the branch, the tree, the tag or the changelog', (t) => {
    const { root, git, ran, failing, releasing } = repository(t);
    assert.equal(release('v1', releasing), '"v1" is not a version such as 1.4.0');
    assert.equal(release('0.9.0', releasing), '0.9.0 is not newer than 0.9.0, the version of package.json');
    git('tag', 'v1.0.0');
    assert.equal(release('1.0.0', releasing), 'the tag v1.0.0 already exists');
    git('switch', '--create', 'feature');
    assert.equal(release('1.1.0', releasing), 'releases are made on main: switch to it');
    git('switch', 'main');
    writeFileSync(path.join(root, 'new.txt'), '');
    assert.match(release('1.1.0', releasing) ?? '', /^there are changes that are not committed/);
    assert.deepEqual(ran, []);
    git('clean', '--force');
    failing.add('bin/changelog');
    assert.equal(release('1.1.0', releasing), 'CHANGELOG.md has problems: see above');
    assert.deepEqual(ran, ['bin/changelog check CHANGELOG.md']);
    const [before, after] = CHANGELOG.split('### Added\n\n- A door.\n\n');
    assert.equal(releaseUnreleased(`${before}${after}`, '1.1.0', DATE), null);
  });

  it('a tag is not published if a file names another version', (t) => {
    const { ran, releasing } = repository(t);
    assert.equal(tagProblem('v1.0.0', releasing), 'the tag is v1.0.0, but README.md names version 0.9.0');
    assert.deepEqual(ran, []);
  });
});

describe('the version', () => {
  it('is the same wherever this repository names it', () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const named = namedVersions(ROOT);
    assert.deepEqual(
      named.filter((each) => each.version !== version),
      [],
    );
    const files = [
      'package.json',
      'package-lock.json',
      'client/package.json',
      'README.md',
      'client/README.md',
    ];
    for (const file of files)
      assert.ok(
        named.some((each) => each.file === file),
        file,
      );
    assert.ok(named.some(({ file }) => file.startsWith('deploy/kubernetes/')));
  });
});
