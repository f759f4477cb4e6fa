/**
 * Rejects if the promise takes longer. After the process was busy, expired timers run before data that has arrived is
 * read; one more turn of the event loop lets such a response count as in time.
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
