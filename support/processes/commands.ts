// A command from its start to its end: how long it took, and the most memory that it had.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import type { Environment } from '../../src/config.ts';

const LOOK_EVERY_MS = 20;

export type CommandReport = Readonly<{
  code: number;
  milliseconds: number;
  peakMb: number;
  stdout: () => string;
  stderr: () => string;
}>;

/** Runs a script with what it prints in files, as in a shell with `>`. */
export async function timeCommand(
  scope: Scope,
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandReport> {
  const folder = temporaryFolder(scope);
  const [out, err] = ['out', 'err'].map((name) => path.join(folder, name)) as [string, string];
  const { command, args: all } = tethered(process.execPath, args);
  const startedAt = performance.now();
  const child = spawn(command, all, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', openSync(out, 'w'), openSync(err, 'w')],
  });
  let peakMb = 0;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakMbOf(child.pid as number));
  }, LOOK_EVERY_MS);
  const [code] = await once(child, 'exit');
  const milliseconds = performance.now() - startedAt;
  clearInterval(look);
  const read = (file: string) => () => readFileSync(file, 'utf8');
  return { code: code ?? 1, milliseconds, peakMb, stdout: read(out), stderr: read(err) };
}

/** The kernel keeps the maximum, so that nothing in between is missed. */
function peakMbOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
