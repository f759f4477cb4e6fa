// A site from one file: the same file gives the same bytes, with every version in its place.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Scope } from '../../support/processes/scope.ts';
import { run, type Sandbox } from '../../support/program/command.ts';
import { sandboxWithoutDatabase } from '../cli/helpers.ts';
import { filesIn } from './files.ts';

type Built = Readonly<{ stderr: string; read: (file: string) => string; files: readonly string[] }>;
type Options = Readonly<{ args?: readonly string[]; now?: string; folder?: string; isInput?: boolean }>;

/** Builds the file in a folder of its own. */
async function build(scope: Scope, content: string, options: Options = {}): Promise<Built> {
  const { args = [], now, folder = 'rocket-engine', isInput = false } = options;
  const base = sandboxWithoutDatabase(scope, { environment: { PATH: process.env.PATH } });
  const sandbox: Sandbox = { ...base, folder: path.join(base.folder, folder), ...(now && { now }) };
  mkdirSync(sandbox.folder, { recursive: true });
  const file = path.join(sandbox.folder, 'CHANGELOG.md');
  writeFileSync(file, content);
  utimesSync(file, new Date('2026-04-05T06:07:08Z'), new Date('2026-04-05T06:07:08Z'));
  return await buildIn(sandbox, isInput ? '-' : 'CHANGELOG.md', args, isInput ? content : '');
}

async function buildIn(sandbox: Sandbox, file: string, args: readonly string[], input = ''): Promise<Built> {
  const { code, stderr } = await run(sandbox, ['build', file, '--out', 'site', ...args], input);
  assert.equal(code, 0, stderr);
  const site = path.join(sandbox.folder, 'site');
  return { stderr, read: (name) => readFileSync(path.join(site, name), 'utf8'), files: filesIn(site) };
}

type Listed = Readonly<{ version: string; publishedAt: string }>;

const versionsOf = ({ read }: Built): Listed[] => JSON.parse(read('changelog.json')).data.versions;
/** As `1.0.0 2026-01-01`. */
const listOf = (built: Built) =>
  versionsOf(built).map(({ version, publishedAt }) => `${version} ${publishedAt.slice(0, 10)}`);
const bytesOf = ({ files, read }: Built) => files.map((file) => [file, read(file)]);

const CHANGELOG = `# Changelog

All about it.

## [2.0.0] - 2026-03-01

### Added

- A door.
- A door.

## [1.1.0] - 2026-02-01

### Fixed

- A fault.

## [1.0.0] - 2026-02-01

- A house.
`;
const CHANGESETS = `# rocket

## 2.0.0

### Major Changes

- abc1234: A door.

## 1.1.0

### Minor Changes

- A window.

## 1.0.0

### Patch Changes

- A house.
`;
const UNDATED =
  'the site shows that of the nearest version, or of the last change to the file. Write dates into the file, or tag the versions in Git\n';

