// Generates load with wrk: one thread, keep-alive connections, and a check that the responses were as expected.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { serverProgram } from '../../cluster/debian.ts';
import { tethered } from '../../cluster/tether.ts';
import { type Cores, pinned } from '../servers/cores.ts';

const SCRIPT = path.resolve(import.meta.dirname, 'load.lua');
export const CONNECTIONS = 64;
/** Longer than any run: a signal ends each one, which wrk treats as its regular end. */
const SECONDS_MAX = 600;
const TRIES_MAX = 4;
/** The number of digits of counters in headers varies. */
const SIZE_TOLERANCE = 0.03;

export type Target =
  /** The paths in a file, in order. */
  | Readonly<{ pathsFile: string }>
  /** A new random slug between these. */
  | Readonly<{ before: string; after: string }>
  /** From one client, or from this many in turn, named in `X-Forwarded-For`. */
  | Readonly<{ path: string; clients?: number }>;

export type Load = Readonly<{
  address: string;
  target: Target;
  headers?: Record<string, string>;
  /** What every response must have; `bytes` is its size with headers, or null if sizes differ. */
  expected: Readonly<{ status: number; bytes: number | null }>;
  cores?: Cores;
  connections?: number;
}>;

export type LoadReport = Readonly<{
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}>;

type Counts = Record<'requests' | 'microseconds' | 'bytes' | 'rejected' | 'failed' | 'p50' | 'p99', number>;

/**
 * wrk sleeps for its whole duration unless a signal wakes it. A signal that arrives while it is starting ends its threads
 * but does not wake it, so another one is needed.
 */
const AGAIN_MS = 2_000;

/** The result of a run that was stopped before it started. */
const NOTHING_YET: Counts = {
  requests: 0,
  microseconds: 0,
  bytes: 0,
  rejected: 0,
  failed: 0,
  p50: 0,
  p99: 0,
};

export async function runWrk(load: Load, milliseconds: number): Promise<LoadReport> {
  let counts = await run(load, milliseconds);
  // On a busy machine, wrk may not have started yet.
  for (let tries = 1; counts.requests === 0 && tries < TRIES_MAX; tries++)
    counts = await run(load, milliseconds * 2 ** tries);
  requireExpected(load, counts);
  return {
    requests: counts.requests,
    perSecond: counts.requests / (counts.microseconds / 1_000_000),
    p50Ms: counts.p50 / 1_000,
    p99Ms: counts.p99 / 1_000,
  };
}

async function run(
  { address, target, headers = {}, cores = 'load', connections = CONNECTIONS }: Load,
  milliseconds: number,
) {
  const url = address + ('path' in target ? target.path : '/');
  const flags = ['-t1', `-c${connections}`, `-d${SECONDS_MAX}s`, '-s', SCRIPT];
  const asked = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const wrk = pinned(cores, serverProgram('wrk'), [...flags, ...asked, url, '--', ...argumentsFor(target)]);
  const { command, args } = tethered(wrk.command, wrk.args);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  let signals = 0;
  const interrupt = () => {
    signals++;
    child.kill('SIGINT');
    end = setTimeout(interrupt, AGAIN_MS);
  };
  let end = setTimeout(interrupt, milliseconds);
  const [, signal] = await once(child, 'close');
  clearTimeout(end);
  if (signal === 'SIGINT' || signals > 1) return NOTHING_YET;
  const [report] = /^\{.*\}$/m.exec(output) ?? [];
  if (report === undefined) throw new Error(`wrk ${url} failed: ${output.trim()}`);
  return JSON.parse(report) as Counts;
}

function argumentsFor(target: Target): string[] {
  const seed = String(Math.floor(Math.random() * 2 ** 31));
  if ('pathsFile' in target) return ['paths', target.pathsFile, seed];
  if ('before' in target) return ['random', target.before, target.after, seed];
  return target.clients === undefined ? [] : ['clients', String(target.clients), seed];
}

/** A figure for wrong responses is worthless. wrk counts statuses of 400 or more, and bytes. */
function requireExpected(
  { address, target, expected, connections = CONNECTIONS }: Load,
  counts: Counts,
): void {
  const what = `${address} ${JSON.stringify(target)}`;
  const { requests, rejected, failed, bytes } = counts;
  if (requests === 0) throw new Error(`${what}: no responses`);
  if (failed > 0) throw new Error(`${what}: ${failed} requests failed`);
  const wanted = expected.status >= 400 ? requests : 0;
  if (rejected !== wanted)
    throw new Error(
      `${what}: ${rejected} of ${requests} responses had a status of 400 or more, expected ${wanted}`,
    );
  if (expected.bytes === null) return;
  // wrk also counts the bytes of responses that were unfinished at the end.
  const least = requests * expected.bytes * (1 - SIZE_TOLERANCE);
  const most = (requests + connections) * expected.bytes * (1 + SIZE_TOLERANCE);
  if (bytes < least || bytes > most)
    throw new Error(
      `${what}: responses have ${(bytes / requests).toFixed(0)} bytes, expected ${expected.bytes}`,
    );
}
