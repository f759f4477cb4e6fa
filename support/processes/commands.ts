// Runs a command and measures its duration, processor time and peak memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import type { Environment } from '../../src/config.ts';
import { ownCpuMs, peakIfRunning } from './usage.ts';

const POLL_EVERY_MS = 20;

export type CommandReport = Readonly<{
  code: number;
  milliseconds: number;
  cpuSeconds: number;
  peakMb: number;
  stdout: () => string;
  stderr: () => string;
}>;

/** Runs a script with its output redirected to files, as with `>` in a shell. */
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
  let [cpuSeconds, peakMb] = [0, 0];
  const poll = setInterval(() => {
    cpuSeconds = Math.max(cpuSeconds, ownCpuMs(child.pid as number) / 1_000);
    peakMb = Math.max(peakMb, peakIfRunning(child.pid as number));
  }, POLL_EVERY_MS);
  const [code] = await once(child, 'exit');
  const milliseconds = performance.now() - startedAt;
  clearInterval(poll);
  const read = (file: string) => () => readFileSync(file, 'utf8');
  return { code: code ?? 1, milliseconds, cpuSeconds, peakMb, stdout: read(out), stderr: read(err) };
}
