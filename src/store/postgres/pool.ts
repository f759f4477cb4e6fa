import type pg from 'pg';
import { isExhausted } from '../engine/failures.ts';
import type { RunQuery } from './settings.ts';

/** From so many connections on, reads share them, */
const CONNECTIONS_ALONE = 4;
/** and so many do before there is another connection. */
const READS_A_CONNECTION = 4;
/** How often a server that has no connection left is asked for one. */
const RETRY_MS = 100;

type Shared = { readonly client: pg.PoolClient; reads: number; isBroken: boolean };

/**
 * Connections of a pool that reads share: each query is sent at once, and the server responds in their order. Waking the
 * server for every query would take about as long as the query. If the server has no connection left, all reads share
 * those that are open, and fail immediately if there are none.
 */
export function shareConnections(
  pool: pg.Pool,
  runnerOf: (client: pg.PoolClient) => RunQuery,
  isHarmless: (error: unknown) => boolean,
) {
  const open = new Set<Shared>();
  const connecting = new Set<Promise<unknown>>();
  let taking = 0;
  let exhausted: Readonly<{ at: number; error: unknown }> | null = null;

  function mayConnect(): boolean {
    const isLeft = exhausted === null || performance.now() - exhausted.at >= RETRY_MS || pool.idleCount > 0;
    return isLeft && open.size + connecting.size < pool.options.max;
  }

  /** The open connection with the fewest reads, unless there may be another connection for this one. */
  function takeOpen(): Shared | null {
    let least: Shared | null = null;
    for (const shared of open) if (least === null || shared.reads < least.reads) least = shared;
    const readsMax = open.size < CONNECTIONS_ALONE ? 1 : READS_A_CONNECTION;
    if (least === null || (least.reads >= readsMax && mayConnect())) return null;
    least.reads++;
    return least;
  }

  async function take(): Promise<Shared> {
    if (mayConnect()) return await connect();
    if (connecting.size === 0) throw exhausted?.error;
    await Promise.race(connecting).catch(() => {});
    return takeOpen() ?? (await take());
  }

  async function connect(): Promise<Shared> {
    const connection = pool.connect();
    connecting.add(connection);
    try {
      const shared = { client: await connection, reads: 1, isBroken: false };
      open.add(shared);
      return shared;
    } catch (error) {
      if (!isExhausted(error)) throw error;
      exhausted = { at: performance.now(), error };
    } finally {
      connecting.delete(connection);
    }
    return takeOpen() ?? (await take());
  }

  function leave(shared: Shared, error?: unknown): void {
    shared.reads--;
    shared.isBroken ||= error !== undefined && !isHarmless(error);
    if (shared.isBroken || shared.reads === 0) open.delete(shared);
    if (shared.reads === 0) shared.client.release(shared.isBroken);
  }

  function readOn(shared: Shared, text: string, values: readonly unknown[]) {
    const result = runnerOf(shared.client)(text, values);
    // Not chained to the result: each promise between the driver and the caller takes time.
    result.then(
      () => leave(shared),
      (error) => leave(shared, error),
    );
    return result;
  }

  const read: RunQuery = (text, values) => {
    const shared = takeOpen();
    if (shared !== null) return readOn(shared, text, values);
    taking++;
    const taken = take().finally(() => taking--);
    return taken.then((other) => readOn(other, text, values));
  };
  const waitingCount = () => {
    const reads = [...open].reduce((sum, shared) => sum + shared.reads, taking);
    return Math.max(0, reads - READS_A_CONNECTION * open.size);
  };
  return { read, waitingCount };
}
