// Who gets a connection of a pool, and who fails at once.
import { isExhausted } from '../engine/failures.ts';

/** A server that has no connection left is asked for one this often. */
const REFUSED_MS = 100;

type Pool<Client> = Readonly<{
  options: { max: number };
  /** A connection was made, or is gone. */
  on: (event: 'connect' | 'remove', listener: () => void) => unknown;
  connect: () => Promise<Client>;
}>;

/**
 * Takes a connection of the pool. If the server has none left, whoever asks waits for one that is open already, and
 * fails at once if there is none. By itself the pool would ask the server for one after the other, and let all wait.
 */
export function connectionTaker<Client extends { release: () => void }>(
  pool: Pool<Client>,
): () => Promise<Client> {
  const { max } = pool.options;
  const waiting = new Set<(error: unknown) => void>();
  let open = 0;
  let refusal: { error: unknown; at: number } | null = null;
  pool.on('connect', () => {
    open++;
    refusal = null;
    pool.options.max = max;
  });
  pool.on('remove', () => {
    open--;
    if (refusal !== null) makeDo(refusal.error);
  });

  function makeDo(error: unknown): void {
    pool.options.max = open;
    if (open > 0) return;
    for (const reject of waiting) reject(error);
    waiting.clear();
  }

  async function take(): Promise<Client> {
    if (refusal !== null && performance.now() - refusal.at < REFUSED_MS) {
      if (open === 0) throw refusal.error;
    } else if (refusal !== null) {
      // One tries again for all.
      refusal.at = performance.now();
      pool.options.max = open + 1;
    }
    const { promise: refused, reject } = Promise.withResolvers<never>();
    waiting.add(reject);
    const taken = pool.connect();
    try {
      return await Promise.race([taken, refused]);
    } catch (error) {
      if (!waiting.has(reject)) taken.then((client) => client.release()).catch(() => {});
      if (!isExhausted(error)) throw error;
      refusal = { error, at: performance.now() };
      makeDo(error);
      if (open === 0) throw error;
    } finally {
      waiting.delete(reject);
    }
    return await take();
  }
  return take;
}
