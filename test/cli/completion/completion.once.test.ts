// Completion: the candidates, and what bash, zsh and fish do with them.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureServers, serverProgram } from '../../../cluster/debian.ts';
import { MAIN } from '../../../cluster/nodes.ts';
import { parseBashLine } from '../../../src/cli/completion/bash-line.ts';
import { environmentOf } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, createKey, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, sandboxOf } from '../helpers.ts';

const BREAKS = ' \t\n"\'@><=;|&(:';
/** If a shell evaluated this, it would leave a file. */
const HOSTILE = 'x$(touch run) `touch run`; "touch run" \'!1 \\* ~é';
const LABELS = ['1.0.0', '1.1.0', '2.0.0', '@acme/rocket@1.0.0', '@acme/rocket@1.1.0', 'x\u0085y', HOSTILE];

const scope = sharedScope();
let sandbox: Sandbox;
let keyIds: string[];
before(async () => {
  sandbox = sandboxOf(scope);
  await apply(sandbox, documentOf(LABELS.map((version) => ({ version, title: '' }))));
  await apply(sandbox, {
    team: { slug: 'other', name: 'Other' },
    products: [{ slug: 'boat', name: 'Boat' }],
  });
  const keys = [await createKey(sandbox, 'acme', '--kind', 'FULL')];
  keys.push(await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket'));
  keyIds = keys.map(({ id }) => id).sort();
});

async function candidates(...words: string[]): Promise<string[]> {
  return (await runOk(sandbox, ['complete', '--', ...words])).split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  const cases: [words: string[], expected: string[]][] = [
    [['ex'], ['export']],
    [
      ['team', ''],
      ['list', 'show', 'set', 'delete'],
    ],
    [
      ['team', 's'],
      ['show', 'set'],
    ],
    [['team', 'set', '--v'], ['--visibility']],
    [
      ['team', 'set', 'acme', '--plan', ''],
      ['free', 'paid'],
    ],
    [['team', 'set', 'acme', '--plan', 'p'], ['paid']],
    [['team', 'set', 'acme', '--plan=p'], ['--plan=paid']],
    [['key', 'create', 'acme', '--kind', 'f'], ['FULL']],
    [['key', 'create', 'acme', '--kind=S'], ['--kind=SELECT']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['team', 'show', ''],
      ['acme', 'other'],
    ],
    [['team', 'set', '--plan', 'free', 'o'], ['other']],
    [
      ['product', 'show', ''],
      ['acme/rocket', 'other/boat'],
    ],
    [['product', 'show', 'oth'], ['other/boat']],
    [['version', 'list', 'acme/r'], ['acme/rocket']],
    [
      ['version', 'show', 'acme/rocket', '1.'],
      ['1.0.0', '1.1.0'],
    ],
    [['version', 'show', 'acme/rocket', 'x'], [HOSTILE]],
    [
      ['version', 'un'],
      ['unpublish', 'unschedule'],
    ],
    [['version', 'schedule', 'list', 'acme/r'], ['acme/rocket']],
    [['version', 'publish', 'acme/rocket', '1.0.0', '--a'], ['--at']],
    [['version', 'publish', '--at', '2026-12-01T09:00Z', 'acme/rocket', '1.0'], ['1.0.0']],
    [['key', 'create', 'acme', '--product', ''], ['rocket']],
    [['help', 'ex'], ['export']],
    [
      ['help', 'team', ''],
      ['list', 'show', 'set', 'delete'],
    ],
    [['key', 'help', 'cr'], ['create']],
    [['help', 'team', 'show', ''], []],
    [['help', 'export', ''], []],
    [['help', 'help', ''], []],
    [['help', 'frobnicate', ''], []],
    [['apply', ''], []],
    [['team', 'show', 'acme', ''], []],
    [['version', 'show', 'acme', '1'], []],
    [['frobnicate', ''], []],
    [['team', 'frobnicate', ''], []],
  ];
  for (const [words, expected] of cases)
    it(`completion after \`changelog ${words.join(' ')}\` is ${expected.join(', ') || 'left to the shell'}`, async () => {
      assert.deepEqual(await candidates(...words), expected);
    });

  it('completion after `help` is every command', async () => {
    const names = (await candidates('')).filter((name) => !name.startsWith('-') && name !== 'help');
    assert.deepEqual(await candidates('help', ''), names);
  });

  it('completion of the id of a key is the ids of all keys, and then the products of its team', async () => {
    for (const verb of ['disable', 'enable', 'delete', 'attach', 'detach']) {
      assert.deepEqual(await candidates('key', verb, ''), keyIds);
      assert.deepEqual(await candidates('key', verb, keyIds[0] ?? ''), [keyIds[0]]);
      assert.deepEqual(await candidates('key', verb, 'clk'), []);
    }
    const [id = ''] = keyIds;
    for (const verb of ['attach', 'detach']) {
      assert.deepEqual(await candidates('key', verb, id, ''), ['rocket']);
      assert.deepEqual(await candidates('key', verb, id, 'rocket', 'r'), ['rocket']);
      assert.deepEqual(await candidates('key', verb, 'key_x', ''), []);
    }
    assert.deepEqual(await candidates('key', 'disable', id, ''), []);
  });

  it('completion offers exactly the commands that --help lists', async () => {
    const help = await runOk(sandbox, ['--help']);
    const [, listed = ''] = help.split('\nCommands:\n');
    const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
    assert.deepEqual(
      (await candidates('')).filter((name) => !name.startsWith('-')),
      names,
    );
  });

  it('a completion script names the program by a whole path that any shell reads as one word', (t) => {
    const folder = path.join(temporaryFolder(t), "$(id)\nit's");
    mkdirSync(folder);
    const shown = folder.replace('\n', '\\n').replace("'", "'\\''");
    for (const [command, expected] of [
      ['changelog', 'changelog'],
      ['npx changelog', 'npx changelog'],
      ['/opt/bin/changelog', '/opt/bin/changelog'],
      ['./changelog', `'${shown}/changelog'`],
      ['bin/changelog', `'${shown}/bin/changelog'`],
      ["'it'\\''s/changelog'", `'${shown}/it'\\''s/changelog'`],
    ] as const) {
      const env = { ...process.env, CHANGELOG_COMMAND: command };
      const script = execFileSync(process.execPath, [MAIN, 'completion', 'bash'], { cwd: folder, env });
      const [comment, code] = String(script).split('\n');
      assert.equal(comment?.split(': ')[1], `source <(${expected} completion bash)`);
      assert.equal(code, '_changelog() {');
    }
  });

  it('completion without a database offers nothing, and creates none', async (t) => {
    const nowhere = { ...sandboxOf(t), withoutDatabase: true };
    const file = path.join(nowhere.folder, 'none.db');
    for (const DATABASE_URL of [`sqlite:${file}`, 'postgres://127.0.0.1:1/none', 'nonsense']) {
      const result = await run({ ...nowhere, environment: { DATABASE_URL } }, [
        'complete',
        '--',
        'team',
        'show',
        '',
      ]);
      assert.deepEqual(result, { code: 0, stdout: '', stderr: '' });
    }
    assert.ok(!existsSync(file));
    assert.deepEqual(await run(nowhere, ['complete']), {
      code: 0,
      stdout: (await run(nowhere, ['complete', '--', ''])).stdout,
      stderr: '',
    });
  });
});

