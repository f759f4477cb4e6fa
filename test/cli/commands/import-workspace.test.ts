// `changelog import-workspace`. Which packages it finds is tested in test/import/workspace/packages.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dump, provideMigrated } from '../../../support/databases/engine.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, expectFailure, expectMisuse, exported, runJson, sandboxOf } from '../helpers.ts';

const ONE = '# Changelog\n\n## [1.0.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n';
const UNDATED = '# @acme/cli\n\n## 1.1.0\n\n### Minor Changes\n\n- abc1234: A flag.\n';
const MONOREPO = {
  'package.json': '{"name": "@acme/all", "workspaces": ["packages/*"]}',
  'packages/core/package.json': '{"name": "@acme/rocket-core"}',
  'packages/core/CHANGELOG.md': ONE,
  'packages/cli/package.json': '{"name": "@acme/cli"}',
  'packages/cli/CHANGELOG.md': UNDATED,
  'packages/utils/package.json': '{"name": "utils"}',
};
const IMPORT = ['import-workspace', 'acme', 'mono'];

function write({ folder }: Sandbox, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    const name = path.join(folder, 'mono', file);
    mkdirSync(path.dirname(name), { recursive: true });
    writeFileSync(name, text);
  }
}

async function sandboxWith(t: Scope, files: Record<string, string> = MONOREPO): Promise<Sandbox> {
  const sandbox = sandboxOf(t, { environment: { PATH: process.env.PATH } });
  await provideMigrated(sandbox);
  write(sandbox, files);
  return sandbox;
}

