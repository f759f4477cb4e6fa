// Time limits for a machine that does other work too.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Beyond this, a limit would no longer be one. */
const FACTOR_MAX = 30;

/** A time limit that holds on a quiet machine, multiplied by the number of processes that want each core. */
export function stretched(ms: number): number {
  const wanted = Math.max(os.loadavg()[0] ?? 0, runnable()) / os.availableParallelism();
  return ms * Math.min(Math.max(1, wanted), FACTOR_MAX);
}

/** At this instant: the load average follows a change only after a minute. */
function runnable(): number {
  try {
    return Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
