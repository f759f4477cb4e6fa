// A site of several changelogs: the packages of a monorepo, or files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { crawl, folderReader } from '../../support/http/crawl.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { run, runOk, type Sandbox } from '../../support/program/command.ts';
import { expectFailure, runJson, sandboxWithoutDatabase } from '../cli/helpers.ts';
import { filesIn } from './files.ts';

const CORE =
  '# Changelog\n\n## [1.1.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n\n## [1.0.0] - 2026-01-02\n\n- First.\n';
const CLI = '# @acme/cli\n\n## 2.0.0 (2026-06-07)\n\n### Major Changes\n\n- abc1234: A flag.\n';
const MONOREPO = {
  'package.json': '{"name": "acme-all", "workspaces": ["packages/*", "examples/*"]}',
  'packages/core/package.json': '{"name": "@acme/rocket-core"}',
  'packages/core/CHANGELOG.md': CORE,
  'packages/cli/package.json': '{"name": "@acme/cli"}',
  'packages/cli/CHANGELOG.md': CLI,
  'packages/utils/package.json': '{"name": "utils"}',
  'packages/soon/package.json': '{"name": "soon"}',
  'packages/soon/CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Soon.\n',
  'examples/demo/package.json': '{"name": "demo"}',
  'examples/demo/CHANGELOG.md': CLI,
};

function sandboxWith(scope: Scope, files: Record<string, string> = MONOREPO): Sandbox {
  const sandbox = sandboxWithoutDatabase(scope, { environment: { PATH: process.env.PATH } });
  for (const [file, text] of Object.entries(files)) {
    const name = path.join(sandbox.folder, file);
    mkdirSync(path.dirname(name), { recursive: true });
    writeFileSync(name, text);
  }
  return sandbox;
}

const BUILD = ['build', '.', '--out', 'site', '--exclude', 'examples/*'];

describe('build of a monorepo', () => {
  it('makes a folder of each package, and the versions of all of them by date', async (t) => {
    const sandbox = sandboxWith(t);
    const report = await runJson<Record<string, number>>(sandbox, BUILD);
    assert.deepEqual([report.products, report.versions], [2, 3]);
    const site = path.join(sandbox.folder, 'site');
    const read = (file: string) => readFileSync(path.join(site, file), 'utf8');
    assert.deepEqual(
      filesIn(site).filter((file) => file.endsWith('index.html')),
      ['cli/index.html', 'index.html', 'rocket-core/index.html'],
    );
    const home = read('index.html');
    assert.match(home, /<h1[^>]*>acme-all<\/h1>/);
    assert.deepEqual(
      [...home.matchAll(/<h2><a class="u-url p-name" href="([^"]*)">/g)].map(([, url]) => url),
      ['cli/versions/2.0.0.html', 'rocket-core/versions/1.1.0.html', 'rocket-core/versions/1.0.0.html'],
    );
    assert.match(read('rocket-core/index.html'), /href="\.\.\/index\.html"[^>]*>acme-all</);
    assert.deepEqual(JSON.parse(read('cli/changelog.json')).data.team, {
      slug: 'acme-all',
      name: 'acme-all',
    });
    assert.ok(!JSON.stringify(filesIn(site).map(read)).includes('Soon'));
  });

  it('has no broken link, with a base and without', async (t) => {
    const sandbox = sandboxWith(t);
    for (const base of [[], ['--base', 'https://acme.github.io/all/']]) {
      await runOk(sandbox, [...BUILD, ...base]);
      const options = base[1] === undefined ? {} : { base: base[1] };
      const { visited, broken } = await crawl(folderReader(path.join(sandbox.folder, 'site')), options);
      assert.deepEqual(broken, []);
      assert.ok(visited.includes('cli/versions/2.0.0.html'));
    }
  });

  it('dates versions by the tags of their packages', async (t) => {
    const sandbox = sandboxWith(t, { ...MONOREPO, 'packages/cli/CHANGELOG.md': CLI.replace(/ \(.*\)/, '') });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: '2026-03-04T12:00:00Z' },
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'A');
    git('tag', '@acme/cli@2.0.0');
    const { stderr } = await run(sandbox, BUILD);
    assert.equal(stderr, '');
    const { data } = JSON.parse(
      readFileSync(path.join(sandbox.folder, 'site/cli/versions/latest.json'), 'utf8'),
    );
    assert.match(data.publishedAt, /^2026-03-04T/);
  });

  it('says what is wrong with all files at once, and writes nothing', async (t) => {
    const sandbox = sandboxWith(t, {
      ...MONOREPO,
      'packages/cli/CHANGELOG.md': CLI + CLI,
      'packages/core/CHANGELOG.md': CORE + CORE,
    });
    const { code, stderr } = await run(sandbox, BUILD);
    assert.equal(code, 1);
    assert.match(stderr, /cli\/CHANGELOG\.md:10: .*core\/CHANGELOG\.md:14: /s);
    assert.ok(!filesIn(sandbox.folder).some((file) => file.startsWith('site/')));
  });

  it('refuses one without a released version', async (t) => {
    const sandbox = sandboxWith(t, {
      'package.json': MONOREPO['package.json'],
      'packages/soon/package.json': MONOREPO['packages/soon/package.json'],
      'packages/soon/CHANGELOG.md': MONOREPO['packages/soon/CHANGELOG.md'],
    });
    assert.match(await expectFailure(sandbox, BUILD), /soon\/CHANGELOG\.md has no released version/);
  });
});

it('build of several files makes one site, and never overwrites one of them', async (t) => {
  const sandbox = sandboxWith(t, { 'core/CHANGELOG.md': CORE, 'cli/CHANGELOG.md': CLI });
  const files = ['core/CHANGELOG.md', 'cli/CHANGELOG.md'];
  await runOk(sandbox, ['build', ...files, '--out', 'site', '--name', 'Acme']);
  const site = filesIn(path.join(sandbox.folder, 'site'));
  for (const file of ['index.html', 'core/index.html', 'cli/index.html'])
    assert.ok(site.includes(file), file);
  assert.equal(
    await expectFailure(sandbox, ['build', ...files, '--out', '.']),
    'changelog: core/CHANGELOG.md is the file to build from; choose another folder with --out (nothing was changed)\n',
  );
});
