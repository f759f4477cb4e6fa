/**
 * Rejects if the promise takes longer. After a busy spell, expired timers run before arrived data is read; one more turn
 * of the event loop keeps a response that is already here from counting as late.
 */
export async function withTimeout<T>(
  pending: T | Promise<T>,
  msMax: number,
  timeoutError: () => Error = () => new Error(`no response within ${msMax} ms`),
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => reject(timeoutError())), msMax);
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
