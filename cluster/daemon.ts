// A third-party server as a child process that can be started, stopped and hung, and never outlives us.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Environment } from '../src/config.ts';
import { tethered } from './tether.ts';
import { serverUser } from './user.ts';

const READY_MS_MAX = 120_000;
const STOP_MS_MAX = 60_000;
const OUTPUT_CHARACTERS_MAX = 20_000;

type Program = Readonly<{
  command: string;
  args: readonly string[];
  folder: string;
  environment?: Environment;
  /** Matches the program's output as soon as it accepts connections; resolves then if it prints nothing. */
  ready: RegExp | (() => Promise<unknown>);
}>;

type Daemon = Readonly<{
  pid: () => number;
  start: () => Promise<void>;
  /** Signals the process and waits until it has exited. Does nothing if it is not running. */
  stop: (signal: NodeJS.Signals) => Promise<void>;
  signal: (signal: NodeJS.Signals) => void;
  /** Suspends the process and its children: connections stay open, but get no response. */
  hang: () => void;
  resume: () => void;
}>;

export function daemon(program: Program): Daemon {
  let child: ChildProcess | null = null;
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  const pid = () => {
    if (!isRunning()) throw new Error(`${program.command} is not running`);
    return child?.pid as number;
  };
  const resume = () => {
    if (isRunning()) signalFamily(pid(), 'SIGCONT');
  };
  return {
    pid,
    start: async () => {
      if (isRunning()) throw new Error(`${program.command} is already running`);
      child = launch(program);
      await untilReady(child, program);
    },
    stop: async (signal) => {
      if (child === null || !isRunning()) return;
      const closed = once(child, 'close');
      resume();
      child.kill(signal);
      const overdue = setTimeout(() => child?.kill('SIGKILL'), STOP_MS_MAX);
      await closed;
      clearTimeout(overdue);
    },
    signal: (signal) => process.kill(pid(), signal),
    hang: () => signalFamily(pid(), 'SIGSTOP'),
    resume,
  };
}

/** Starts it in a separate session, so that Ctrl-C reaches only this process, which stops the servers in order. */
function launch(program: Program): ChildProcess {
  const { command, args } = tethered(program.command, program.args);
  const child = spawn(command, args, {
    cwd: program.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...program.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...serverUser(),
  });
  const end = () => {
    signalFamily(child.pid as number, 'SIGCONT');
    child.kill('SIGKILL');
  };
  // Before the folders of the servers are removed.
  process.prependListener('exit', end);
  child.on('exit', () => process.off('exit', end));
  return child;
}

async function untilReady(child: ChildProcess, { command, ready }: Program): Promise<void> {
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (why: string) => reject(new Error(`${command} ${why}: ${output.trim()}`));
  const read = (chunk: Buffer) => {
    output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX);
    if (ready instanceof RegExp && ready.test(output)) resolve();
  };
  if (!(ready instanceof RegExp)) ready().then(() => resolve(), reject);
  // Keep reading while it runs: a server blocks once its output pipe is full.
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.on('error', reject);
  child.on('close', () => fail('exited'));
  const overdue = setTimeout(() => {
    child.kill('SIGKILL');
    fail(`was not ready within ${READY_MS_MAX} ms`);
  }, READY_MS_MAX);
  await promise.finally(() => clearTimeout(overdue));
}

/** The parent first: once it is suspended, it starts no more children than those listed then. */
function signalFamily(pid: number, signal: NodeJS.Signals): void {
  send(pid, signal);
  for (const child of childrenOf(pid)) send(child, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Empty if the process has exited. */
export function childrenOf(pid: number): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return listed.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
