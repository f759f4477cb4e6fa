// Time limits for a machine that does other work too.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Beyond this, a limit would no longer be one. */
const FACTOR_MAX = 30;

/** A time limit of a quiet machine, multiplied by the number of processes that want each core. */
export function stretched(ms: number, processes = countProcesses()): number {
  return ms * Math.min(Math.max(1, processes / os.availableParallelism()), FACTOR_MAX);
}

/** Of the last minute, or at this instant if that is more: the load average follows a change slowly. */
function countProcesses(): number {
  return Math.max(os.loadavg()[0] ?? 0, countRunnable());
}

function countRunnable(): number {
  try {
    return Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1]);
  } catch {
    return 0;
  }
}
