import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { run, type Sandbox } from '../../../../support/program/command.ts';
import { expectMisuse, sandboxWithoutDatabase } from '../../helpers.ts';

const NOW = '2026-07-01T00:00:00.000Z';
const GOOD =
  '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 - 2026-05-04\n\n### Added\n\n- A countdown.\n';
const BAD = GOOD.replace('2026-05-04', '2026-02-30');
const NOTED = GOOD.replace('### Added', '### Fixed\n\n### Added');

function sandboxWith(t: TestContext, text: string, name = 'CHANGELOG.md'): Sandbox {
  const sandbox = sandboxWithoutDatabase(t, { now: NOW });
  writeFileSync(path.join(sandbox.folder, name), text);
  return sandbox;
}

const check = (sandbox: Sandbox, ...args: string[]) => run(sandbox, ['check', 'CHANGELOG.md', ...args]);

function git({ folder }: Sandbox, ...args: string[]): string {
  const names = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...names, ...args], { cwd: folder, encoding: 'utf8' });
}

/** A repository whose first commit has the file. */
function repositoryWith(t: TestContext, text: string): Sandbox {
  const sandbox = sandboxWith(t, text);
  git(sandbox, 'init', '-q', '-b', 'main');
  git(sandbox, 'add', '.');
  git(sandbox, 'commit', '-q', '-m', 'One');
  return sandbox;
}

describe('check', () => {
  it('a good file is exit 0, and the output says how much was read', async (t) => {
    assert.deepEqual(await check(sandboxWith(t, GOOD)), {
      code: 0,
      stdout: 'CHANGELOG.md: no problems in 2 versions\n',
      stderr: '',
    });
  });

  it('errors are exit 1: each is a line, and the last says how many', async (t) => {
    assert.deepEqual(await check(sandboxWith(t, BAD)), {
      code: 1,
      stdout:
        'CHANGELOG.md:7: error: version 1.0.0 has an invalid date, 2026-02-30; write the day of the release as YYYY-MM-DD. [invalid-date]\n',
      stderr: 'changelog: CHANGELOG.md: 1 error\n',
    });
  });

  it('notes are exit 0, and with --strict exit 1', async (t) => {
    const sandbox = sandboxWith(t, NOTED);
    const { code, stdout } = await check(sandbox);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^CHANGELOG\.md:9: note: section "Fixed" .*\[empty-section\]\nCHANGELOG\.md: no errors, 1 note\n$/,
    );
    const strict = await check(sandbox, '--strict');
    assert.equal(strict.code, 1);
    assert.match(strict.stdout, /^CHANGELOG\.md:9: error: /);
  });

  it('standard input is read, and a file that import would refuse is an error with its line', async (t) => {
    const sandbox = sandboxWithoutDatabase(t, { now: NOW });
    const { code, stdout } = await run(sandbox, ['check', '-'], 'Nothing\n');
    assert.equal(code, 1);
    assert.match(stdout, /^standard input:1: error: no version headings .*\[unreadable\]\n$/);
    const missing = await run(sandbox, ['check', 'NONE.md']);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /^changelog: NONE\.md cannot be read: no such file/);
  });

  it('options tell how to read the file', async (t) => {
    const sandbox = sandboxWith(t, 'Release one of 04/05/2026\n\n- A change.\n');
    const heading = ['--heading', '^Release (?<label>\\w+) of (?<date>.+)$'];
    const { code, stdout } = await check(sandbox, ...heading, '--date-order', 'day-first');
    assert.deepEqual([code, stdout], [0, 'CHANGELOG.md: no problems in 1 version\n']);
    assert.equal((await check(sandbox, ...heading, '--read-as', 'rst')).code, 1);
  });

  it('control characters of the file do not reach the terminal, and findings are coloured there', async (t) => {
    const sandbox = sandboxWith(
      t,
      '## 1.0.0\n\n- A change of [the \x1b[2J guide][gu\x1b[2Jide].\n- [a b][c\x07d]\n',
    );
    const { stdout } = await run(sandbox, ['check', 'CHANGELOG.md'], '', { columns: () => 80 });
    const red = '\x1b[31merror\x1b[39m';
    assert.ok(stdout.includes(`: ${red}: `));
    assert.ok(!stdout.replaceAll(red, '').includes('\x1b'));
    assert.ok(!stdout.includes('\x07'));
  });

  it('wrong usage is exit 2', async (t) => {
    const sandbox = sandboxWith(t, GOOD);
    for (const args of [
      ['check'],
      ['check', ''],
      ['check', 'CHANGELOG.md', '--format', 'xml'],
      ['check', 'CHANGELOG.md', '--since', '--output=x'],
      ['check', '-', '--since', 'main'],
      ['check', 'CHANGELOG.md', '--version', '1.0.0', '--version-from', 'package.json'],
    ])
      await expectMisuse(sandbox, args);
  });
});

