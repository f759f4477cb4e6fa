import { setImmediate as nextTick } from 'node:timers/promises';

/** The longest that other requests wait. */
const SLICE_MS = 10;

/** When long work started in this tick of the event loop. */
let busySince: number | null = null;

const endTick = () => {
  busySince = null;
};

/** Null if this tick has not been busy for long: then there is nothing to wait for. */
export function nextSlice(): Promise<void> | null {
  if (busySince === null) {
    busySince = performance.now();
    setImmediate(endTick);
    return null;
  }
  return performance.now() - busySince > SLICE_MS ? nextTick() : null;
}

/** Long work calls this now and then, to let other requests run if this tick has been busy for long. */
export async function yieldToEventLoop(): Promise<void> {
  await nextSlice();
}
