// A heading above the first version that is not a version, as `import`, `build`, `notes` and `check` read it (R70).
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { provideMigrated } from '../../support/databases/engine.ts';
import { startApp } from '../../support/program/app.ts';
import { run, runOk } from '../../support/program/command.ts';
import { filesIn } from '../site/files.ts';
import { sandboxOf, sandboxWithoutDatabase, versionsByLabel } from './helpers.ts';

const fileOf = (name: string) =>
  `# Changelog\n\nAll about it.\n\n## ${name}\n\n- A secret.\n\n## [1.2.0] - 2026-05-04\n\n- A pad.\n`;
const SAYS = {
  '[Unrelased]':
    /CHANGELOG\.md:5: (?:error: )?the heading "Unrelased" is not a version.*"Unreleased" was probably meant\./,
  'Dark mode': /CHANGELOG\.md:5: (?:error: )?the heading "Dark mode" is not a version.*name it Unreleased/,
};
const HIDDEN = /secret|Unrelased|Dark mode/;
const PUBLIC = '/api/v1/public/teams/acme/products/rocket/changelog';

for (const [name, says] of Object.entries(SAYS))
  describe(`## ${name} above the first version`, () => {
    it('check: an error, exit 1', async (t) => {
      const sandbox = sandboxWithoutDatabase(t);
      const { code, stdout } = await run(sandbox, ['check', '-'], fileOf(name));
      assert.equal(code, 1);
      assert.match(stdout.replace('standard input', 'CHANGELOG.md'), says);
      assert.match(stdout, /\[not-a-version\]/);
    });

    it('notes: a warning, and neither the latest version nor an unreleased one', async (t) => {
      const sandbox = sandboxWithoutDatabase(t);
      writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), fileOf(name));
      for (const args of [[], ['latest'], ['--from', '1.0.0'], ['--json']]) {
        const { code, stdout, stderr } = await run(sandbox, ['notes', 'CHANGELOG.md', ...args]);
        assert.equal(code, 0);
        assert.match(stdout, /A pad\./);
        assert.doesNotMatch(stdout, HIDDEN);
        assert.match(stderr, says);
      }
      const { code, stdout, stderr } = await run(sandbox, ['notes', 'CHANGELOG.md', 'unreleased']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, says);
      assert.match(stderr, /CHANGELOG\.md has no unreleased section\./);
    });

    it('build: a warning, and nothing of it in any file', async (t) => {
      const sandbox = sandboxWithoutDatabase(t);
      writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), fileOf(name));
      const { code, stderr } = await run(sandbox, ['build', 'CHANGELOG.md', '--out', 'site']);
      assert.equal(code, 0);
      assert.match(stderr, says);
      const site = path.join(sandbox.folder, 'site');
      const texts = filesIn(site).map((file) => `${file}\n${readFileSync(path.join(site, file), 'utf8')}`);
      assert.ok(texts.some((text) => text.includes('All about it.')));
      for (const text of texts) assert.doesNotMatch(text, HIDDEN);
    });

    it('import: a draft that nobody else reads, which a second import leaves as it is', async (t) => {
      const sandbox = sandboxOf(t);
      await provideMigrated(sandbox);
      writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), fileOf(name));
      const args = ['import', 'acme/rocket', 'CHANGELOG.md', '--create', '--publish'];
      assert.match((await run(sandbox, args)).stderr, says);
      const { app } = await startApp(t, sandbox);
      for (const route of [`${PUBLIC}?include=changes`, `${PUBLIC}/CHANGELOG.md`, `${PUBLIC}/feed.atom`]) {
        const text = (await app.inject(route)).body;
        assert.match(text, /A pad\./);
        assert.doesNotMatch(text, HIDDEN);
      }
      assert.equal((await versionsByLabel(sandbox)).get(name.replace(/[[\]]/g, ''))?.status, 'draft');
      assert.match(await runOk(sandbox, args), /0 created, 0 changed, 0 deleted, 2 unchanged, 0 kept/);
    });
  });
