// `changelog build` from a file, run after run: what it prints, writes, removes and refuses.
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../../../support/processes/poll.ts';
import type { Scope } from '../../../../support/processes/scope.ts';
import { run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { spawnProgram } from '../../../../support/program/process.ts';
import { filesIn } from '../../../site/files.ts';
import { expectFailure, expectMisuse, runJson, sandboxWithoutDatabase } from '../../helpers.ts';

const BUILD = ['build', 'CHANGELOG.md', '--out', 'site'];
const NEWEST = '## 1.2.0 - 2026-03-01\n\n### Fixed\n\n- A fault.\n';
const MIDDLE = '## 1.1.0 - 2026-02-01\n\n### Added\n\n- A door.\n';
const OLDEST = '## 1.0.0 - 2025-01-01\n\n### Added\n\n- A house.\n';
const fileOf = (...versions: string[]) => `# Changelog\n\n${versions.join('\n')}`;

/** A folder named `rocket`, with a changelog. */
function sandboxWith(scope: Scope, content: string | Buffer = fileOf(NEWEST, MIDDLE, OLDEST)): Sandbox {
  const sandbox = sandboxWithoutDatabase(scope);
  const folder = path.join(sandbox.folder, 'rocket');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'CHANGELOG.md'), content);
  return { ...sandbox, folder };
}

const rewrite = ({ folder }: Sandbox, content: string) =>
  writeFileSync(path.join(folder, 'CHANGELOG.md'), content);

/** Every file, with what tells whether it was written again. */
function snapshot({ folder }: Sandbox, below = 'site'): Record<string, string> {
  const root = path.join(folder, below);
  return Object.fromEntries(
    filesIn(root).map((file) => {
      const { ino, mtimeNs } = lstatSync(path.join(root, file), { bigint: true });
      return [file, `${ino} at ${mtimeNs}`];
    }),
  );
}

function differences(before: Record<string, string>, after: Record<string, string>) {
  const [old, now] = [Object.keys(before), Object.keys(after)];
  return {
    removed: old.filter((file) => !(file in after)),
    added: now.filter((file) => !(file in before)),
    changed: now.filter((file) => file in before && before[file] !== after[file]),
  };
}

const filesOf = (name: string) => [
  ...['.html', '.json', '.md', '/notes.html', '/notes.md', '/notes.txt'].map(
    (ending) => `versions/${name}${ending}`,
  ),
];

