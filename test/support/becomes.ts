import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { STALE } from '../../support/databases/engine.ts';

/** Far enough apart for a client to stay below its limit. */
const EVERY_MS = 50;

/** Asks until the answer is the expected one: by default, for as long as a server may go on with an older one. */
export async function becomes<T>(ask: () => Promise<T>, expected: T, msMax = STALE.msMax): Promise<void> {
  const writtenAt = performance.now();
  let answer = await ask();
  while (!isDeepStrictEqual(answer, expected) && performance.now() - writtenAt < msMax) {
    await delay(EVERY_MS);
    answer = await ask();
  }
  assert.deepEqual(answer, expected);
}
