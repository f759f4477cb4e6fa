// Long work runs in slices, so that other requests are served in between.

/** The longest that other requests wait. */
const SLICE_MS = 10;

/** When long work started in this tick of the event loop. */
let busySince: number | null = null;

const endTick = () => {
  busySince = null;
};

/** Whether long work has used up its time in this tick. The first call in a tick starts the clock. */
export function isTickUsedUp(): boolean {
  if (busySince !== null) return performance.now() - busySince > SLICE_MS;
  busySince = performance.now();
  setImmediate(endTick);
  return false;
}

/**
 * First come, first served: long work queues again after each slice. Otherwise it would take every slice, and a read
 * that needs only one would wait until the end.
 */
const waiting: (() => void)[] = [];
let isNextDue = false;

const startTick = () => {
  isTickUsedUp();
  startNext();
};

function waitForSlice(): Promise<void> {
  if (!isNextDue) setImmediate(startTick);
  isNextDue = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Starts the first in the queue and, once that can do no more now, the next, while there is time. */
function startNext(): void {
  waiting.shift()?.();
  // Runs after all pending microtasks.
  queueMicrotask(() => process.nextTick(continueTick));
}

function continueTick(): void {
  isNextDue = waiting.length > 0;
  if (!isNextDue) return;
  if (isTickUsedUp()) setImmediate(startTick);
  else startNext();
}

/** Long work calls this regularly, to let other requests run if this tick has been busy for long. Null otherwise. */
export function yieldToEventLoop(): Promise<void> | null {
  return isTickUsedUp() ? waitForSlice() : null;
}

/** New work calls this before its first slice. Null if the queue is empty and this tick has time left. */
export function waitForTurn(): Promise<void> | null {
  return waiting.length === 0 ? yieldToEventLoop() : waitForSlice();
}
