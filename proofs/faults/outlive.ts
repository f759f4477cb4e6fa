// R30: what is held outlives the database for a minute, and no longer.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from './database.ts';
import type { Sample, Traffic } from './traffic.ts';

const HELD_MS_MAX = 60_000;
const AWAY_MS = 63_000;
/** Before the database went, it had last been asked up to so long ago; and a request takes its time. */
const TOLERANCE_MS = 1_500;

export type End = Readonly<{ stoppedAt: number; held: readonly Sample[]; recoveryMs: number }>;

export async function refuseTooLong({ server }: Stage, traffic: Traffic): Promise<End> {
  await traffic.untilServed(performance.now());
  const stoppedAt = performance.now();
  await server.stop();
  await delay(AWAY_MS);
  const held = traffic.samples.filter(({ kind, startedAt }) => kind === 'held' && startedAt >= stoppedAt);
  await server.start();
  const returnedAt = performance.now();
  return { stoppedAt, held, recoveryMs: (await traffic.untilServed(returnedAt)) - returnedAt };
}

export function assertOutlived({ stoppedAt, held, recoveryMs }: End): void {
  for (const { startedAt, status, failure } of held) {
    const afterMs = startedAt - stoppedAt;
    assert.equal(failure, null);
    if (afterMs < HELD_MS_MAX - TOLERANCE_MS) assert.equal(status, 200, `after ${afterMs} ms`);
    if (afterMs > HELD_MS_MAX) assert.equal(status, 503, `after ${afterMs} ms`);
  }
  assert.ok(held.some(({ status }) => status === 503));
  assert.ok(recoveryMs <= 2_000, `recovered after ${recoveryMs} ms`);
}

export function describeEnd({ stoppedAt, held, recoveryMs }: End): string {
  const refused = held.filter(({ status }) => status === 503).map(({ startedAt }) => startedAt - stoppedAt);
  const seconds = (Math.min(...refused) / 1000).toFixed(1);
  return `refuses for ${AWAY_MS / 1000} s: held answers end after ${seconds} s, recovered after ${Math.round(recoveryMs)} ms`;
}
