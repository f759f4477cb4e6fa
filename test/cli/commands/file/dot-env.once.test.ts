// Commands on files may run in a stranger's checkout, whose `.env` must not decide anything.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Scope } from '../../../../support/processes/scope.ts';
import { run, runOk } from '../../../../support/program/command.ts';
import { filesIn } from '../../../site/files.ts';
import { sandboxOf, sandboxWithoutDatabase } from '../../helpers.ts';

const CHANGELOG = '# Changelog\n\n## 1.0.0 - 2026-01-02\n\n### Added\n\n- A thing.\n';
const COMMANDS = [
  ['notes', 'CHANGELOG.md', '1.0.0'],
  ['check', 'CHANGELOG.md'],
  ['build', 'CHANGELOG.md', '--out', 'site'],
];

function checkoutWith(scope: Scope, dotEnv: string): string {
  const { folder } = sandboxWithoutDatabase(scope);
  mkdirSync(path.join(folder, '.git'));
  writeFileSync(path.join(folder, '.git/config'), '[http]\n  extraheader = Authorization: hunter2\n');
  writeFileSync(path.join(folder, 'CHANGELOG.md'), CHANGELOG);
  writeFileSync(path.join(folder, 'brand.css'), 'main { color: rebeccapurple }\n');
  writeFileSync(path.join(folder, '.env'), dotEnv);
  return folder;
}

const pagesOf = (folder: string) =>
  filesIn(path.join(folder, 'site')).map((file) => readFileSync(path.join(folder, 'site', file), 'utf8'));

describe('the .env of a checkout', () => {
  it('does not choose a file that `build FILE` writes into every page', async (t) => {
    for (const name of ['PAGE_STYLESHEET', 'CHANGELOG_PAGE_STYLESHEET']) {
      const folder = checkoutWith(t, `${name}=.git/config\n`);
      await runOk({ folder }, ['build', 'CHANGELOG.md', '--out', 'site']);
      for (const page of pagesOf(folder)) assert.doesNotMatch(page, /hunter2/);
    }
  });

  it('does not take the place of the environment, which `build FILE` reads', async (t) => {
    const folder = checkoutWith(t, 'PAGE_STYLESHEET=.git/config\n');
    const environment = { PAGE_STYLESHEET: 'brand.css' };
    await runOk({ folder, environment }, ['build', 'CHANGELOG.md', '--out', 'site']);
    assert.ok(pagesOf(folder).some((page) => page.includes('rebeccapurple')));
  });

  it('does not stop a command, whatever it is or contains', async (t) => {
    const invalid = checkoutWith(t, 'PORT=x\nCHANGELOG_TYPO=x\nPASSWORD_PROTECION=x\nPAGE_STYLESHEET=\n');
    const { folder: other } = sandboxWithoutDatabase(t);
    writeFileSync(path.join(other, 'CHANGELOG.md'), CHANGELOG);
    mkdirSync(path.join(other, '.env'));
    for (const folder of [invalid, other]) for (const args of COMMANDS) await runOk({ folder }, args);
  });

  it('does not change a name in a message', async (t) => {
    const folder = checkoutWith(t, 'CHANGELOG_PORT=1\n');
    for (const [command = '', , ...rest] of COMMANDS) {
      const { code, stderr } = await run({ folder }, [command, 'PORT', ...rest]);
      assert.equal(code, 1);
      assert.doesNotMatch(stderr, /CHANGELOG_PORT/);
    }
  });

  it('is read by `build` of the database', async (t) => {
    const { folder } = sandboxOf(t);
    writeFileSync(path.join(folder, '.env'), 'PAGE_STYLESHEET=missing.css\n');
    await runOk({ folder }, ['migrate']);
    await runOk({ folder }, ['import', 'acme/rocket', '-', '--create', '--publish'], CHANGELOG);
    const { code, stderr } = await run({ folder }, ['build', '--all', '--out', 'site']);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: PAGE_STYLESHEET is "missing\.css", which /);
  });
});
