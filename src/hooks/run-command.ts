import { type ChildProcess, spawn } from 'node:child_process';
import { type Environment, PREFIX, VARIABLES } from '../config.ts';
import { DeliveryError, type DeliveryLimits, type OutgoingCommand } from './outgoing.ts';

/** How long a program may take to end once it is asked to. */
const END_MS_MAX = 2_000;

/** Runs the program without a shell. What it prints is discarded, because it may have secrets in it. */
export async function runCommand(
  { command: [program, ...parameters], input, variables }: OutgoingCommand,
  environment: Environment,
  { timeLimitMs, signal }: DeliveryLimits,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = start(program, parameters, { ...withoutSettings(environment), ...variables });
  let reason: string | null = null;
  let killer: NodeJS.Timeout | undefined;
  function end(because: string) {
    if (reason !== null) return;
    reason = because;
    killGroup(child, 'SIGTERM');
    killer = setTimeout(() => killGroup(child, 'SIGKILL'), END_MS_MAX);
  }
  const timer = setTimeout(() => end(`not ended within ${timeLimitMs / 1000} seconds`), timeLimitMs);
  const stop = () => end('stopped before it ended');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();

  child.on('error', (error) => reject(startError(error)));
  child.on('exit', (code, signalName) => {
    // What the program started may still be running.
    if (reason !== null) killGroup(child, 'SIGKILL');
    if (reason === null && code === 0) resolve();
    else
      reject(new DeliveryError(reason ?? (code === null ? `ended by ${signalName}` : `exit code ${code}`)));
  });
  // A program need not read its input.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    clearTimeout(killer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Commands need no secret of this service, and a program of ours that they run must not take its settings. */
function withoutSettings(environment: Environment): Environment {
  const others = Object.entries(environment).filter(
    ([name]) => !name.startsWith(PREFIX) && !VARIABLES.has(name),
  );
  return Object.fromEntries(others);
}

/** In a process group of its own, so that it ends with everything it started. */
function start(program: string, parameters: readonly string[], env: Environment): ChildProcess {
  try {
    return spawn(program, parameters, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  } catch (error) {
    throw startError(error as Error);
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'the program does not exist',
  EACCES: 'the program may not be run',
};

/** Other messages of Node.js have the command in them. */
function startError({ code = 'the program cannot be run' }: NodeJS.ErrnoException): DeliveryError {
  return new DeliveryError(code in MEANINGS ? `${code}: ${MEANINGS[code]}` : code);
}
