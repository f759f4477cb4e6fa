import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findPackages } from '../../../src/import/workspace/packages.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';

const json = (value: unknown) => JSON.stringify(value);
const npm = (name: string) => json({ name });

/** Writes the files; an empty text stands for a changelog. */
function monorepo(t: TestContext, files: Record<string, string>): string {
  const root = path.join(temporaryFolder(t), 'mono');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

/** `FOLDER NAME CHANGELOG` of each package, without the root if it has no changelog. */
function found(root: string, ...excluded: string[]): string[] {
  return findPackages(root, excluded)
    .packages.filter(({ folder, changelog }) => folder !== '.' || changelog !== null)
    .map(({ folder, name, changelog }) => `${folder} ${name} ${changelog ?? '-'}`);
}

const PACKAGES = {
  'packages/core/package.json': npm('@acme/core'),
  'packages/core/CHANGELOG.md': '',
  'packages/cli/package.json': npm('@acme/cli'),
  'packages/no-manifest/CHANGELOG.md': '',
  'packages/node_modules/x/package.json': npm('x'),
  'apps/site/package.json': npm('site'),
  'apps/site/CHANGELOG.md': '',
};
const CORE = 'packages/core @acme/core packages/core/CHANGELOG.md';
const CLI = 'packages/cli @acme/cli -';
const SITE = 'apps/site site apps/site/CHANGELOG.md';

describe('the packages of a monorepo', () => {
  it('npm, yarn, pnpm and Lerna name them by globs', (t) => {
    const cases: [files: Record<string, string>, expected: string[]][] = [
      [{ 'package.json': json({ workspaces: ['packages/*', './apps/*/'] }) }, [SITE, CLI, CORE]],
      [{ 'package.json': json({ workspaces: { packages: ['packages/*'], nohoist: ['x'] } }) }, [CLI, CORE]],
      [{ 'package.json': json({ workspaces: ['{packages,apps}/*', '!**/cli'] }) }, [SITE, CORE]],
      [{ 'package.json': json({ workspaces: ['packages/core'] }) }, [CORE]],
      [{ 'pnpm-workspace.yaml': "packages:\n  - '**'\n  - '!apps/**' # not these\n" }, [CLI, CORE]],
      [{ 'lerna.json': json({ version: 'independent', packages: ['apps/*'] }) }, [SITE]],
      [{ 'lerna.json': json({ version: '1.0.0' }) }, [CLI, CORE]],
      [{ 'lerna.json': '{}', 'package.json': json({ workspaces: ['apps/*'] }) }, [SITE]],
      [
        { 'lerna.json': json({ packages: ['apps/*'] }), 'pnpm-workspace.yaml': 'packages: [packages/core]' },
        [SITE, CORE],
      ],
    ];
    for (const [files, expected] of cases)
      assert.deepEqual(found(monorepo(t, { ...PACKAGES, ...files })), expected);
  });

  it('Cargo names them by members without those excluded', (t) => {
    const root = monorepo(t, {
      'Cargo.toml': '[workspace]\nmembers = [\n  "crates/*",\n  "xtask",\n]\nexclude = ["crates/old"]\n',
      'Changes.md': '',
      'crates/a/Cargo.toml': '[package]\nname = "acme-a"\n',
      'crates/a/CHANGELOG.md': '',
      'crates/old/Cargo.toml': '[package]\nname = "old"\n',
      'xtask/Cargo.toml': '[package]\nname = "xtask"\n',
    });
    assert.deepEqual(found(root), [
      '. mono Changes.md',
      'crates/a acme-a crates/a/CHANGELOG.md',
      'xtask xtask -',
    ]);
  });

  it('go.work names them one by one or in a block', (t) => {
    const root = monorepo(t, {
      'go.work':
        'go 1.24\n\nuse ./tools // a comment\nuse (\n\t./core\n\t"./quoted" // too\n)\nreplace a => ./replaced\n',
      'tools/go.mod': 'module example.com/acme/tools\n',
      'core/go.mod': '// core\nmodule "example.com/acme/core/v2"\n\ngo 1.24\n',
      'core/CHANGELOG.md': '',
      'quoted/go.mod': 'module quoted\n',
      'replaced/go.mod': 'module replaced\n',
    });
    assert.deepEqual(found(root), [
      'core example.com/acme/core/v2 core/CHANGELOG.md',
      'quoted quoted -',
      'tools example.com/acme/tools -',
    ]);
  });

  it('release-please names them with their changelogs, or only in its manifest', (t) => {
    const files = {
      'lib/docs/NEWS.md': '',
      'py/pyproject.toml': '[project]\nname = "acme-py"\n',
      'py/CHANGELOG.md': '',
      'docs/tool.md': '',
      'tool/x': '',
    };
    const config = {
      packages: {
        lib: { 'package-name': 'acme-lib', 'changelog-path': 'docs/NEWS.md' },
        py: { component: 'python' },
        tool: { 'changelog-path': '/docs/tool.md' },
      },
    };
    assert.deepEqual(found(monorepo(t, { ...files, 'release-please-config.json': json(config) })), [
      'lib acme-lib lib/docs/NEWS.md',
      'py acme-py py/CHANGELOG.md',
      'tool tool docs/tool.md',
    ]);
    const manifest = json({ '.': '1.0.0', py: '2.0.0', lib: '1.0.0' });
    assert.deepEqual(found(monorepo(t, { ...files, '.release-please-manifest.json': manifest })), [
      'lib lib -',
      'py acme-py py/CHANGELOG.md',
    ]);
  });

  it('a package that several files name is found once, and the root counts if it has a changelog', (t) => {
    const root = monorepo(t, {
      ...PACKAGES,
      'package.json': json({ name: 'acme', workspaces: ['packages/core'] }),
      'release-please-config.json': json({ packages: { '.': {}, './packages/core': {} } }),
      'CHANGELOG.md': '',
    });
    assert.deepEqual(found(root), ['. acme CHANGELOG.md', CORE]);
    assert.deepEqual(findPackages(root).sources, ['package.json', 'release-please-config.json']);
  });

  it('the changelog of a package has one of the usual names, in any case', (t) => {
    const root = monorepo(t, {
      'package.json': json({ workspaces: ['*'] }),
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}/package.json`, npm(name)])),
      'a/HISTORY.md': '',
      'a/changelog.txt': '',
      'b/news': '',
      'b/Changes.rst': '',
      'c/Changelog': '',
      'c/ChangeLog.md': '',
      'd/changelog/x': '',
      'd/changelog-template.md': '',
    });
    assert.deepEqual(found(root), [
      'a a a/changelog.txt',
      'b b b/Changes.rst',
      'c c c/ChangeLog.md',
      'd d -',
    ]);
  });

  it('packages in excluded folders are left out', (t) => {
    const root = monorepo(t, { ...PACKAGES, 'package.json': json({ workspaces: ['packages/*', 'apps/*'] }) });
    assert.deepEqual(found(root, 'apps/*', './packages/cli/'), [CORE]);
  });
});

describe('hostile monorepos', () => {
  it('links and dots never lead out of the folder', (t) => {
    const root = monorepo(t, {
      'package.json': json({ workspaces: ['packages/*', '../*', '/etc', '../../**', 'packages/../../out'] }),
      'packages/a/package.json': npm('a'),
      'release-please-config.json': json({
        packages: { 'packages/a': { 'changelog-path': '../../../out/CHANGELOG.md' } },
      }),
      'packages/b/package.json': npm('b'),
      '../out/package.json': npm('out'),
      '../out/CHANGELOG.md': '',
    });
    symlinkSync('../../out', path.join(root, 'packages/linked'));
    symlinkSync('..', path.join(root, 'packages/loop'));
    symlinkSync('../../../out/CHANGELOG.md', path.join(root, 'packages/b/CHANGELOG.md'));
    assert.deepEqual(found(root), ['packages/a a -', 'packages/b b -']);
    assert.deepEqual(
      findPackages(root).warnings.map((warning) => warning.split(': ')[1]?.split(' ')[0]),
      ['../*', '/etc', '../../**', '../out'],
    );
  });

  it('patterns with many stars and alternatives in a deep folder are compared', (t) => {
    const folder = `packages/${'a/'.repeat(40)}b`;
    const files = { [`${folder}/package.json`]: npm('b') };
    for (const pattern of ['packages/**/**/**/**/**/*', `packages/${'{**,a/**}/'.repeat(30)}b`])
      assert.deepEqual(found(monorepo(t, { ...files, 'package.json': json({ workspaces: [pattern] }) })), [
        `${folder} b -`,
      ]);
  });

  it('a manifest that cannot be read is refused by its name', (t) => {
    const broken = monorepo(t, { 'package.json': '{"workspaces": [' });
    assert.throws(() => found(broken), /package\.json cannot be read: /);
    assert.throws(
      () => found(monorepo(t, { 'pnpm-workspace.yaml': 'packages: [' })),
      /pnpm-workspace\.yaml cannot/,
    );
    for (const odd of ['null', '[]', '"x"', '{"workspaces": 1}', '{"workspaces": {"packages": {}}}'])
      assert.throws(
        () => found(monorepo(t, { 'package.json': odd })),
        /is not a monorepo: it has no package\.json/,
      );
    assert.throws(() => found(path.join(broken, 'nowhere')), /nowhere is not a folder that can be read/);
  });
});