describe('a line of bash', () => {
  const cases: [line: string, words: string[], candidate: string, written: string[]][] = [
    ['changelog team show ', ['team', 'show', ''], 'acme', ['acme']],
    ['changelog  team\tsh', ['team', 'sh'], 'show', ['show']],
    ['c show a\\ b', ['show', 'a b'], 'a b$c', ['a\\ b\\$c']],
    ['c show "a b', ['show', 'a b'], 'a b$(c)"', ['a b\\$(c)\\"']],
    ['c show "a', ['show', 'a'], 'a!b', []],
    ["c show 'a", ['show', 'a'], "a'b$c", ["a'\\''b$c"]],
    ['c show @acme/r', ['show', '@acme/r'], '@acme/rocket@1', ['@acme/rocket@1']],
    ['c show @acme/rocket@', ['show', '@acme/rocket@'], '@acme/rocket@1.0', ['@1.0']],
    ['c set --plan=p', ['set', '--plan=p'], '--plan=paid', ['paid']],
    ['c show a:', ['show', 'a:'], 'a:b', ['b']],
    ['c show a:b ', ['show', 'a:b', ''], 'c', ['c']],
    ['c show $(', ['show', '$('], '$(touch run)', []],
    ['c show \\$\\(', ['show', '$('], '$(touch run)', ['\\$\\(touch\\ run\\)']],
    ['c show >a b', ['show', '>a', 'b'], 'bc', ['bc']],
    ['c show ~', ['show', '~'], '~x#é;', ['\\~x\\#é\\;']],
  ];
  for (const [line, words, candidate, written] of cases)
    it(`\`${line}\` is parsed like bash does, and completed to ${written}`, () => {
      const typed = parseBashLine(line, BREAKS);
      assert.deepEqual(typed.words, words);
      assert.deepEqual(typed.quote(candidate), written);
    });
});

