// R72: what was probably meant as a setting, and is not one.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { PREFIX, SETTINGS } from '../src/config.ts';
import { ROOT } from '../src/root.ts';
import { findUnknownSettings } from '../src/unknown-settings.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { doctor, run, runOk } from '../support/program/command.ts';
import { sandboxOf } from './cli/helpers.ts';

function folderWith(t: TestContext, dotEnv: string): string {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, '.env'), dotEnv, { mode: 0o600 });
  return folder;
}

const TYPO = 'CHANGELOG_PASSWORD_PROTECION';

describe('a variable CHANGELOG_… that is not a setting', () => {
  it('is refused by every command that reads settings, before it writes, with the setting that was meant', async (t) => {
    for (const args of [
      ['serve'],
      ['demo'],
      ['migrate'],
      ['init', '--yes'],
      ['team', 'list'],
      ['import', 'acme/rocket', '-', '--create'],
      ['build', '--all', '--out', 'site'],
      ['openapi'],
      ['mcp'],
    ]) {
      const inDotEnv = folderWith(t, `${TYPO}=hunter2\n`);
      const { folder } = sandboxOf(t);
      for (const [place, sandbox] of [
        ['the environment', { folder, environment: { [TYPO]: 'hunter2' } }],
        ['.env', { folder: inDotEnv }],
      ] as const) {
        const { code, stdout, stderr } = await run(sandbox, args, '## 1.0.0 - 2026-01-02\n\n- A thing.\n');
        assert.deepEqual([code, stdout], [1, ''], args.join(' '));
        assert.equal(
          stderr,
          `changelog: ${TYPO} in ${place} is not a setting; did you mean CHANGELOG_PASSWORD_PROTECTION?\n`,
        );
        for (const file of ['data', 'site']) assert.equal(existsSync(path.join(sandbox.folder, file)), false);
      }
    }
  });

  it('is refused if nothing is like it, and the message says where the settings are listed', async (t) => {
    const sandbox = {
      ...sandboxOf(t),
      environment: { CHANGELOG_GITHUB_TOKEN: 'hunter2', CHANGELOG_PROT: '1' },
    };
    const { code, stderr } = await run(sandbox, ['team', 'list']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^changelog: CHANGELOG_GITHUB_TOKEN in the environment is not a setting; `\S+ serve --help` lists the settings\. If another program needs it, rename it: [^\n]+\n(?<second>[^\n]+)\n$/,
    );
    assert.match(
      stderr,
      /^CHANGELOG_PROT in the environment is not a setting; did you mean CHANGELOG_PORT\?$/m,
    );
    assert.doesNotMatch(stderr, /hunter2/);
  });

  it('is not in the way of commands on files, which need no settings', async (t) => {
    const folder = folderWith(t, `${TYPO}=true\n`);
    const changelog = '# Changelog\n\n## [1.0.0] - 2026-01-02\n\n### Added\n\n- A thing.\n';
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
    const sandbox = { folder, environment: { [TYPO]: 'true' } };
    assert.match(await runOk(sandbox, ['notes', 'CHANGELOG.md', '1.0.0']), /A thing\./);
    await runOk(sandbox, ['check', 'CHANGELOG.md']);
    await runOk(sandbox, ['build', 'CHANGELOG.md', '--out', 'site']);
  });

  it('is a failed check of `doctor`, which goes on', async (t) => {
    const sandbox = { ...sandboxOf(t), environment: { [TYPO]: 'true' } };
    const { code, stdout } = await doctor(sandbox);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^wrong {2}settings {5}CHANGELOG_PASSWORD_PROTECION in the environment is not a setting; did you mean CHANGELOG_PASSWORD_PROTECTION\?$/m,
    );
    assert.match(stdout, /^\w+ +database /m);
    assert.doesNotMatch(stdout, /All settings are valid/);
  });

  it('may be any that our documents, deployment files and programs name', (t) => {
    const files = globSync(['{docs,deploy,.github}/**/*', 'bin/*', '*.{md,yml,yaml}'], {
      cwd: ROOT,
      exclude: (name) => name === 'CHANGELOG.md',
    }).filter((file) => statSync(path.join(ROOT, file)).isFile());
    const text = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
    const names = [
      ...files.flatMap((file) => text(file).match(/\bCHANGELOG_[A-Z_]*[A-Z]\b/g) ?? []),
      ...globSync('src/**/*.ts', { cwd: ROOT }).flatMap(
        (file) => text(file).match(/(?<=')CHANGELOG_[A-Z_]+(?=')/g) ?? [],
      ),
    ];
    // A variable of GitHub, which no process gets by this name, and the examples of a wrong name.
    const others = ['CHANGELOG_SITE', 'CHANGELOG_NAME', TYPO];
    for (const name of ['API_KEY', 'CI_PASSWORD', 'COMMAND', 'MESSAGE_ID'])
      assert.ok(names.includes(PREFIX + name), name);
    const environment = Object.fromEntries(
      names.filter((name) => !others.includes(name)).map((name) => [name, 'x']),
    );
    assert.deepEqual(findUnknownSettings({ environment, folder: temporaryFolder(t) }), []);
  });

  it('may be one that Kubernetes or Docker sets for a service', (t) => {
    const folder = temporaryFolder(t);
    const environment = {
      CHANGELOG_SERVICE_HOST: '10.0.0.9',
      CHANGELOG_SERVICE_PORT: '80',
      CHANGELOG_SERVICE_PORT_HTTP: '80',
      CHANGELOG_PORT: 'tcp://10.0.0.9:80',
      CHANGELOG_PORT_80_TCP: 'tcp://10.0.0.9:80',
      CHANGELOG_PORT_80_TCP_PROTO: 'tcp',
      CHANGELOG_PORT_80_TCP_PORT: '80',
      CHANGELOG_PORT_80_TCP_ADDR: '10.0.0.9',
      CHANGELOG_DB_SERVICE_HOST: '10.0.0.9',
      CHANGELOG_DB_SERVICE_PORT_POSTGRES: '5432',
      CHANGELOG_DB_PORT: 'tcp://10.0.0.9:5432',
      CHANGELOG_DB_PORT_5432_TCP_ADDR: '10.0.0.9',
      CHANGELOG_NAME: '/web/changelog',
      CHANGELOG_ENV_PATH: '/bin',
    };
    assert.deepEqual(findUnknownSettings({ environment, folder }), []);
    const similar = {
      CHANGELOG_PASSWORD_PROTECTION_USER_NAME: 'ann',
      CHANGELOG_OPPS_PORT: '9090',
      CHANGELOG_NAME: 'x',
      CHANGELOG_PASSWORD_PROTECION: 'a_SERVICE_HOST=b',
    };
    assert.equal(findUnknownSettings({ environment: similar, folder }).length, Object.keys(similar).length);
    const dotEnv = folderWith(t, 'CHANGELOG_SERVICE_HOST=10.0.0.9\nCHANGELOG_DEMO_PAGE=/etc/passwd\n');
    assert.equal(findUnknownSettings({ environment: {}, folder: dotEnv }).length, 2);
  });
});

