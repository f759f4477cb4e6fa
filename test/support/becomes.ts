import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { STALE } from '../../support/databases/engine.ts';
import { deadline } from '../../support/processes/busy.ts';

/** Slow enough for a client to stay below its rate limit. */
const EVERY_MS = 50;

/** Polls until the value is the expected one: by default, for as long as a server may serve stale content. */
export async function becomes<T>(read: () => Promise<T>, expected: T, msMax = STALE.msMax): Promise<void> {
  const writtenAt = performance.now();
  let value = await read();
  while (!isDeepStrictEqual(value, expected) && performance.now() - writtenAt < deadline(msMax)) {
    await delay(EVERY_MS);
    value = await read();
  }
  assert.deepEqual(value, expected);
}