describe('Tab and Enter', () => {
  before(() => ensureServers(['zsh', 'fish']));

  const READY = 'ready> ';
  const COMMAND = 'changelog version show acme/rocket';
  const AT_HOME = `~/${COMMAND}`;
  /** The keys typed, and the label expected. */
  const TYPED = {
    bash: { [`${AT_HOME} @acme/rocket@1.1`]: '@acme/rocket@1.1.0', [`${COMMAND} x`]: HOSTILE },
    zsh: { [`${AT_HOME} x`]: HOSTILE },
    fish: { [`${AT_HOME} x`]: HOSTILE },
  };
  const SHELLS = {
    bash: (folder: string) => ({
      command: `bash --noprofile --rcfile '${folder}/rc' -i`,
      rc: `PS1='${READY}'`,
    }),
    zsh: (folder: string) => ({
      command: `${serverProgram('zsh')} -d -i`,
      rc: `autoload -Uz compinit && compinit -u -D && PS1='${READY}'`,
      environment: { ZDOTDIR: folder },
    }),
    fish: (folder: string) => ({
      command: `${serverProgram('fish')} --private --no-config -i -C 'source ${folder}/rc'`,
      rc: `function fish_prompt; printf '${READY}'; end; function fish_greeting; end`,
    }),
  };

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    it(`Tab and Enter in ${shell} complete a label without running any of it`, async () => {
      const folder = path.join(sandbox.folder, shell);
      mkdirSync(folder);
      const { command, rc, ...more } = { environment: {}, ...SHELLS[shell](folder) };
      writeFileSync(path.join(folder, 'completion'), await runOk(sandbox, ['completion', shell]));
      for (const name of ['rc', '.zshrc'])
        writeFileSync(path.join(folder, name), `${rc}\nsource '${folder}/completion'\n`);
      // A stand-in for the program: it prints candidates, and records all other calls.
      const program = `#!/bin/sh
        if [ "$1" = complete ]; then exec '${process.execPath}' '${MAIN}' "$@"; fi
        printf '[%s]' "$@" >> called`;
      writeFileSync(path.join(folder, 'changelog'), program, { mode: 0o755 });
      const environment = {
        ...(await environmentOf(sandbox)),
        ...more.environment,
        PATH: `${folder}:${process.env.PATH}`,
        HOME: folder,
        LANG: 'C.UTF-8',
        TERM: 'xterm',
      };
      const child = spawn('script', ['-qfec', command, '/dev/null'], {
        cwd: folder,
        env: environment,
        timeout: 120_000,
      });
      const lines = Object.keys(TYPED[shell]).map((line) => `${line}\t\r`);
      const called = Object.values(TYPED[shell]).map((label) => `[version][show][acme/rocket][${label}]`);
      let shown = '';
      child.stdout.on('data', (chunk) => {
        const wasReady = shown.includes(READY);
        shown += chunk;
        if (!wasReady && shown.includes(READY)) child.stdin.write(`${lines.join('')}exit\r`);
      });
      await once(child, 'close');
      assert.equal(readFileSync(path.join(folder, 'called'), 'utf8'), called.join(''), shown);
      assert.ok(!existsSync(path.join(folder, 'run')), shown);
    });
  }
});
