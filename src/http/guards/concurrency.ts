// Long responses are made a few at a time: each takes memory and the processor (R52).
import { ApiError } from '../../errors.ts';

export type ConcurrencyLimits = Readonly<{
  runningMax: number;
  runningPerClientMax: number;
  queuedMax: number;
  queuedPerClientMax: number;
  waitMsMax: number;
}>;

const LONG_AT_ONCE_MAX = 4;
const LONG_AT_ONCE_OF_CLIENT_MAX = 2;
const LONG_WAITING_MAX = 400;
/** Every request that the default limit admits in a minute may wait, if the others are quick. */
const LONG_WAITING_OF_CLIENT_MAX = 60;
/** A proxy in front, such as ours, gives up on a response after three seconds: to wait longer would be for nothing. */
const LONG_WAIT_MS_MAX = 1_500;

export const LONG_RESPONSE_LIMITS: ConcurrencyLimits = {
  runningMax: LONG_AT_ONCE_MAX,
  runningPerClientMax: LONG_AT_ONCE_OF_CLIENT_MAX,
  queuedMax: LONG_WAITING_MAX,
  queuedPerClientMax: LONG_WAITING_OF_CLIENT_MAX,
  waitMsMax: LONG_WAIT_MS_MAX,
};

const RETRY_AFTER_SECONDS = 2;

/** Whose response it is, and when it has been sent, or is not wanted any more. */
export type SlotRequest = Readonly<{ client: string; sent: Promise<void> }>;

type QueuedTask = Readonly<{ client: string; begin: () => void }>;

/** Work in turns; too much of it, or too long a wait, is 503. */
export function limitConcurrency(limits: ConcurrencyLimits) {
  const { runningMax, runningPerClientMax, queuedMax, queuedPerClientMax, waitMsMax } = limits;
  const waiting = new Set<QueuedTask>();
  const waitingOf = new ClientCounts();
  const workingOf = new ClientCounts();
  let working = 0;
  let isNextDue = false;

  const mayBegin = (client: string) => working < runningMax && workingOf.get(client) < runningPerClientMax;

  /**
   * One in each turn of the event loop. A database within this process answers at once: of many requests that come in
   * together, each would be done before the next is looked at, and nobody else's.
   */
  function startNext(): void {
    if (isNextDue) return;
    isNextDue = true;
    setImmediate(() => {
      isNextDue = false;
      const next = [...waiting].find(({ client }) => mayBegin(client));
      if (next === undefined) return;
      next.begin();
      startNext();
    });
  }

  /** Whoever came first is first, unless two responses of the same client are being made. */
  function waitFor(client: string): Promise<void> {
    if (waiting.size >= queuedMax || waitingOf.get(client) >= queuedPerClientMax)
      throw busyError('too many wait');
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        waiting.delete(waiter);
        waitingOf.add(client, -1);
      };
      const begin = () => {
        stopWaiting();
        working++;
        workingOf.add(client, 1);
        resolve();
      };
      const giveUp = () => {
        stopWaiting();
        reject(busyError(`none of them was done within ${waitMsMax} ms`));
      };
      const waiter: QueuedTask = { client, begin };
      const timer = setTimeout(giveUp, waitMsMax);
      waiting.add(waiter);
      waitingOf.add(client, 1);
      startNext();
    });
  }

  function leave(client: string): void {
    workingOf.add(client, -1);
    startNext();
  }

  return async <T>({ client, sent }: SlotRequest, work: () => Promise<T>): Promise<T> => {
    await waitFor(client);
    try {
      const done = await work();
      // Until then its bytes are in memory. Only its own client waits for that: others would wait for a slow reader.
      void sent.then(() => leave(client));
      return done;
    } catch (error) {
      leave(client);
      throw error;
    } finally {
      working--;
      startNext();
    }
  };
}

export type RunLimited = ReturnType<typeof limitConcurrency>;

/** Of clients that have none, nothing is kept. */
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
  return new ApiError('unavailable', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    cause: new Error(`long responses are being made: ${reason}`),
  });
}
