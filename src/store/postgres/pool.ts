// Connections of a pool whose server may have none left.
import { isExhausted } from '../engine/failures.ts';

/** How often a server that has no connection left is asked for one. */
const RETRY_MS = 100;

type Pool<Client> = Readonly<{
  options: { max: number };
  /** A connection was opened or closed. */
  on: (event: 'connect' | 'remove', listener: () => void) => unknown;
  connect: () => Promise<Client>;
}>;

/**
 * Takes connections from the pool. If the server has none left, callers wait for one that is already open, and fail
 * immediately if there is none. The pool itself would ask the server once for each caller, and let all of them wait.
 */
export function connectionTaker<Client extends { release: () => void }>(
  pool: Pool<Client>,
): () => Promise<Client> {
  const { max } = pool.options;
  const waiting = new Set<(error: unknown) => void>();
  let open = 0;
  let exhausted: { error: unknown; at: number } | null = null;
  pool.on('connect', () => {
    open++;
    exhausted = null;
    pool.options.max = max;
  });
  pool.on('remove', () => {
    open--;
    if (exhausted !== null) useOpenOnly(exhausted.error);
  });

  function useOpenOnly(error: unknown): void {
    pool.options.max = open;
    if (open > 0) return;
    for (const reject of waiting) reject(error);
    waiting.clear();
  }

  async function take(): Promise<Client> {
    if (exhausted !== null && performance.now() - exhausted.at < RETRY_MS) {
      if (open === 0) throw exhausted.error;
    } else if (exhausted !== null) {
      // One caller tries again for all.
      exhausted.at = performance.now();
      pool.options.max = open + 1;
    }
    const { promise: failed, reject } = Promise.withResolvers<never>();
    waiting.add(reject);
    const taken = pool.connect();
    try {
      return await Promise.race([taken, failed]);
    } catch (error) {
      if (!waiting.has(reject)) taken.then((client) => client.release()).catch(() => {});
      if (!isExhausted(error)) throw error;
      exhausted = { error, at: performance.now() };
      useOpenOnly(error);
      if (open === 0) throw error;
    } finally {
      waiting.delete(reject);
    }
    return await take();
  }
  return take;
}
