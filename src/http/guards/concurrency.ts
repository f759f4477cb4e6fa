// Limits how many long responses are built at once: each needs memory and CPU (R52).
import { ApiError } from '../../errors.ts';
import type { Waiter } from '../pipeline/waiter.ts';

type ConcurrencyLimits = Readonly<{
  runningMax: number;
  runningPerClientMax: number;
  queuedMax: number;
  queuedPerClientMax: number;
  waitMsMax: number;
}>;

const LONG_AT_ONCE_MAX = 4;
const LONG_AT_ONCE_OF_CLIENT_MAX = 2;
const LONG_WAITING_MAX = 400;
/** As many as the default rate limit admits per minute. */
const LONG_WAITING_OF_CLIENT_MAX = 60;
/** A proxy such as ours gives up after three seconds, so queueing longer is useless. */
const LONG_WAIT_MS_MAX = 1_500;

export const LONG_RESPONSE_LIMITS: ConcurrencyLimits = {
  runningMax: LONG_AT_ONCE_MAX,
  runningPerClientMax: LONG_AT_ONCE_OF_CLIENT_MAX,
  queuedMax: LONG_WAITING_MAX,
  queuedPerClientMax: LONG_WAITING_OF_CLIENT_MAX,
  waitMsMax: LONG_WAIT_MS_MAX,
};

type SlotOwner = Pick<Waiter, 'client' | 'sent'>;
type QueuedTask = Readonly<{ client: string; start: () => void }>;

/** Queues work over the limit; a full queue or a long wait is 503. */
export function limitConcurrency(limits: ConcurrencyLimits) {
  const { runningMax, runningPerClientMax, queuedMax, queuedPerClientMax, waitMsMax } = limits;
  const queue = new Set<QueuedTask>();
  const queuedOf = new ClientCounts();
  const runningOf = new ClientCounts();
  let running = 0;
  let isNextDue = false;

  const mayStart = (client: string) => running < runningMax && runningOf.get(client) < runningPerClientMax;

  /**
   * Starts one task per tick of the event loop. SQLite reads synchronously: otherwise each of many simultaneous
   * requests would finish before the next starts, and other clients would wait.
   */
  function startNext(): void {
    if (isNextDue) return;
    isNextDue = true;
    setImmediate(() => {
      isNextDue = false;
      const next = [...queue].find(({ client }) => mayStart(client));
      if (next === undefined) return;
      next.start();
      startNext();
    });
  }

  /** First come, first served, except that a client at its own limit is skipped. */
  function waitForSlot(client: string): Promise<void> {
    if (queue.size >= queuedMax || queuedOf.get(client) >= queuedPerClientMax)
      throw busyError('the queue is full');
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        queue.delete(task);
        queuedOf.add(client, -1);
      };
      const start = () => {
        leaveQueue();
        running++;
        runningOf.add(client, 1);
        resolve();
      };
      const giveUp = () => {
        leaveQueue();
        reject(busyError(`none finished within ${waitMsMax} ms`));
      };
      const task: QueuedTask = { client, start };
      const timer = setTimeout(giveUp, waitMsMax);
      queue.add(task);
      queuedOf.add(client, 1);
      startNext();
    });
  }

  function release(client: string): void {
    runningOf.add(client, -1);
    startNext();
  }

  return async <T>({ client, sent }: SlotOwner, work: () => Promise<T>): Promise<T> => {
    await waitForSlot(client);
    try {
      const done = await work();
      // A finished response is in memory until it is sent. That counts only against its client, which may read slowly.
      void sent.then(() => release(client));
      return done;
    } catch (error) {
      release(client);
      throw error;
    } finally {
      running--;
      startNext();
    }
  };
}

class ClientCounts {
  readonly #counts = new Map<string, number>();

  get(client: string): number {
    return this.#counts.get(client) ?? 0;
  }

  add(client: string, difference: number): void {
    const count = this.get(client) + difference;
    if (count === 0) this.#counts.delete(client);
    else this.#counts.set(client, count);
  }
}

function busyError(reason: string): ApiError {
  return new ApiError('unavailable', { cause: new Error(`too many long responses: ${reason}`) });
}
