import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { SETTINGS } from '../../src/config.ts';
import { run, runOk } from '../../support/program/command.ts';
import { misuse, workplaceOf } from './helpers.ts';

const NOWHERE = { folder: '/nonexistent' };

/** What people and scripts may type. */
const PROMISED = {
  serve: [],
  demo: [],
  migrate: [],
  apply: [],
  export: [],
  team: ['list', 'show', 'set', 'delete'],
  product: ['list', 'show', 'set', 'delete'],
  changelog: ['list', 'show', 'set', 'delete'],
  version: ['list', 'show', 'publish', 'unpublish', 'delete'],
  key: ['create', 'check', 'list', 'disable', 'enable', 'delete', 'attach', 'detach'],
  openapi: [],
  completion: [],
  doctor: [],
};
const FLAGS: Record<string, string[]> = {
  serve: ['--host', '--port', '--workers'],
  demo: ['--port'],
  apply: ['--prune', '--dry-run'],
  export: ['--format'],
  'team set': ['--visibility', '--plan'],
  'product set': ['--status'],
  'changelog set': ['--status'],
  'key create': ['--kind', '--product', '--name', '--out'],
};
/** They go on until they are stopped, and have no result to print. */
const ENDLESS = ['serve', 'demo'];

const program = await buildProgram({
  environment: {},
  folder: NOWHERE.folder,
  print: () => {},
  say: () => {},
  standardInput: () => [],
  now: () => '',
  exit: (code) => {
    throw new Error(`exit ${code}`);
  },
});

function pathsBelow(command: Command, path: readonly string[] = []): string[][] {
  return command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return [own, ...pathsBelow(child, own)];
  });
}

const paths = pathsBelow(program);
const leaves = paths.filter(
  (path) => !paths.some((other) => other.length > path.length && other[0] === path[0]),
);

describe('the commands', () => {
  it('that are promised are all there', () => {
    const promised = Object.entries(PROMISED).flatMap(([name, verbs]) => [
      name,
      ...verbs.map((verb) => `${name} ${verb}`),
    ]);
    const there = paths.map((path) => path.join(' '));
    assert.deepEqual(
      promised.filter((name) => !there.includes(name)),
      [],
    );
  });

  for (const path of [[], ...paths]) {
    it(`\`changelog ${[...path, '--help'].join(' ')}\` explains itself with exit 0`, async () => {
      const { code, stdout, stderr } = await run(NOWHERE, [...path, '--help']);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      assert.match(stdout, new RegExp(`^Usage: changelog ${path.join(' ')}`));
    });
  }

  for (const path of leaves) {
    const name = path.join(' ');
    it(`\`changelog ${name}\` takes ${ENDLESS.includes(name) ? 'its flags' : '--json and its flags'}`, async () => {
      const help = await runOk(NOWHERE, [...path, '--help']);
      const flags = [...(FLAGS[name] ?? []), ...(ENDLESS.includes(name) ? [] : ['--json'])];
      for (const flag of flags) assert.match(help, new RegExp(`^  ${flag}\\b`, 'm'));
    });
  }

  it('are listed by --help, each with what it does', async () => {
    const help = await runOk(NOWHERE, ['--help']);
    for (const name of Object.keys(PROMISED)) assert.match(help, new RegExp(`^  ${name}\\b.* {2,}\\S`, 'm'));
  });

  it('that show examples show what could be typed', async () => {
    let shown = 0;
    for (const path of paths) {
      const [, examples = ''] = (await runOk(NOWHERE, [...path, '--help'])).split('\nExamples:\n');
      for (const [, line = ''] of examples.matchAll(/changelog ([^|<\n]+)/g)) {
        const used = paths.findLast((words) => `${line} `.startsWith(`${words.join(' ')} `));
        assert.ok(used && leaves.includes(used), line);
        const help = await runOk(NOWHERE, [...used, '--help']);
        for (const flag of line.match(/--[a-z-]+/g) ?? [])
          assert.match(help, new RegExp(`^  ${flag}\\b`, 'm'));
        shown++;
      }
    }
    assert.ok(shown > 10);
  });

  it('of serving list every setting', async () => {
    const help = await runOk(NOWHERE, ['serve', '--help']);
    for (const { variable } of Object.values(SETTINGS))
      assert.match(help, new RegExp(`^  ${variable} `, 'm'));
  });
});

describe('wrong usage', () => {
  it('is no command at all, with the help on standard error', async (t) => {
    assert.match(await misuse(workplaceOf(t), []), /^Usage: changelog /);
  });

  for (const group of Object.entries(PROMISED).flatMap(([name, verbs]) => (verbs.length > 0 ? [name] : []))) {
    it(`is \`changelog ${group}\` alone, or with a verb there is not`, async (t) => {
      assert.match(await misuse(workplaceOf(t), [group]), new RegExp(`^Usage: changelog ${group} `));
      assert.match(await misuse(workplaceOf(t), [group, 'frobnicate']), /unknown command/);
    });
  }

  it('is an unknown command, an unknown flag or an argument too many', async (t) => {
    assert.match(await misuse(workplaceOf(t), ['frobnicate']), /unknown command.*\n.*--help/);
    for (const path of leaves) {
      const args = path.join(' ') === 'key create' ? [...path, 'acme', '--kind', 'FULL'] : path;
      assert.match(await misuse(workplaceOf(t), [...args, '--frobnicate']), /unknown option/);
    }
    assert.match(await misuse(workplaceOf(t), ['migrate', 'twice']), /too many arguments/);
  });

  it('is told with what was probably meant', async (t) => {
    for (const [args, meant] of [
      [['tem', 'list'], 'team'],
      [['exprot'], 'export'],
      [['team', 'lst'], 'list'],
      [['team', 'set', 'acme', '--vsibility', 'public'], '--visibility'],
      [['apply', 'a.yaml', '--dryrun'], '--dry-run'],
    ] as const)
      assert.match(await misuse(workplaceOf(t), args), new RegExp(`^\\(Did you mean ${meant}\\?\\)$`, 'm'));
  });

  it('is a flag of serve that its setting would not take', async (t) => {
    for (const [flag, value] of [
      ['--port', '70000'],
      ['--port', 'x'],
      ['--workers', '-1'],
      ['--host', ''],
    ] as const) {
      assert.match(await misuse(workplaceOf(t), ['serve', `${flag}=${value}`]), /It takes /);
    }
  });
});

describe('changelog --version', () => {
  it('prints the version of the package', async () => {
    assert.match(await runOk(NOWHERE, ['--version']), /^\d+\.\d+\.\d+\n$/);
  });
});
