/**
 * Rejects if the response takes longer. A process that was busy finds responses and expired timers together, so it
 * reads once more before it gives up.
 */
export function withTimeout<T>(
  response: T | Promise<T>,
  msMax: number,
  timeoutError = () => new Error(`no response within ${msMax} ms`),
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => reject(timeoutError())), msMax);
  return Promise.race([response, timeout]).finally(() => clearTimeout(timer));
}
