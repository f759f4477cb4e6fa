// Long work is done in slices, so that other requests are served in between.

/** The longest that other requests wait. */
const SLICE_MS = 10;

/** When long work started in this tick of the event loop. */
let busySince: number | null = null;

const endTick = () => {
  busySince = null;
};

/** Has long work used its time in this tick of the event loop? The first call in a tick starts its clock. */
export function isTickUsedUp(): boolean {
  if (busySince !== null) return performance.now() - busySince > SLICE_MS;
  busySince = performance.now();
  setImmediate(endTick);
  return false;
}

/**
 * First come, first served: work that goes on slice after slice waits behind everything that came before its next one.
 * Otherwise it would take every slice, and a read that needs only one would wait until it ends.
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

/** Starts the first that waits and, once that has done all it can do now, the next, while there is time. */
function startNext(): void {
  waiting.shift()?.();
  // Microtasks run until none is left, and only then what is scheduled for after them.
  queueMicrotask(() => process.nextTick(continueTick));
}

function continueTick(): void {
  isNextDue = waiting.length > 0;
  if (!isNextDue) return;
  if (isTickUsedUp()) setImmediate(startTick);
  else startNext();
}

/**
 * Long work calls this now and then, to let other requests run if this tick has been busy for long. Null if it has not:
 * then there is nothing to wait for.
 */
export function yieldToEventLoop(): Promise<void> | null {
  return isTickUsedUp() ? waitForSlice() : null;
}

/** New work calls this before its first slice. Null if nothing waits and there is time left in this tick. */
export function waitForTurn(): Promise<void> | null {
  return waiting.length === 0 ? yieldToEventLoop() : waitForSlice();
}
