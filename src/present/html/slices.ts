import { setImmediate as nextTick } from 'node:timers/promises';

/** The longest that other requests wait. */
const SLICE_MS = 10;

/** When long work started in this tick of the event loop. */
let busySince: number | null = null;

/** Long work calls this now and then, to let other requests run if this tick has been busy for long. */
export async function yieldToEventLoop(): Promise<void> {
  if (busySince === null) {
    busySince = performance.now();
    setImmediate(() => {
      busySince = null;
    });
  } else if (performance.now() - busySince > SLICE_MS) await nextTick();
}
