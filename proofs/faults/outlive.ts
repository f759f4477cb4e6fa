// R30: cached responses are served for one minute after the database goes down, and no longer.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Setup } from './database.ts';
import type { Sample, Traffic } from './traffic.ts';

const CACHED_MS_MAX = 60_000;
const DOWN_MS = 63_000;
/** The last poll of the database was up to this long before the outage, and a request takes some time. */
const TOLERANCE_MS = 1_500;

type LongOutage = Readonly<{ stoppedAt: number; cached: readonly Sample[]; recoveryMs: number }>;

export async function shutDownTooLong({ server }: Setup, traffic: Traffic): Promise<LongOutage> {
  await traffic.untilServed(performance.now());
  const stoppedAt = performance.now();
  await server.stop();
  await delay(DOWN_MS);
  const cached = traffic.samples.filter(({ kind, startedAt }) => kind === 'cached' && startedAt >= stoppedAt);
  await server.start();
  const returnedAt = performance.now();
  return { stoppedAt, cached, recoveryMs: (await traffic.untilServed(returnedAt)) - returnedAt };
}

export function assertOutlived({ stoppedAt, cached, recoveryMs }: LongOutage): void {
  for (const { startedAt, status, failure } of cached) {
    const afterMs = startedAt - stoppedAt;
    assert.equal(failure, null);
    if (afterMs < CACHED_MS_MAX - TOLERANCE_MS) assert.equal(status, 200, `after ${afterMs} ms`);
    if (afterMs > CACHED_MS_MAX) assert.equal(status, 503, `after ${afterMs} ms`);
  }
  assert.ok(cached.some(({ status }) => status === 503));
  assert.ok(recoveryMs <= 2_000, `recovered after ${recoveryMs} ms`);
}

export function describeOutage({ stoppedAt, cached, recoveryMs }: LongOutage): string {
  const unavailable = cached
    .filter(({ status }) => status === 503)
    .map(({ startedAt }) => startedAt - stoppedAt);
  const seconds = (Math.min(...unavailable) / 1000).toFixed(1);
  return `is down for ${DOWN_MS / 1000} s: cached responses end after ${seconds} s, recovered after ${Math.round(recoveryMs)} ms`;
}