describe('import-workspace', () => {
  it('import-workspace makes one product of each package with a changelog, and says so', async (t) => {
    const sandbox = await sandboxWith(t);
    const { code, stdout, stderr } = await run(sandbox, IMPORT);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      [
        'mono: package.json, 2 changelogs',
        '+ team acme',
        '+ acme/cli: 1 created, 0 changed, 0 deleted, 0 unchanged, 0 kept (mono/packages/cli/CHANGELOG.md)',
        '+ acme/rocket-core: 1 created, 0 changed, 0 deleted, 0 unchanged, 0 kept (mono/packages/core/CHANGELOG.md)',
        'Without a changelog: packages/utils',
        'Done: 2 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
        'Not all of it is public yet. Run it again with --publish.',
        '',
      ].join('\n'),
    );
    assert.match(
      stderr,
      /^changelog: warning: mono\/packages\/cli\/CHANGELOG\.md: 1 version without a date is a draft[^\n]+\n$/,
    );
    const { products } = await exported(sandbox);
    assert.deepEqual(
      products.map(({ slug, name, status = 'draft' }) => `${slug} ${name} ${status}`),
      ['cli @acme/cli draft', 'rocket-core @acme/rocket-core draft'],
    );
    const before = await dump(sandbox);
    assert.match(await runOk(sandbox, IMPORT), /\nNothing to do: 0 created, .* 2 unchanged, 0 kept\.\n/);
    assert.deepEqual(await dump(sandbox), before);
  });

  it('import-workspace --publish makes all of them public', async (t) => {
    const sandbox = await sandboxWith(t);
    await runOk(sandbox, IMPORT);
    assert.match(await expectFailure(sandbox, [...IMPORT, '--publish']), /the team acme is private/);
    await runOk(sandbox, ['team', 'set', 'acme', '--visibility', 'public']);
    const told = await runOk(sandbox, [...IMPORT, '--publish']);
    assert.match(told, /\n~ acme\/rocket-core: 0 created, .*\n[\s\S]*\nDone: .*\n$/);
    const { app } = await startApp(t, sandbox);
    for (const product of ['rocket-core', 'cli'])
      assert.equal(
        (await app.inject(`/api/v1/public/teams/acme/products/${product}/changelog`)).statusCode,
        200,
      );
    const fresh = await sandboxWith(t);
    assert.doesNotMatch(await runOk(fresh, [...IMPORT, '--publish']), /public yet/);
  });

  it('import-workspace --dry-run prints the same counts, and writes nothing', async (t) => {
    const sandbox = await sandboxWith(t);
    const before = await dump(sandbox);
    assert.match(
      await runOk(sandbox, [...IMPORT, '--dry-run']),
      /\n\+ acme\/rocket-core: 1 created, .*\n[\s\S]*\nWould be done: 2 created, 0 changed, .*\n$/,
    );
    assert.deepEqual(await dump(sandbox), before);
  });

  it('import-workspace --json prints what import prints for each product', async (t) => {
    const sandbox = await sandboxWith(t);
    type Told = { products: Record<string, unknown>[]; [field: string]: unknown };
    const { products, ...told } = await runJson<Told>(sandbox, IMPORT);
    assert.deepEqual(told, {
      team: 'acme',
      source: 'mono',
      dryRun: false,
      ...{ created: 2, changed: 0, deleted: 0, unchanged: 0, kept: 0 },
      withoutChangelog: ['packages/utils'],
    });
    assert.deepEqual(products[1], {
      product: 'rocket-core',
      folder: 'packages/core',
      format: 'keep-a-changelog',
      source: 'mono/packages/core/CHANGELOG.md',
      dryRun: false,
      ...{ created: 1, changed: 0, deleted: 0, unchanged: 0, kept: 0 },
      warnings: [],
      versions: [{ action: 'created', version: '1.0.0' }],
    });
  });

  it('import-workspace refuses all if a file is bad, and names every bad one', async (t) => {
    const sandbox = await sandboxWith(t);
    write(sandbox, {
      'packages/core/CHANGELOG.md': `${ONE}\n## [1.0.0] - 2026-05-04\n`,
      'packages/utils/CHANGELOG.md': 'Nothing to see.\n',
    });
    const before = await dump(sandbox);
    const { code, stdout, stderr } = await run(sandbox, IMPORT);
    assert.deepEqual([code, stdout], [1, '']);
    const lines = stderr.split('\n');
    assert.match(
      lines[0] ?? '',
      /^changelog: mono\/packages\/core\/CHANGELOG\.md:\d+: duplicate version "1\.0\.0"/,
    );
    assert.match(lines[1] ?? '', /^mono\/packages\/utils\/CHANGELOG\.md:1: no version headings/);
    assert.deepEqual(lines.slice(2), ['']);
    assert.deepEqual(await dump(sandbox), before);
    await runOk(sandbox, [...IMPORT, '--merge-duplicates', '--exclude', 'packages/u*']);
  });

  it('import-workspace writes nothing if the last product is locked', async (t) => {
    const sandbox = await sandboxWith(t);
    const { team, products = [] } = documentOf([]);
    await apply(sandbox, { team, products: [{ ...products[0], slug: 'rocket-core', status: 'locked' }] });
    assert.match(await expectFailure(sandbox, IMPORT), /the product acme\/rocket-core is locked/);
  });

  it('import-workspace --prune asks once for all products', async (t) => {
    const sandbox = await sandboxWith(t);
    await runOk(sandbox, IMPORT);
    write(sandbox, {
      'packages/core/CHANGELOG.md': ONE.replaceAll('1.0.0', '2.0.0'),
      'packages/cli/CHANGELOG.md': ONE,
    });
    assert.match(
      await expectFailure(sandbox, [...IMPORT, '--prune']),
      /would delete 1 version of acme\/cli \(1\.1\.0\) and 1 version of acme\/rocket-core \(1\.0\.0\); use --yes\n$/,
    );
    assert.match(
      await runOk(sandbox, [...IMPORT, '--prune', '--yes']),
      /\nDone: 2 created, 0 changed, 2 deleted/,
    );
  });

  it('import-workspace --dates-from-git looks for tags with the name of each package', async (t) => {
    const sandbox = await sandboxWith(t);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: '2026-03-01T12:00:00Z' },
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'One');
    for (const name of ['cli', 'other']) git('tag', `@acme/${name}@1.1.0`);
    const { stderr } = await run(sandbox, [...IMPORT, '--dates-from-git', '.']);
    assert.equal(stderr, '');
    const [cli] = (await exported(sandbox)).products;
    assert.equal(cli?.changelog?.versions?.[0]?.publishedAt, '2026-03-01T12:00:00.000Z');
  });

  it('import-workspace says what is missing in a folder that is no monorepo, or has no changelog', async (t) => {
    const sandbox = await sandboxWith(t, { 'package.json': '{"name": "x"}', 'CHANGELOG.md': ONE });
    assert.match(
      await expectFailure(sandbox, IMPORT),
      /mono is not a monorepo: it has no package\.json with/,
    );
    const empty = await sandboxWith(t, { 'package.json': '{"workspaces": []}' });
    assert.match(await expectFailure(empty, IMPORT), /no package of mono has a changelog: a file such as/);
    assert.match(
      await expectFailure(empty, ['import-workspace', 'acme', 'nowhere']),
      /nowhere is not a folder/,
    );
    await expectMisuse(empty, ['import-workspace', 'acme']);
  });
});