describe('check --format', () => {
  it('where GITHUB_ACTIONS is true, annotations follow the text, at the path in the repository', async (t) => {
    const sandbox = sandboxWith(t, BAD);
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: path.dirname(sandbox.folder) };
    const inside = path.basename(sandbox.folder);
    const message =
      'version 1.0.0 has an invalid date, 2026-02-30; write the day of the release as YYYY-MM-DD.';
    const annotation = `::error file=${inside}/CHANGELOG.md,line=7,title=invalid-date::${message}\n`;
    const { code, stdout } = await check({ ...sandbox, environment });
    assert.deepEqual([code, stdout], [1, `CHANGELOG.md:7: error: ${message} [invalid-date]\n${annotation}`]);
    const github = await check({ ...sandbox, environment }, '--format', 'github');
    assert.equal(github.stdout, annotation);
    const text = await check({ ...sandbox, environment }, '--format', 'text');
    assert.ok(!text.stdout.includes('::error'));
  });

  it('json has the findings and their number, also without any', async (t) => {
    const { code, stdout, stderr } = await check(sandboxWith(t, NOTED), '--json');
    assert.deepEqual([code, stderr], [0, '']);
    const { findings, ...rest } = JSON.parse(stdout);
    assert.deepEqual(rest, { file: 'CHANGELOG.md', versions: 2, errors: 0, notes: 1 });
    assert.deepEqual(Object.keys(findings[0]), ['rule', 'level', 'line', 'message']);
    assert.equal((await check(sandboxWith(t, NOTED), '--format', 'json')).stdout, stdout);
    assert.deepEqual(JSON.parse((await check(sandboxWith(t, GOOD), '--json')).stdout).findings, []);
  });

  it('sarif names the file by its path in the folder', async (t) => {
    const sandbox = sandboxWithoutDatabase(t, { now: NOW });
    mkdirSync(path.join(sandbox.folder, 'my docs'));
    writeFileSync(path.join(sandbox.folder, 'my docs/NEWS.md'), BAD);
    const file = path.join(sandbox.folder, 'my docs/NEWS.md');
    const { code, stdout } = await run(sandbox, ['check', file, '--format', 'sarif']);
    assert.equal(code, 1);
    const [{ results, tool }] = JSON.parse(stdout).runs;
    assert.deepEqual(results[0].locations[0].physicalLocation, {
      artifactLocation: { uri: 'my%20docs/NEWS.md', uriBaseId: '%SRCROOT%' },
      region: { startLine: 7 },
    });
    assert.equal(tool.driver.rules[results[0].ruleIndex].id, 'invalid-date');
  });
});