describe('build', () => {
  it('prints how much it wrote and what to do next', async (t) => {
    const sandbox = sandboxWith(t);
    const stdout = await runOk(sandbox, BUILD);
    const files = filesIn(path.join(sandbox.folder, 'site')).length - 1;
    assert.equal(
      stdout,
      `site: 3 versions, ${files} files (${files} written)
Open site/index.html in a browser.
Without --base URL there is no sitemap.xml, and links in feeds are relative.
`,
    );
  });

  it('changes nothing in a second run, and says so', async (t) => {
    const sandbox = sandboxWith(t);
    await runOk(sandbox, BUILD);
    const before = snapshot(sandbox);
    // A later day, and a file that was copied.
    utimesSync(path.join(sandbox.folder, 'CHANGELOG.md'), 1, 1);
    assert.match(
      await runOk({ ...sandbox, now: '2027-01-01T00:00:00.000Z' }, BUILD),
      /^site: 3 versions, \d+ files; nothing changed\n$/,
    );
    assert.deepEqual(snapshot(sandbox), before);
  });

  it('prints its numbers as JSON', async (t) => {
    const sandbox = sandboxWith(t);
    const first = await runJson<Record<string, number>>(sandbox, BUILD);
    const folder = path.join(sandbox.folder, 'site');
    const files = filesIn(folder).filter((file) => !file.startsWith('.changelog-site'));
    const bytes = files.reduce((sum, file) => sum + readFileSync(path.join(folder, file)).length, 0);
    const same = { files: files.length, bytes, removed: 0, products: 1, versions: 3 };
    assert.deepEqual(first, { ...same, written: files.length, unchanged: 0 });
    assert.deepEqual(await runJson(sandbox, BUILD), { ...same, written: 0, unchanged: files.length });
  });

  it('removes the files of a version that is gone', async (t) => {
    const sandbox = sandboxWith(t);
    await runOk(sandbox, BUILD);
    const before = snapshot(sandbox);
    rewrite(sandbox, fileOf(NEWEST, OLDEST));
    assert.match(await runOk(sandbox, BUILD), / \(\d+ written, \d+ unchanged, 8 removed\)\n/);
    const { removed, added } = differences(before, snapshot(sandbox));
    assert.deepEqual(removed, [
      ...['changes/1.0.0...1.1.0.html', 'changes/1.1.0...1.2.0.html'],
      ...filesOf('1.1.0'),
    ]);
    assert.deepEqual(added, ['changes/1.0.0...1.2.0.html']);
    assert.ok(!existsSync(path.join(sandbox.folder, 'site/versions/1.1.0')));
  });

  it('writes only what a new version changes', async (t) => {
    const sandbox = sandboxWith(t, fileOf(MIDDLE, OLDEST));
    await runOk(sandbox, BUILD);
    const before = snapshot(sandbox);
    rewrite(sandbox, fileOf(NEWEST, MIDDLE, OLDEST));
    await runOk(sandbox, BUILD);
    const { removed, added, changed } = differences(before, snapshot(sandbox));
    assert.deepEqual(removed, []);
    assert.deepEqual(
      added.sort(),
      ['changes/1.1.0...1.2.0.html', 'type-fixed.html', ...filesOf('1.2.0')].sort(),
    );
    const untouched = Object.keys(before).filter((file) => !changed.includes(file));
    assert.deepEqual(untouched, [
      ...['.nojekyll', '404.html', 'changes/1.0.0...1.1.0.html', 'notes.css', 'robots.txt', 'style.css'],
      ...filesOf('1.0.0'),
      ...filesOf('1.1.0'),
      'widget.js',
    ]);
  });

  it('refuses a folder with files of others that it would overwrite, and changes nothing', async (t) => {
    const sandbox = sandboxWith(t);
    mkdirSync(path.join(sandbox.folder, 'site'));
    for (const file of ['index.html', 'CNAME', 'feed.atom'])
      writeFileSync(path.join(sandbox.folder, 'site', file), 'mine');
    const before = snapshot(sandbox);
    assert.match(
      await expectFailure(sandbox, BUILD),
      /^changelog: these were not written by an earlier build .*: site\/index\.html, site\/feed\.atom; /,
    );
    assert.deepEqual(snapshot(sandbox), before);
    for (const file of ['index.html', 'feed.atom']) rmSync(path.join(sandbox.folder, 'site', file));
    await runOk(sandbox, BUILD);
    assert.equal(readFileSync(path.join(sandbox.folder, 'site/CNAME'), 'utf8'), 'mine');
  });

  it('never overwrites the file to build from, through a link or with a list of files that has it', async (t) => {
    const sandbox = sandboxWith(t);
    const { folder } = sandbox;
    mkdirSync(path.join(folder, 'docs/acme/rocket'), { recursive: true });
    for (const file of ['docs/CHANGELOG.md', 'docs/acme/rocket/CHANGELOG.md'])
      writeFileSync(path.join(folder, file), fileOf(OLDEST));
    symlinkSync('docs/CHANGELOG.md', path.join(folder, 'link.md'));
    mkdirSync(path.join(folder, 'links'));
    symlinkSync('../CHANGELOG.md', path.join(folder, 'links/CHANGELOG.md'));
    const expectRefused = async (file: string, out: string, why = ' is the file to build from;') => {
      const before = snapshot(sandbox, '.');
      const error = await expectFailure(sandbox, ['build', file, '--out', out]);
      assert.ok(error.includes(file + why), error);
      assert.match(error, / \(nothing was changed\)\n$/);
      assert.deepEqual(snapshot(sandbox, '.'), before);
    };
    await expectRefused('CHANGELOG.md', '.');
    await expectRefused('./CHANGELOG.md', '../rocket');
    await expectRefused('docs/CHANGELOG.md', 'docs');
    await expectRefused('link.md', 'docs');
    // What it leads to would not be overwritten, but the link.
    await expectRefused('links/CHANGELOG.md', 'links', '; choose an empty folder');
    const files = ['CHANGELOG.md', 'acme/rocket/CHANGELOG.md'];
    writeFileSync(path.join(folder, 'docs/.changelog-site.json'), JSON.stringify({ format: 1, files }));
    await expectRefused('docs/CHANGELOG.md', 'docs');
    await expectRefused('docs/acme/rocket/CHANGELOG.md', 'docs');
    rmSync(path.join(folder, 'docs/.changelog-site.json'));
    rmSync(path.join(folder, 'docs/CHANGELOG.md'));
    await runOk(sandbox, ['build', 'docs/acme/rocket/CHANGELOG.md', '--out', 'docs']);
  });

  it('shows its progress on a terminal, and numbers in one format', async (t) => {
    const versions = Array.from({ length: 200 }, (_, at) => `## ${at}.0.0 - 2026-01-01\n\n- A change.\n`);
    const sandbox = sandboxWith(t, fileOf(...versions));
    const drawn: string[] = [];
    const terminal = { columns: () => 100, draw: (text: string) => void drawn.push(text) };
    const { code, stderr, stdout } = await run(sandbox, BUILD, '', { terminal });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^site: 200 versions, (1,\d{3}) files \(\1 written\)\n/);
    assert.match((drawn[0] ?? '').slice('\r\x1b[K'.length), /^building site: \d+ %, \d+ files?$/);
    assert.equal(drawn.at(-1), '\r\x1b[K');
  });

  it('goes on after it was cut off, also with another changelog: what it has written is still its own', async (t) => {
    const sandbox = sandboxWith(t, fileOf(OLDEST));
    const { folder } = sandbox;
    await runOk(sandbox, BUILD);
    const many = Array.from({ length: 1_500 }, (_, at) => `## ${at}.0.0 - 2026-01-01\n\n- A change.\n`);
    rewrite(sandbox, fileOf(...many));
    const { child, exited } = await spawnProgram(t, sandbox, BUILD);
    await until('a file is written', () => existsSync(path.join(folder, 'site/versions/7.0.0.html')));
    child.kill('SIGKILL');
    await exited;
    rewrite(sandbox, fileOf(NEWEST, MIDDLE, OLDEST));
    await runOk(sandbox, BUILD);
    await runOk(sandbox, ['build', 'CHANGELOG.md', '--out', 'other']);
    assert.deepEqual(filesIn(path.join(folder, 'site')), filesIn(path.join(folder, 'other')));
  });
});

