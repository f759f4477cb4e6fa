// Long work runs in slices, so that other requests are served in between.
import { executionAsyncResource } from 'node:async_hooks';

/**
 * Node.js makes an object for each callback of `process.nextTick`. When a garbage collection finds none of them, V8 drops
 * their hidden class, and from then on adds each property through the runtime: a sixth of the time of a cached request.
 * One that stays prevents that.
 */
const keptTicks: object[] = [];
process.nextTick(() => keptTicks.push(executionAsyncResource()));

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

let hasAccepted = false;
let acceptingUntil = 0;

/**
 * The server calls this for each new connection. Node.js accepts one per tick: if every tick had its slice, a client
 * would wait for one slice per connection before its own. So while connections arrive, ticks go without, though never
 * for longer than a slice.
 */
export function noteConnection(): void {
  hasAccepted = true;
}

function planTick(): void {
  acceptingUntil = performance.now() + SLICE_MS;
  setImmediate(startTick);
}

function startTick(): void {
  const isAccepting = hasAccepted && performance.now() < acceptingUntil;
  hasAccepted = false;
  if (isAccepting) return void setImmediate(startTick);
  isTickUsedUp();
  startNext();
}

function waitForSlice(): Promise<void> {
  if (!isNextDue) planTick();
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
  if (isTickUsedUp()) planTick();
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
