import type pg from 'pg';
import { isExhausted } from '../engine/failures.ts';

/** How often a server that has no connection left is asked for one while others are open. */
const RETRY_MS = 100;

type Waiter = PromiseWithResolvers<pg.PoolClient> & { askedAt: number };

/**
 * A queue for the connections of a pool. While anybody waits, a connection goes from one to the next: giving it back to the
 * pool and taking it again costs about as much as a query. If the server has none left, all wait for those in use, and
 * fail immediately if there are none; the pool itself would ask the server once for each of them.
 */
export function queueFor(pool: pg.Pool) {
  const waiting: Waiter[] = [];
  let used = 0;
  let exhaustedAt = Number.NEGATIVE_INFINITY;

  function serve(): void {
    while (mayConnect()) {
      const waiter = nextWaiter();
      if (waiter === undefined) return;
      void connect(waiter);
    }
  }

  function mayConnect(): boolean {
    const isExhausted = performance.now() - exhaustedAt < RETRY_MS;
    return used < pool.options.max && (!isExhausted || used === 0 || pool.idleCount > 0);
  }

  function nextWaiter(): Waiter | undefined {
    for (let waiter = waiting.shift(); waiter !== undefined; waiter = waiting.shift()) {
      if (performance.now() - waiter.askedAt <= (pool.options.connectionTimeoutMillis ?? 0)) return waiter;
      waiter.reject(new Error('timeout exceeded when trying to connect'));
    }
    return undefined;
  }

  async function connect(waiter: Waiter): Promise<void> {
    used++;
    try {
      return waiter.resolve(await pool.connect());
    } catch (error) {
      used--;
      if (isExhausted(error)) {
        exhaustedAt = performance.now();
        waiting.unshift(waiter);
        if (used === 0) for (const one of waiting.splice(0)) one.reject(error);
      } else waiter.reject(error);
    }
    serve();
  }

  return {
    take: (): Promise<pg.PoolClient> => {
      const waiter: Waiter = { ...Promise.withResolvers(), askedAt: performance.now() };
      waiting.push(waiter);
      serve();
      return waiter.promise;
    },
    /** A connection that cannot be used any more is closed. */
    release: (client: pg.PoolClient, isBroken: boolean): void => {
      const next = isBroken ? undefined : nextWaiter();
      if (next !== undefined) next.resolve(client);
      else {
        used--;
        client.release(isBroken);
        serve();
      }
    },
    waitingCount: () => waiting.length,
  };
}
