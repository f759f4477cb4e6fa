import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { serverProgram } from '../../cluster/debian.ts';
import { ARE_PINNED } from '../servers/cores.ts';
import type { Results } from './results.ts';

export function describeMachine(): Results['machine'] {
  return {
    processor: processorName(),
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${/^\d+\.\d+/.exec(os.release())?.[0] ?? ''} ${os.arch()}`,
    node: process.versions.node,
    nginx: versionOf('nginx', '-v'),
    postgres: versionOf('postgres', '--version'),
    redis: versionOf('redis', '--version'),
    wrk: versionOf('wrk', '-v'),
    coresArePinned: ARE_PINNED,
  };
}

/** Node.js does not know the names of ARM processors. */
function processorName(): string {
  try {
    const listed = execFileSync('lscpu', { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    return /^Model name:\s*(.+)$/m.exec(listed)?.[1] ?? 'unknown';
  } catch {
    return os.cpus()[0]?.model ?? 'unknown';
  }
}

/** wrk prints its version and then fails because the URL is missing; nginx prints it on standard error. */
export function versionOf(name: 'nginx' | 'postgres' | 'redis' | 'wrk', flag: string): string {
  const script = '"$0" "$1" 2>&1 || true';
  const output = execFileSync('sh', ['-c', script, serverProgram(name), flag], { encoding: 'utf8' });
  return /\d+(?:\.\d+)+/.exec(output)?.[0] ?? 'unknown';
}
