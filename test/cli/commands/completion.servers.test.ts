// What bash, zsh and fish do with the script that `completion` prints.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureServers, serverProgram } from '../../../cluster/debian.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const folder = temporaryFolder(sharedScope());
const scriptOf = (shell: Shell) => path.join(folder, shell);
before(async () => {
  await ensureServers(['zsh', 'fish']);
  for (const shell of SHELLS) writeFileSync(scriptOf(shell), await runOk({ folder }, ['completion', shell]));
});

/** The candidates for the last of the words, without the names of files that a shell adds. */
const CANDIDATES = {
  bash: (words: readonly string[]) => {
    const typed = ['changelog', ...words];
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=${words.length}; _changelog; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script, scriptOf('bash'), ...typed], { encoding: 'utf8' });
  },
  fish: (words: readonly string[]) => {
    const script = `source ${scriptOf('fish')}; complete -C 'changelog ${words.join(' ')}'`;
    const options = { encoding: 'utf8', cwd: temporaryFolderWithoutFiles() } as const;
    return execFileSync(serverProgram('fish'), ['--no-config', '-c', script], options);
  },
};

function temporaryFolderWithoutFiles(): string {
  const empty = path.join(folder, 'empty');
  mkdirSync(empty, { recursive: true });
  return empty;
}

describe('completion', () => {
  const CASES: [words: string[], expected: string[]][] = [
    [['ex'], ['export']],
    [
      ['team', 's'],
      ['show', 'set'],
    ],
    [['team', 'set', '--v'], ['--visibility']],
    [['team', 'set', 'acme', '--h'], ['--help']],
    [['version', 'schedule', 'l'], ['list']],
    [['apply', 'no-such-word'], []],
  ];
  for (const shell of ['bash', 'fish'] as const)
    it(`completion in ${shell} offers commands and options`, () => {
      for (const [words, expected] of CASES) {
        const found = CANDIDATES[shell](words)
          .split('\n')
          .filter((line) => line !== '');
        assert.deepEqual(found.sort(), expected.toSorted(), words.join(' '));
      }
    });

  it('completion offers exactly the commands that --help lists', async () => {
    const help = await runOk({ folder }, ['--help']);
    const [, listed = ''] = help.split(/\n(?=Files:\n)/);
    const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
    assert.deepEqual(CANDIDATES.bash(['']).trim().split('\n'), names);
  });

  const READY = 'ready> ';
  const INTERACTIVE = {
    bash: { command: `bash --noprofile --rcfile '${folder}/rc.bash' -i`, rc: `PS1='${READY}'` },
    zsh: {
      command: `ZDOTDIR='${folder}' ${serverProgram('zsh')} -d -i`,
      rc: `autoload -Uz compinit && compinit -u -D && PS1='${READY}'`,
    },
    fish: {
      command: `${serverProgram('fish')} --private --no-config -i -C 'source ${folder}/rc.fish'`,
      rc: `function fish_prompt; printf '${READY}'; end; function fish_greeting; end`,
    },
  };
  for (const shell of SHELLS)
    it(`Tab in ${shell} completes a command, an option and the name of a file`, async () => {
      const { command, rc } = INTERACTIVE[shell];
      const home = path.join(folder, `home-${shell}`);
      mkdirSync(home);
      writeFileSync(path.join(home, 'content.yaml'), '');
      writeFileSync(
        path.join(folder, shell === 'zsh' ? '.zshrc' : `rc.${shell}`),
        `${rc}\nsource '${scriptOf(shell)}'\n`,
      );
      writeFileSync(path.join(home, 'changelog'), `#!/bin/sh\nprintf '[%s]' "$@" >> ${home}/called`, {
        mode: 0o755,
      });
      const child = spawn('script', ['-qfec', command, '/dev/null'], {
        cwd: home,
        env: {
          ...process.env,
          PATH: `${home}:${process.env.PATH}`,
          HOME: home,
          LANG: 'C.UTF-8',
          TERM: 'xterm',
        },
        timeout: 120_000,
      });
      let shown = '';
      child.stdout.on('data', (chunk) => {
        const wasReady = shown.includes(READY);
        shown += chunk;
        if (!wasReady && shown.includes(READY))
          child.stdin.write('~/changelog tea\tse\tacme --pla\tfree\rchangelog apply cont\t\rexit\r');
      });
      await once(child, 'close');
      const called = readFileSync(path.join(home, 'called'), 'utf8');
      assert.equal(called, '[team][set][acme][--plan][free][apply][content.yaml]', shown);
    });
});
