import { setImmediate as nextTurn } from 'node:timers/promises';

/** For so long at most everybody else waits. */
const SLICE_MS = 10;

/** When long work first began in this turn of the event loop; there is one loop, and so one of these. */
let busySince: number | null = null;

/** For long work, now and then: a break, in which other requests are answered, if this turn has done enough of it. */
export async function yieldToEventLoop(): Promise<void> {
  if (busySince === null) {
    busySince = performance.now();
    setImmediate(() => {
      busySince = null;
    });
  } else if (performance.now() - busySince > SLICE_MS) await nextTurn();
}
