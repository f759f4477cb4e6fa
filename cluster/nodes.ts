// Runs the program as users do: in a separate process.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../src/config.ts';
import { collectLines, type Lines } from './lines.ts';
import { type Scope, temporaryFolder } from './scope.ts';
import { tethered } from './tether.ts';

/** What `bin/changelog` runs in a checkout. */
export const MAIN = path.resolve(import.meta.dirname, '../bin/main.cjs');

export type Program = Readonly<{
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  output: () => { stdout: string; stderr: string };
  /** Standard error, line by line. */
  log: Lines;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}>;

export type Node = Program &
  Readonly<{
    pid: number;
    address: string;
    port: number;
    /** URL of the operations listener, if there is one. */
    opsAddress: string | null;
    stop: () => Promise<void>;
    kill: () => Promise<void>;
  }>;

type ProcessOptions = Readonly<{
  main?: string;
  /** The number of files that it may open; as many as this process, unless set. */
  filesMax?: number;
}>;
type ProgramOptions = ProcessOptions & Readonly<{ environment: Environment; folder: string }>;
type NodeOptions = ProcessOptions &
  Readonly<{
    environment: Environment;
    command?: 'serve' | 'demo';
    /** Arguments of the command, in addition to the port. */
    args?: readonly string[];
    port?: number;
    folder?: string;
  }>;

/** Runs a command. Of this process's environment, it gets only the PATH. */
export function spawnProgram(scope: Scope, args: readonly string[], options: ProgramOptions): Program {
  const { PATH } = process.env;
  const { main = MAIN, filesMax } = options;
  const limit = filesMax === undefined ? [] : ['prlimit', `--nofile=${filesMax}`, '--'];
  const [command = '', ...rest] = [...limit, process.execPath, main, ...args];
  const tied = tethered(command, rest);
  const child = spawn(tied.command, tied.args, {
    cwd: options.folder,
    env: { PATH, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C reaches only this process, which stops the others in order.
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const log = collectLines();
  createInterface({ input: child.stderr }).on('line', log.add);
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  scope.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  });
  return { child, exited, output: () => output, log };
}

/** Runs a command that must succeed and returns its output. */
export async function runProgram(
  scope: Scope,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  const { child, exited, output } = spawnProgram(scope, args, options);
  child.stdin.end();
  const { code } = await exited;
  if (code !== 0) throw new Error(`changelog ${args.join(' ')} failed: ${output().stderr}`);
  return output().stdout;
}

/** Starts `serve` or `demo`, on a free port unless `port` is set, and waits until it listens. */
export async function startNode(scope: Scope, options: NodeOptions): Promise<Node> {
  const { command = 'serve', args = [], port = 0, folder = temporaryFolder(scope) } = options;
  const started = spawnProgram(scope, [command, '--port', String(port), ...args], { ...options, folder });
  const { address, opsAddress } = await readAddresses(started);
  const end = async (signal: NodeJS.Signals) => {
    started.child.kill(signal);
    await started.exited;
  };
  return {
    ...started,
    pid: started.child.pid as number,
    address,
    port: Number(new URL(address).port),
    opsAddress,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

async function readAddresses({ child, exited, output }: Program) {
  let opsAddress: string | null = null;
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, what, found = ''] = /^(?:\{"msg":")?(listening|operations) on (http:[^\s"]+)/.exec(line) ?? [];
      if (what === 'operations') opsAddress = found;
      if (what === 'listening') resolve(found);
    });
    exited.then(() => reject(new Error(`serve exited: ${output().stderr}`)));
  });
  return { address, opsAddress };
}
