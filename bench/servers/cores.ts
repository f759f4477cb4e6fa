// Pins the server to one core and the load generator to another, if there are two cores and `taskset`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../cluster/daemon.ts';

const TASKSET = '/usr/bin/taskset';

export type Cores = 'server' | 'load' | 'all';
type Command = { command: string; args: string[] };

const [SERVER_CORE, LOAD_CORE] = allowedCores();
export const ARE_PINNED = LOAD_CORE !== undefined && existsSync(TASKSET);

/** Wraps a command so that it runs on its cores. */
export function pinned(cores: Cores, command: string, args: readonly string[]): Command {
  if (!ARE_PINNED) return { command, args: [...args] };
  return { command: TASKSET, args: ['-c', listOf(cores), command, ...args] };
}

/** Pins a running process and its descendants to its cores. */
export function pin(cores: Cores, pid: number): void {
  if (!ARE_PINNED) return;
  execFileSync(TASKSET, ['-acp', listOf(cores), String(pid)], { stdio: 'ignore' });
  for (const child of childrenOf(pid)) pin(cores, child);
}

function listOf(cores: Cores): string {
  if (cores === 'all') return allowedCores().join();
  return String(cores === 'server' ? SERVER_CORE : LOAD_CORE);
}

/** Not always from 0 on: a container may have other cores. */
function allowedCores(): number[] {
  const [, list = '0'] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readStatus()) ?? [];
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
