// Limits how many long responses are made at once: each needs memory and CPU (R52).
import type { ServerResponse } from 'node:http';
import { ApiError } from '../../errors.ts';

const LONG_AT_ONCE_MAX = 4;
const LONG_AT_ONCE_OF_CLIENT_MAX = 2;
const LONG_WAITING_MAX = 400;
/** As many as the default rate limit admits per minute. */
const LONG_WAITING_OF_CLIENT_MAX = 60;
/** A proxy such as ours gives up after three seconds, so queueing longer is useless. */
const LONG_WAIT_MS_MAX = 1_500;

type Client = Readonly<{ client: string; response: Pick<ServerResponse, 'closed' | 'once'> }>;
type QueuedTask = Readonly<{ client: string; start: () => void }>;

/** Queues work over the limit; a full queue or a long wait is 503. */
export function limitConcurrency({
  runningMax = LONG_AT_ONCE_MAX,
  runningPerClientMax = LONG_AT_ONCE_OF_CLIENT_MAX,
  queuedMax = LONG_WAITING_MAX,
  queuedPerClientMax = LONG_WAITING_OF_CLIENT_MAX,
  waitMsMax = LONG_WAIT_MS_MAX,
} = {}) {
  const queue = new Set<QueuedTask>();
  /** By client, with what is still being sent to it. */
  const runningOf = new Map<string, number>();
  let running = 0;

  const runningFor = (client: string) => runningOf.get(client) ?? 0;

  /** First come, first served, except that a client at its own limit is skipped. */
  function startNext(): void {
    for (const { client, start } of queue) {
      if (running >= runningMax) return;
      if (runningFor(client) < runningPerClientMax) start();
    }
  }

  function waitForSlot(client: string): Promise<void> {
    const queued = [...queue].filter((task) => task.client === client).length;
    if (queue.size >= queuedMax || queued >= queuedPerClientMax) throw busyError('the queue is full');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const task: QueuedTask = {
      client,
      start: () => {
        clearTimeout(timer);
        queue.delete(task);
        running++;
        runningOf.set(client, runningFor(client) + 1);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      queue.delete(task);
      reject(busyError(`none finished within ${waitMsMax} ms`));
    }, waitMsMax);
    queue.add(task);
    startNext();
    return promise;
  }

  function release(client: string): void {
    const left = runningFor(client) - 1;
    if (left === 0) runningOf.delete(client);
    else runningOf.set(client, left);
    startNext();
  }

  return async <T>({ client, response }: Client, work: () => Promise<T>): Promise<T> => {
    await waitForSlot(client);
    try {
      const done = await work();
      // A finished response is in memory until it is sent. That counts only against its client, which may read slowly.
      void whenSent(response).then(() => release(client));
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

/** Resolves also when the client has closed the connection. */
function whenSent(response: Client['response']): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('finish', resolve).once('close', resolve);
  });
}

function busyError(reason: string): ApiError {
  return new ApiError('unavailable', { cause: new Error(`too many long responses: ${reason}`) });
}