describe('a name in .env that is one slip away from a setting', () => {
  const problemsWith = (t: TestContext, dotEnv: string, environment = {}) =>
    findUnknownSettings({ environment, folder: folderWith(t, dotEnv) });

  it('is refused with the setting that was meant', async (t) => {
    for (const [name, meant] of [
      ['PASSWORD_PROTECION', 'PASSWORD_PROTECTION'],
      ['PASWORD_PROTECTION_PASSWORD', 'PASSWORD_PROTECTION_PASSWORD'],
      ['BASE_ULR', 'BASE_URL'],
      ['Log_Level', 'LOG_LEVEL'],
      ['CHANGLOG_PORT', 'CHANGELOG_PORT'],
    ]) {
      const folder = folderWith(t, `${name}=hunter2\n`);
      const { code, stderr } = await run({ folder }, ['migrate']);
      assert.equal(code, 1);
      const prefixed = PREFIX + meant?.replace(PREFIX, '');
      assert.equal(
        stderr,
        `changelog: ${name} in .env is not a setting; did you mean ${meant}? If another program needs it, also set ${prefixed}.\n`,
      );
    }
  });

  it('every setting of eight letters or more is recognised with one letter too many, missing, wrong or swapped', (t) => {
    for (const { variable } of Object.values(SETTINGS).filter((each) => each.variable.length > 8))
      for (const slip of [
        `${variable.slice(0, 4)}X${variable.slice(4)}`,
        variable.slice(0, -1),
        `${variable.slice(0, 4)}X${variable.slice(5)}`,
        variable.slice(0, -2) + variable.at(-1) + variable.at(-2),
      ])
        assert.equal(problemsWith(t, `${slip}=x\n`).length, 1, slip);
  });

  it('is ignored if it is shorter, further away, or in the environment', (t) => {
    for (const name of ['HOSTS', 'PORTS', 'WORKER', 'LISTENING', 'DATABASES_URLS', 'PASSWORD', 'NODE_ENV'])
      assert.deepEqual(problemsWith(t, `${name}=x\n`), [], name);
    assert.deepEqual(problemsWith(t, '', { PASSWORD_PROTECION: 'true' }), []);
  });

  it('is another program’s if the setting is given with the prefix', (t) => {
    assert.equal(problemsWith(t, 'DATABASE_URI=x\nDATABASE_URL=sqlite:a.db\n').length, 1);
    assert.deepEqual(problemsWith(t, 'DATABASE_URI=x\nCHANGELOG_DATABASE_URL=sqlite:a.db\n'), []);
    assert.deepEqual(problemsWith(t, 'DATABASE_URI=x\n', { CHANGELOG_DATABASE_URL: 'sqlite:a.db' }), []);
  });

  it('is not in the way of `mcp`, which may run in the directory of another program', async (t) => {
    const { code, stderr } = await run({ folder: folderWith(t, 'DATABASE_URI=x\n') }, ['mcp']);
    assert.deepEqual([code, stderr], [0, '']);
  });
});
