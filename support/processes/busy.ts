// Time limits for a machine that does other work too.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Beyond this, a limit would no longer be one. */
const FACTOR_MAX = 30;
const SAMPLE_EVERY_MS = 50;
/** The weight of a sample: about a second of them counts. */
const WEIGHT = 0.05;

/** Where no time is promised or measured: so that a test that fails does not wait for ever. */
export const HANGS_MS = 120_000;
/**
 * Only `npm run prove` measures time. In the tests that decide whether a change lands, a time limit ends what hangs: anything
 * shorter would fail on a slower machine. `TEST_TIMED=true npm test -- PATH…` holds the limits of those tests.
 */
const IS_TIMED = process.env.TEST_TIMED === 'true';

let runnable = countRunnable();
setInterval(() => {
  runnable += (countRunnable() - runnable) * WEIGHT;
}, SAMPLE_EVERY_MS).unref();

/** A time limit of a quiet machine, multiplied by the number of processes that want each core. */
export function stretched(ms: number, processes = countProcesses()): number {
  return Math.round(ms * Math.min(Math.max(1, processes / os.availableParallelism()), FACTOR_MAX));
}

/** How long something may take before a test fails. */
export function deadline(ms: number): number {
  return IS_TIMED ? stretched(ms) : Math.max(stretched(ms), HANGS_MS);
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
