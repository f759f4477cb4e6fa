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
    wrk: versionOf('wrk', '-v'),
    coresArePinned: ARE_PINNED,
  };
}

/** Node.js knows no names of ARM processors. */
function processorName(): string {
  try {
    const listed = execFileSync('lscpu', { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    return /^Model name:\s*(.+)$/m.exec(listed)?.[1] ?? 'unknown';
  } catch {
    return os.cpus()[0]?.model ?? 'unknown';
  }
}

/** wrk tells its version and then fails for want of an address, and nginx tells it on standard error. */
function versionOf(name: 'nginx' | 'postgres' | 'wrk', flag: string): string {
  const script = '"$0" "$1" 2>&1 || true';
  const said = execFileSync('sh', ['-c', script, serverProgram(name), flag], { encoding: 'utf8' });
  return /\d+(?:\.\d+)+/.exec(said)?.[0] ?? 'unknown';
}
