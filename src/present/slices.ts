import { setImmediate } from 'node:timers/promises';

/** For so long at most everybody else waits. */
const SLICE_MS = 10;

/** For long work: a break, in which other requests are answered, whenever a slice of time is over. */
export function takeBreaks() {
  let startedAt = performance.now();
  return {
    ifDue: async (): Promise<void> => {
      if (performance.now() - startedAt <= SLICE_MS) return;
      await setImmediate();
      startedAt = performance.now();
    },
  };
}
