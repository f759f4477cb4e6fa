// Time limits for a machine that does other work too.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Beyond this, a limit would no longer be one. */
const FACTOR_MAX = 30;
const SAMPLE_EVERY_MS = 50;
/** The weight of a sample: about a second of them counts. */
const WEIGHT = 0.05;

let runnable = countRunnable();
setInterval(() => {
  runnable += (countRunnable() - runnable) * WEIGHT;
}, SAMPLE_EVERY_MS).unref();

/** A time limit of a quiet machine, multiplied by the number of processes that want each core. */
export function stretched(ms: number, processes = countProcesses()): number {
  return Math.round(ms * Math.min(Math.max(1, processes / os.availableParallelism()), FACTOR_MAX));
}

/** Of the last minute, or of the last second if that is more: the load average follows a change slowly. */
function countProcesses(): number {
  return Math.max(os.loadavg()[0] ?? 0, runnable);
}

function countRunnable(): number {
  try {
    return Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1]);
  } catch {
    return 0;
  }
}
