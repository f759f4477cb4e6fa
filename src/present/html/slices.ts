import { setImmediate as nextTick } from 'node:timers/promises';

/** The longest that other requests wait. */
const SLICE_MS = 10;

/** When long work started in this tick of the event loop. */
let busySince: number | null = null;

const endTick = () => {
  busySince = null;
};

/** Has long work used its time in this tick of the event loop? */
export function isTickUsedUp(): boolean {
  if (busySince !== null) return performance.now() - busySince > SLICE_MS;
  busySince = performance.now();
  setImmediate(endTick);
  return false;
}

/**
 * Long work calls this now and then, to let other requests run if this tick has been busy for long. Null if it has not:
 * then there is nothing to wait for.
 */
export function yieldToEventLoop(): Promise<void> | null {
  return isTickUsedUp() ? nextTick() : null;
}
