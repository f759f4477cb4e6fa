import { setTimeout as delay } from 'node:timers/promises';
import { deadline, HANGS_MS } from './busy.ts';

const EVERY_MS = 10;

/** Polls until the condition is true; returns how long that took, in milliseconds. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { withinMs, everyMs = EVERY_MS }: Readonly<{ withinMs?: number; everyMs?: number }> = {},
): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - startedAt;
    const limitMs = withinMs === undefined ? HANGS_MS : deadline(withinMs);
    if (waitedMs > limitMs) throw new Error(`not within ${Math.round(limitMs)} ms: ${what}`);
    await delay(everyMs);
  }
  return performance.now() - startedAt;
}
