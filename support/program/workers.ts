// The worker processes of a server, and reloading them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { childrenOf } from '../../cluster/daemon.ts';
import type { ServerProcess } from './process.ts';

export function workersOf({ pid }: Pick<ServerProcess, 'pid'>): number[] {
  return childrenOf(pid);
}

/** A process that has exited is still listed until its parent has read its exit status. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Sends SIGHUP; resolves with the time until all workers are new. Old ones may still be draining. */
export async function reload(server: ServerProcess, workers: number): Promise<number> {
  const before = workersOf(server);
  const reloads = server.log.count('workers reloaded');
  const stops = server.log.count('reload stopped');
  const startedAt = performance.now();
  server.child.kill('SIGHUP');
  const stopped = server.log.until('reload stopped', stops + 1).then(() => {
    throw new Error(server.log.all.at(-1));
  });
  await Promise.race([server.log.until('workers reloaded', reloads + 1), stopped]);
  const tookMs = performance.now() - startedAt;
  const fresh = workersOf(server).filter((pid) => !before.includes(pid));
  assert.equal(fresh.length, workers);
  return tookMs;
}

/** Resolves when `workers` workers in all have drained. */
export async function untilDrained(server: ServerProcess, workers: number): Promise<void> {
  await server.log.until('worker drained', workers);
  assert.equal(server.log.count('worker died'), 0);
}

/** The worker that responds to a request: the one that writes most meanwhile. */
export async function respondingWorker(
  server: ServerProcess,
  request: () => Promise<unknown>,
): Promise<number> {
  const workers = workersOf(server);
  const before = workers.map(bytesWritten);
  await request();
  const written = workers.map((pid, index) => bytesWritten(pid) - (before[index] ?? 0));
  return workers[written.indexOf(Math.max(...written))] ?? 0;
}

function bytesWritten(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}
