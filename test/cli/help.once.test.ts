import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { SETTINGS } from '../../src/config.ts';
import { run, runOk } from '../../support/program/command.ts';
import { PROGRAM } from './command-lines.ts';
import { expectMisuse, sandboxOf } from './helpers.ts';

const NOWHERE = { folder: '/nonexistent' };

/** The options of each command. */
const PROMISED = {
  serve: [],
  demo: [],
  migrate: [],
  apply: [],
  export: [],
  import: [],
  'import-workspace': [],
  notes: [],
  check: [],
  build: [],
  team: ['list', 'show', 'set', 'delete'],
  product: ['list', 'show', 'set', 'delete'],
  changelog: ['list', 'show', 'set', 'delete'],
  version: ['list', 'show', 'publish', 'unpublish', 'unschedule', 'schedule', 'schedule list', 'delete'],
  'publish-due': [],
  hook: ['list', 'test', 'announce'],
  key: ['create', 'check', 'list', 'disable', 'enable', 'delete', 'attach', 'detach'],
  mcp: [],
  openapi: [],
  completion: [],
  backup: [],
  restore: [],
  copy: [],
  doctor: [],
};
const FLAGS: Record<string, string[]> = {
  serve: ['--host', '--port', '--workers'],
  demo: ['--port'],
  apply: ['--prune', '--dry-run'],
  export: ['--format'],
  import: ['--format', '--create', '--publish', '--dry-run'],
  'import-workspace': ['--dry-run'],
  notes: ['--from', '--format', '--for', '--language', '--version-code', '--out', '--allow-empty'],
  build: ['--out', '--base', '--team', '--product', '--all'],
  check: ['--since', '--version', '--version-from', '--strict', '--format'],
  'team set': ['--visibility', '--plan'],
  'product set': ['--status'],
  'changelog set': ['--status'],
  'version publish': ['--at'],
  'publish-due': ['--dry-run'],
  'hook announce': ['--dry-run'],
  mcp: ['--url'],
  copy: ['--to'],
  'key create': ['--kind', '--product', '--name', '--out'],
};
/** What a command line needs. */
const REQUIRED: Record<string, string[]> = {
  'key create': ['acme', '--kind', 'FULL'],
  copy: ['--to', 'sqlite:copy.db'],
};
/** These run until they are stopped, and print no result. */
const ENDLESS = ['serve', 'demo', 'mcp'];

function pathsBelow(command: Command, path: readonly string[] = []): string[][] {
  return command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return [own, ...pathsBelow(child, own)];
  });
}

const paths = pathsBelow(PROGRAM);
const leaves = paths.filter(
  (path) =>
    !paths.some((other) => other.length > path.length && path.every((word, place) => other[place] === word)),
);