describe('a site from a file', () => {
  it('has the same bytes at another time, in another folder, and from standard input, with --name', async (t) => {
    const args = ['--name', 'Rocket'];
    const first = await build(t, CHANGELOG, { args, now: '2026-06-01T00:00:00.000Z' });
    for (const options of [
      { now: '2027-01-01T00:00:00.000Z', folder: 'elsewhere/deep' },
      { now: '2026-06-01T00:00:00.000Z', isInput: true },
    ])
      assert.deepEqual(bytesOf(await build(t, CHANGELOG, { args, ...options })), bytesOf(first));
  });

  it('is named after the folder of the file, or after the file from standard input', async (t) => {
    const nameIn = ({ read }: Built) => JSON.parse(read('changelog.json')).data.product;
    const built = await build(t, CHANGELOG);
    assert.deepEqual(nameIn(built), { slug: 'rocket-engine', name: 'Rocket Engine' });
    assert.match(
      built.read('index.html'),
      /<ul class="crumbs">\s*<li><a [^>]*>Rocket Engine<\/a><\/li>\s*<\/ul>/,
    );
    assert.match(built.read('llms.txt'), /^## Rocket Engine$/m);
    assert.deepEqual(nameIn(await build(t, CHANGESETS, { isInput: true })), {
      slug: 'rocket',
      name: 'rocket',
    });
    assert.deepEqual(
      nameIn(await build(t, CHANGELOG, { args: ['--name', 'Ärger & Co'] })).name,
      'Ärger & Co',
    );
    assert.equal(nameIn(await build(t, CHANGELOG, { args: ['--name', '火'] })).slug, 'changelog');
  });

  it('keeps the order of versions with one date, and leaves out what is unreleased', async (t) => {
    const built = await build(t, CHANGELOG.replace('## [2', '## [Unreleased]\n\n- A secret.\n\n## [2'));
    assert.deepEqual(listOf(built), ['2.0.0 2026-03-01', '1.1.0 2026-02-01', '1.0.0 2026-02-01']);
    assert.equal(built.stderr, '');
    assert.ok(!JSON.stringify(bytesOf(built)).includes('A secret'));
  });

  it('shows the newest version first, also if the file does not', async (t) => {
    const oldestFirst =
      '## 1.0.0 - 2026-01-01\n\n- A.\n\n## 1.1.0 - 2026-01-01\n\n- B.\n\n## 2.0.0 - 2026-02-01\n\n- C.\n';
    assert.deepEqual(listOf(await build(t, oldestFirst)), [
      '2.0.0 2026-02-01',
      '1.1.0 2026-01-01',
      '1.0.0 2026-01-01',
    ]);
    const undated = oldestFirst.replaceAll(/ - 2026-0.-01/g, '');
    assert.deepEqual(
      versionsOf(await build(t, undated)).map(({ version }) => version),
      ['2.0.0', '1.1.0', '1.0.0'],
    );
  });

  it('leaves out a version until its date, and warns; others are not dated by it', async (t) => {
    const text = CHANGELOG.replace(/## \[?1\.0\.0.*/, '## 1.0.0');
    const before = await build(t, text, { now: '2026-02-28T23:59:59.000Z' });
    assert.doesNotMatch(before.read('index.html'), /2\.0\.0/);
    assert.ok(!listOf(before).some((line) => line.includes('2.0.0') || line.includes('2026-03-01')));
    assert.match(
      before.stderr,
      /Drafts until their date, which is in the future: 2\.0\.0 \(2026-03-01T00:00:00\.000Z\)/,
    );
    const after = await build(t, CHANGELOG, { now: '2026-03-01T00:00:00.000Z' });
    assert.equal(listOf(after)[0], '2.0.0 2026-03-01');
    assert.equal(after.stderr, '');
  });

  it('dates versions without a date by the nearest version or the file, in order, and warns', async (t) => {
    const built = await build(t, CHANGESETS);
    assert.deepEqual(listOf(built), ['2.0.0 2026-04-05', '1.1.0 2026-04-05', '1.0.0 2026-04-05']);
    assert.equal(built.stderr, `changelog: warning: CHANGELOG.md: 3 versions have no date; ${UNDATED}`);
    const partly = await build(t, CHANGESETS.replace('## 2.0.0', '## 2.0.0 (2026-03-01)'));
    assert.deepEqual(listOf(partly), ['2.0.0 2026-03-01', '1.1.0 2026-03-01', '1.0.0 2026-03-01']);
    assert.match(partly.stderr, / 2 versions have no date; /);
    const older = await build(t, CHANGESETS.replace('## 1.1.0', '## 1.1.0 (2026-11-17)'));
    assert.deepEqual(listOf(older), ['2.0.0 2026-11-17', '1.1.0 2026-11-17', '1.0.0 2026-11-17']);
  });

  it('takes missing dates from the tags of the repository that the file is in, and links to its remote', async (t) => {
    const sandbox = sandboxWithoutDatabase(t, { environment: { PATH: process.env.PATH } });
    const git = (day: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: `${day}T12:00:00Z` },
      });
    git('2026-01-01', 'init', '-q');
    for (const [tag, day] of [
      ['v1.0.0', '2026-01-01'],
      ['v1.1.0', '2026-01-02'],
      ['v2.0.0', '2026-01-03'],
    ] as const) {
      git(day, 'commit', '-q', '--allow-empty', '-m', tag);
      git(day, 'tag', tag);
    }
    const file = path.join(sandbox.folder, 'CHANGELOG.md');
    writeFileSync(file, CHANGESETS);
    const built = await buildIn(sandbox, 'CHANGELOG.md', []);
    assert.deepEqual(listOf(built), ['2.0.0 2026-01-03', '1.1.0 2026-01-02', '1.0.0 2026-01-01']);
    assert.equal(built.stderr, '');
    assert.doesNotMatch(built.read('index.html'), /github/);
    // With a remote, references in texts lead to its repository.
    git('2026-01-03', 'remote', 'add', 'origin', 'git@github.com:acme/rocket.git');
    writeFileSync(file, CHANGESETS.replace('## 1.1.0', '## 1.1.1').replace('A window.', 'A window (#12).'));
    const partly = await buildIn(sandbox, 'CHANGELOG.md', []);
    assert.match(partly.read('index.html'), /<a href="https:\/\/github\.com\/acme\/rocket\/issues\/12"/);
    assert.deepEqual(listOf(partly), ['2.0.0 2026-01-03', '1.1.1 2026-01-03', '1.0.0 2026-01-01']);
    assert.equal(partly.stderr, `changelog: warning: CHANGELOG.md: 1 version has no date; ${UNDATED}`);
    const environment = {
      PATH: process.env.PATH,
      GIT_TEST_ASSUME_DIFFERENT_OWNER: '1',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    const { stderr } = await buildIn({ ...sandbox, environment }, 'CHANGELOG.md', []);
    assert.match(stderr, /^changelog: warning: cannot read the tags of .*: it belongs to another user/);
  });

  it('dates versions by the last commit of the file if neither they nor tags have a date', async (t) => {
    const sandbox = sandboxWithoutDatabase(t, { environment: { PATH: process.env.PATH } });
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), CHANGESETS);
    const git = (time: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: time },
      });
    git('', 'init', '-q');
    git('', 'add', 'CHANGELOG.md');
    git('2026-02-03T12:00:00Z', 'commit', '-q', '-m', 'A');
    assert.deepEqual(listOf(await buildIn(sandbox, 'CHANGELOG.md', [])), [
      '2.0.0 2026-02-03',
      '1.1.0 2026-02-03',
      '1.0.0 2026-02-03',
    ]);
    // In the year 10000; then, the last change of the file counts.
    git('@253402300800 +0000', 'commit', '-q', '--amend', '--no-edit');
    utimesSync(path.join(sandbox.folder, 'CHANGELOG.md'), 0, Date.parse('2026-04-05') / 1000);
    assert.equal(listOf(await buildIn(sandbox, 'CHANGELOG.md', []))[0], '2.0.0 2026-04-05');
  });

  it('runs no program that the configuration of the repository names to verify signatures', async (t) => {
    const sandbox = sandboxWithoutDatabase(t, { environment: { PATH: process.env.PATH } });
    const [program, ran] = ['gpg', 'ran'].map((name) => path.join(sandbox.folder, name));
    assert.ok(program && ran);
    const verify = `case "$*" in *--verify*) touch ${ran};; esac`;
    const sign = "echo '-----BEGIN PGP SIGNATURE-----'; echo '[GNUPG:] SIG_CREATED ' >&2";
    writeFileSync(program, `#!/bin/sh\ncat > /dev/null\n${verify}\n${sign}\n`, { mode: 0o755 });
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), CHANGESETS);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: '2026-02-03T12:00:00Z' },
        stdio: 'pipe',
      });
    git('init', '-q');
    git('config', 'gpg.program', program);
    git('config', 'log.showSignature', 'true');
    git('add', 'CHANGELOG.md');
    git('commit', '-q', '-S', '-m', 'A');
    const [newest] = listOf(await buildIn(sandbox, 'CHANGELOG.md', []));
    assert.equal(newest, '2.0.0 2026-02-03');
    assert.ok(!existsSync(ran), 'the program ran');
    git('log', '-1');
    assert.ok(existsSync(ran), 'git alone does not run the program: this test proves nothing');
  });

  it('has the language that is given, the name in the title, and the style sheet of PAGE_STYLESHEET', async (t) => {
    const environment = { PATH: process.env.PATH, PAGE_STYLESHEET: 'own.css' };
    const sandbox = sandboxWithoutDatabase(t, { environment });
    writeFileSync(path.join(sandbox.folder, 'own.css'), 'h1 { color: teal; }');
    writeFileSync(
      path.join(sandbox.folder, 'CHANGELOG.md'),
      '# Rakete changelog\n\n## 1.0.0 - 2026-01-01\n\n- Los.\n',
    );
    const { read } = await buildIn(sandbox, 'CHANGELOG.md', ['--language', 'de']);
    const page = read('index.html');
    assert.match(page, /<html lang="de">/);
    assert.match(page, /<link rel="stylesheet" href="style\.css">/);
    assert.match(read('style.css'), /color: ?teal/);
    assert.match(page, /Neues in <span[^>]*>Rakete</);
    assert.match(read('widget.js'), /"heading":"Neuigkeiten".*"IS_STATIC":true/);
  });

  it('takes a base without index.html', async (t) => {
    const args = ['--base', 'https://a.example/x/index.html'];
    const built = await build(t, '## 1.0.0 - 2026-01-01\n\n- A.\n', { args });
    assert.match(built.read('robots.txt'), /https:\/\/a\.example\/x\/sitemap\.xml/);
  });

  it('has a page for every year, however early', async (t) => {
    const { files, read } = await build(t, `${CHANGELOG}\n## 0.1.0 - 0099-12-31\n\n- Long ago.\n`);
    assert.ok(files.includes('year-0099.html'));
    assert.match(read('year-0099.html'), /Long ago/);
    assert.match(read('index.html'), /href="year-0099\.html"/);
  });

  it('is refused if nothing is released', async (t) => {
    const sandbox = sandboxWithoutDatabase(t, { now: '2026-05-04T00:00:00.000Z' });
    const { code, stderr } = await run(
      sandbox,
      ['build', '-', '--out', 'site'],
      '# Changelog\n\n## Unreleased\n\n- Soon.\n',
    );
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'changelog: standard input has no released version, so there is nothing to show; add a heading such as ## 1.0.0 - 2026-05-04\n',
    );
    assert.deepEqual(filesIn(sandbox.folder), []);
  });

  it('has only the words of relative links and images, and no request for them', async (t) => {
    const text =
      'A [guide](docs/a.md), [**bold** one](../b.md), [there](#there), [root](/c), ![a picture](img/a.png), [![a badge](b.svg)](d.md), [web](https://web.example/a) and ![photo](https://web.example/a.png).';
    const built = await build(t, `Read [this](README.md).\n\n## 1.0.0 - 2026-01-01\n\n- ${text}\n`);
    const page = built.read('versions/1.0.0.html');
    assert.ok(
      page.includes(
        '<p>A guide, <strong>bold</strong> one, there, root, a picture, a badge, <a href="https://web.example/a" rel="noopener nofollow">web</a> and ',
      ),
      page,
    );
    for (const file of built.files.filter((name) => /\.(?:html|json|atom|rss|xml|txt)$/.test(name)))
      assert.doesNotMatch(
        built.read(file).replaceAll(/"text":"(?:\\.|[^"])*"/g, ''),
        /docs\/a\.md|b\.md|#there|img\/a\.png|b\.svg|d\.md|README\.md/,
        file,
      );
    // As the author wrote it: whoever reads Markdown has the repository.
    assert.ok(built.read('CHANGELOG.md').includes(text));
  });
});
