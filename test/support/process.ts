// The program as its users run it: a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '../../src/config.ts';
import { databaseUrl, type Workplace } from './command.ts';
import type { Scope } from './folder.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');

export type ServerProcess = {
  child: ChildProcess;
  address: string;
  port: number;
  output: () => { stdout: string; stderr: string };
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

export function spawnProgram(
  scope: Scope,
  workplace: Workplace,
  args: readonly string[],
  environment: Environment = {},
) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: workplace.folder,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl(workplace),
      ...workplace.environment,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  scope.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  });
  return { child, exited, output: () => output };
}

/** Starts `serve` on a free port and waits until it says that it listens. */
export async function spawnServer(
  scope: Scope,
  workplace: Workplace,
  environment: Environment = {},
): Promise<ServerProcess> {
  const started = spawnProgram(scope, workplace, ['serve', '--port', '0'], environment);
  const lines = createInterface({ input: started.child.stdout as NodeJS.ReadableStream });
  const address = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const match = /^listening on (http:\/\/\S+)$/.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
    started.exited.then(() => reject(new Error(`serve ended: ${started.output().stderr}`)));
  });
  return { ...started, address, port: Number(new URL(address).port) };
}