describe('build refuses with the words of import, and writes nothing,', () => {
  const BAD: Readonly<Record<string, string | Buffer | null>> = {
    'a binary file': Buffer.from([0, 1, 2, 3]),
    'an empty file': '',
    'a file that is not a changelog': 'Dear diary,\n\ntoday I wrote nothing.\n',
    HTML: '<!doctype html><title>Changes</title>',
    'two versions with one label': fileOf(OLDEST, MIDDLE, OLDEST),
    'dates that can be read in two ways': '## 1.0.0 - 01/02/2020\n\n- A change.\n',
    'a missing file': null,
  };
  for (const [what, content] of Object.entries(BAD))
    it(what, async (t) => {
      const sandbox = sandboxWith(t, content ?? '');
      if (content === null) rmSync(path.join(sandbox.folder, 'CHANGELOG.md'));
      const before = readdirSync(sandbox.folder);
      const message = await expectFailure(sandbox, BUILD);
      assert.deepEqual(readdirSync(sandbox.folder), before);
      assert.equal(
        message,
        await expectFailure(sandbox, ['import', 'acme/rocket', 'CHANGELOG.md', '--create']),
      );
    });

  it('a folder that is not a monorepo', async (t) => {
    const sandbox = sandboxWith(t);
    const message = await expectFailure(sandbox, ['build', '.', '--out', 'site']);
    assert.match(message, /^changelog: \. is not a monorepo: it has no package\.json with workspaces, /);
    assert.equal(message, await expectFailure(sandbox, ['import-workspace', 'acme', '.']));
  });

  it('and leaves an earlier site as it is', async (t) => {
    const sandbox = sandboxWith(t);
    await runOk(sandbox, BUILD);
    const before = snapshot(sandbox);
    rewrite(sandbox, fileOf(OLDEST, MIDDLE, OLDEST));
    await expectFailure(sandbox, BUILD);
    assert.deepEqual(snapshot(sandbox), before);
  });
});

describe('build with wrong usage exits with 2', () => {
  const MISUSES: readonly (readonly [args: string, message: RegExp])[] = [
    ['build', /required option '--out <folder>' not specified/],
    ['build CHANGELOG.md', /required option '--out <folder>' not specified/],
    ['build --out site', /missing argument 'file'; or use --product, --team or --all/],
    ['build CHANGELOG.md --all --out site', /choose one of a file, --product, --team and --all/],
    ['build --team acme --all --out site', /choose one of a file, --product, --team and --all/],
    ['build --product acme --out site', /acme/],
    ['build --out site --team ', /'--team <team>' argument '' is invalid/],
    ['build --all --name Rocket --out site', /options that say how to read a file need a file/],
    ['build --all --read-as rst --out site', /options that say how to read a file need a file/],
    ['build CHANGELOG.md --base example.com --out site', /--base/],
    ['build CHANGELOG.md --base https://example.com/?a --out site', /--base/],
    ['build CHANGELOG.md --read-as word --out site', /--read-as/],
    ['build a.md b.md --team acme --out site', /choose one of a file, --product, --team and --all/],
    ['build CHANGELOG.md --out site --colour red', /unknown option '--colour'/],
  ];
  for (const [args, message] of MISUSES)
    it(args, async (t) => {
      const sandbox = sandboxWith(t);
      assert.match(await expectMisuse(sandbox, args.split(' ')), message);
      assert.deepEqual(readdirSync(sandbox.folder), ['CHANGELOG.md']);
    });
});
