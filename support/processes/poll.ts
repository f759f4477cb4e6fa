import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 10;

/** Polls until the condition is true; returns how long that took, in milliseconds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { withinMs = 10_000, everyMs = EVERY_MS } = {},
): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
  }
  return performance.now() - startedAt;
}