describe('the commands', () => {
  it('every command of the contract exists', () => {
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
    it(`\`changelog ${[...path, '--help'].join(' ')}\` prints help and exits with 0`, async () => {
      const { code, stdout, stderr } = await run(NOWHERE, [...path, '--help']);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      assert.match(stdout, new RegExp(`^Usage: changelog ${path.join(' ')}`));
    });
  }

  it('`changelog help` takes the words of any command', async () => {
    for (const path of [[], ...paths])
      assert.equal(await runOk(NOWHERE, ['help', ...path]), await runOk(NOWHERE, [...path, '--help']));
  });

  for (const path of leaves) {
    const name = path.join(' ');
    it(`\`changelog ${name}\` accepts ${ENDLESS.includes(name) ? 'its options' : '--json and its options'}`, async () => {
      const help = await runOk(NOWHERE, [...path, '--help']);
      const flags = [...(FLAGS[name] ?? []), ...(ENDLESS.includes(name) ? [] : ['--json'])];
      for (const flag of flags) assert.match(help, new RegExp(`^  ${flag}\\b`, 'm'));
    });
  }

  it('--help fits into a terminal of 80 columns', async () => {
    for (const path of [[], ...paths]) {
      const [help = ''] = (await runOk(NOWHERE, [...path, '--help'])).split('\nExamples:');
      for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
    }
  });

  it('--help lists the commands in five groups of at most six lines', async () => {
    const groups = (await runOk(NOWHERE, ['--help'])).split(/\n\n(?=[A-Z]\w+:\n)/).slice(2);
    assert.deepEqual(
      groups.map((group) => group.split(':')[0]),
      ['Files', 'Content', 'Keys', 'Serving', 'Operating'],
    );
    for (const group of groups) assert.ok(group.trimEnd().split('\n').length <= 1 + 6, group);
  });

  it('--help lists every command with a description', async () => {
    const help = await runOk(NOWHERE, ['--help']);
    for (const name of Object.keys(PROMISED)) assert.match(help, new RegExp(`^  ${name}\\b.* {2,}\\S`, 'm'));
  });

  it('every option and argument with a list of values accepts them in any case', () => {
    const commands = [PROGRAM, ...PROGRAM.commands].flatMap(({ commands }) => commands);
    const limited = commands
      .flatMap(({ options, registeredArguments }) => [...options, ...registeredArguments])
      .filter(({ argChoices }) => argChoices !== undefined);
    for (const { argChoices = [], parseArg } of limited)
      for (const value of argChoices)
        for (const typed of [value, value.toLowerCase(), value.toUpperCase()])
          assert.equal(parseArg?.(typed, undefined as never), value);
    assert.ok(limited.length >= 9);
  });

  it('the examples in --help are valid commands', async () => {
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

  it('the help of every command that takes a file or prints one has examples', async () => {
    for (const name of ['apply', 'export', 'import'])
      assert.match(await runOk(NOWHERE, [name, '--help']), /\nExamples:\n(?: {2}changelog .+\n){2,}/);
  });

  it('the help of serve and demo lists every setting', async () => {
    const help = await runOk(NOWHERE, ['serve', '--help']);
    for (const { variable } of Object.values(SETTINGS))
      assert.match(help, new RegExp(`^  ${variable} `, 'm'));
  });
});

describe('wrong usage', () => {
  it('running changelog without a command is wrong usage, with the help on standard error', async (t) => {
    assert.match(await expectMisuse(sandboxOf(t), []), /^Usage: changelog /);
  });

  for (const group of Object.entries(PROMISED).flatMap(([name, verbs]) => (verbs.length > 0 ? [name] : []))) {
    it(`\`changelog ${group}\` without a subcommand, or with an unknown one, is wrong usage`, async (t) => {
      assert.match(await expectMisuse(sandboxOf(t), [group]), new RegExp(`^Usage: changelog ${group} `));
      assert.match(await expectMisuse(sandboxOf(t), [group, 'frobnicate']), /unknown command/);
    });
  }

  it('an unknown command, an unknown option or an extra argument is wrong usage', async (t) => {
    assert.match(await expectMisuse(sandboxOf(t), ['frobnicate']), /unknown command 'frobnicate'\n.*--help/);
    for (const path of leaves) {
      const args = [...path, ...(REQUIRED[path.join(' ')] ?? [])];
      assert.match(await expectMisuse(sandboxOf(t), [...args, '--frobnicate']), /unknown option/);
    }
    assert.match(await expectMisuse(sandboxOf(t), ['migrate', 'twice']), /too many arguments/);
  });

  it('a misspelled command or option gets a suggestion', async (t) => {
    for (const [args, meant] of [
      [['tem', 'list'], 'team'],
      [['exprot'], 'export'],
      [['team', 'lst'], 'list'],
      [['team', 'set', 'acme', '--vsibility', 'public'], '--visibility'],
      [['apply', 'a.yaml', '--dryrun'], '--dry-run'],
      [['publish-deu'], 'publish-due'],
      [['version', 'schedule', 'lst'], 'list'],
      [['start'], 'serve'],
    ] as const)
      assert.match(
        await expectMisuse(sandboxOf(t), args),
        new RegExp(`^\\(Did you mean ${meant}\\?\\)$`, 'm'),
      );
  });

  it('a command to create something leads to the commands that do', async (t) => {
    for (const args of [
      ['create'],
      ['new', 'team', 'Acme'],
      ['add', '--name', 'Acme'],
      ['team', 'create', 'acme'],
      ['product', 'add', 'acme/rocket'],
      ['changelog', 'new', 'acme/rocket'],
      ['version', 'create', 'acme/rocket', '1.0.0'],
    ]) {
      const [error = '', ...rest] = (await expectMisuse(sandboxOf(t), args)).trimEnd().split('\n');
      for (const way of ['init', 'apply FILE', 'import TEAM/PRODUCT FILE --create'])
        assert.ok(error.includes(`\`changelog ${way}\``), error);
      assert.equal(rest.length, 1, 'no other command is suggested');
    }
    for (const [args, meant] of [
      [['key', 'add', 'acme'], 'create'],
      [['key', 'new'], 'create'],
    ] as const)
      assert.match(
        await expectMisuse(sandboxOf(t), args),
        new RegExp(`^\\(Did you mean ${meant}\\?\\)$`, 'm'),
      );
  });

  it('the error for a missing option with a list of values names them', async (t) => {
    const [error] = (await expectMisuse(sandboxOf(t), ['key', 'create', 'acme'])).split('\n');
    assert.equal(error, "error: required option '--kind <kind>' not specified: FULL or SELECT");
  });

  it('an option of serve with a value that its setting does not accept is wrong usage', async (t) => {
    for (const [flag, value] of [
      ['--port', '70000'],
      ['--port', 'x'],
      ['--workers', '-1'],
      ['--host', ''],
    ] as const) {
      assert.match(await expectMisuse(sandboxOf(t), ['serve', `${flag}=${value}`]), /It must be /);
    }
  });
});

describe('LOG_FORMAT=json', () => {
  it('every line that serve prints before it has a log is JSON, without colours', async (t) => {
    const environment = { LOG_FORMAT: 'json', WORKERS: 'x' };
    for (const [args, code] of [
      [['serve'], 1],
      [['serve', '--port', 'x'], 2],
    ] as const) {
      const { code: exit, stdout, stderr } = await run({ ...sandboxOf(t), environment }, args);
      assert.deepEqual([exit, stdout], [code, '']);
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const { level, time, msg } of lines) {
        assert.deepEqual([level, new Date(time).toISOString()], ['error', time]);
        assert.doesNotMatch(msg, /^changelog:/);
      }
    }
  });
});

describe('changelog --version', () => {
  it('changelog --version prints the version of the package', async () => {
    assert.match(await runOk(NOWHERE, ['--version']), /^\d+\.\d+\.\d+\n$/);
  });
});