describe('check --version', () => {
  it('the version of the option must be there; that of the program is printed before the command', async (t) => {
    const sandbox = sandboxWith(t, GOOD);
    assert.equal((await check(sandbox, '--version', 'v1.0.0')).code, 0);
    const { code, stdout } = await check(sandbox, '--version', '1.1.0');
    assert.equal(code, 1);
    assert.match(stdout, /^CHANGELOG\.md:3: error: version 1\.1\.0 is not in this file; rename Unreleased, /);
    assert.match((await run(sandbox, ['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('the version comes from package.json, Cargo.toml, its workspace, or pyproject.toml', async (t) => {
    const sandbox = sandboxWith(t, GOOD);
    mkdirSync(path.join(sandbox.folder, 'ws/crates/core'), { recursive: true });
    const manifests: Record<string, string> = {
      'package.json': '{"name": "rocket", "version": "1.0.1"}',
      'Cargo.toml':
        '[package]\nname = "rocket"\nversion = "1.0.2" # now\n[dependencies]\nserde = { version = "9" }\n',
      'pyproject.toml': '[project]\nname = "rocket"\nversion = "1.0.3"\n',
      'poetry.toml': "[tool.poetry]\nversion = '1.0.4'\n",
      'ws/Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n[workspace.package]\nversion = "1.0.5"\n',
      'ws/crates/core/Cargo.toml': '[package]\nname = "core"\nversion.workspace = true\n',
    };
    const found = [];
    for (const [name, text] of Object.entries(manifests)) {
      writeFileSync(path.join(sandbox.folder, name), text);
      const { stdout } = await check(sandbox, '--version-from', name);
      found.push(/version (\S+) is not in this file/.exec(stdout)?.[1]);
    }
    assert.deepEqual(found, ['1.0.1', '1.0.2', '1.0.3', '1.0.4', '1.0.5', '1.0.5']);
  });

  it('a manifest without a version is refused, and so is one that does not exist', async (t) => {
    const sandbox = sandboxWith(t, GOOD);
    writeFileSync(path.join(sandbox.folder, 'package.json'), '{"private": true}');
    writeFileSync(path.join(sandbox.folder, 'VERSION'), '1.0.0\n');
    for (const [name, said] of [
      ['package.json', /has no version/],
      ['VERSION', /has no version; pass a package\.json, Cargo\.toml or pyproject\.toml/],
      ['none.json', /no such file/],
    ] as const) {
      const { code, stdout, stderr } = await check(sandbox, '--version-from', name);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, said);
    }
  });
});

describe('check --since', () => {
  it('an entry that ended up below a released version is found; what is unreleased may change', async (t) => {
    const sandbox = repositoryWith(t, GOOD);
    const file = path.join(sandbox.folder, 'CHANGELOG.md');
    writeFileSync(file, GOOD.replace('- New.', '- Newer.\n- Newest.'));
    assert.equal((await check(sandbox, '--since', 'main')).code, 0);
    writeFileSync(file, `${GOOD}- A new entry.\n`);
    const { code, stdout } = await check(sandbox, '--since', 'HEAD');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^CHANGELOG\.md:12: error: version 1\.0\.0 was already released at HEAD, but its section has changed;/,
    );
    writeFileSync(file, '# Changelog\n\n## 1.1.0\n\n- New.\n');
    assert.match(
      (await check(sandbox, '--since', 'main')).stdout,
      /^CHANGELOG\.md:3: error: version 1\.0\.0 was already released at main, but its section is gone;/,
    );
  });

  it('a file that was moved or is new is told; a link is followed', async (t) => {
    const sandbox = repositoryWith(t, GOOD);
    const file = path.join(sandbox.folder, 'CHANGELOG.md');
    renameSync(file, path.join(sandbox.folder, 'NEWS.md'));
    const { code, stdout } = await run(sandbox, ['check', 'NEWS.md', '--since', 'main']);
    assert.equal(code, 0);
    assert.match(stdout, /^NEWS\.md:1: note: this file did not exist at main, so nothing was compared;/);
    git(sandbox, 'add', '.');
    git(sandbox, 'commit', '-q', '-m', 'Two');
    symlinkSync('NEWS.md', file);
    assert.equal(
      (await check(sandbox, '--since', 'main')).stdout,
      'CHANGELOG.md: no problems in 2 versions\n',
    );
  });

  it('a commit that does not exist and a folder without a repository are refused', async (t) => {
    const unknown = await check(repositoryWith(t, GOOD), '--since', 'nowhere');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(
      unknown.stderr,
      /^changelog: the repository of .*CHANGELOG\.md has no commit "nowhere"; check its name/,
    );
    const none = await check(sandboxWith(t, GOOD), '--since', 'main');
    assert.equal(none.code, 1);
    assert.match(none.stderr, /not a Git repository; --since needs a file inside a Git repository\.\n$/);
  });

  it('no command in the configuration of the repository runs', async (t) => {
    const sandbox = repositoryWith(t, GOOD);
    writeFileSync(path.join(sandbox.folder, '.gitattributes'), '* diff=x filter=x\n');
    const command = `touch ${path.join(sandbox.folder, 'ran')}; cat`;
    for (const [name, value] of [
      ['diff.x.textconv', command],
      ['filter.x.smudge', command],
      ['core.fsmonitor', command],
      ['core.pager', command],
    ] as const)
      git(sandbox, 'config', name, value);
    assert.equal((await check(sandbox, '--since', 'main')).code, 0);
    assert.throws(() => execFileSync('ls', [path.join(sandbox.folder, 'ran')], { stdio: 'ignore' }));
  });
});
