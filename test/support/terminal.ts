// A real terminal, made by `script`, which is part of every Debian.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../../src/config.ts';
import type { Scope } from '../../support/processes/scope.ts';

type Terminal = Readonly<{
  /** Waits until the text appears on the screen, after the text that was last waited for. */
  shows: (text: string) => Promise<void>;
  type: (keys: string) => void;
  /** Everything that was ever on the screen, without control sequences. */
  screen: () => string;
  ended: Promise<number>;
}>;

const CONTROL = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

export function openTerminal(
  scope: Scope,
  command: readonly string[],
  { folder, environment = {} }: { folder: string; environment?: Environment },
): Terminal {
  const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let raw = '';
  let seen = 0;
  const screen = () => raw.replaceAll(CONTROL, '').replaceAll(/\r+\n/g, '\n');
  child.stdout.setEncoding('utf8').on('data', (text) => {
    raw += text;
  });
  const closed = once(child, 'close');
  scope.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await closed;
  });
  return {
    screen,
    type: (keys) => void child.stdin.write(keys),
    ended: closed.then(([code]) => code),
    shows: async (text) => {
      while (!screen().includes(text, seen)) {
        const ended = await Promise.race([once(child.stdout, 'data').then(() => false), closed]);
        if (ended !== false && !screen().includes(text, seen))
          throw new Error(`the program ended without showing "${text}": ${screen()}`);
      }
      seen = screen().indexOf(text, seen) + text.length;
    },
  };
}
