// Concurrent login attempts at the gate.
import assert from 'node:assert/strict';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { exchange } from './socket.ts';

/** Settings of a service with a gate, whose clients are identified by a header. */
export const GUARDED = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'visitor',
  PASSWORD_PROTECTION_PASSWORD: 'open sesame',
  PUBLIC_RATE_LIMIT: '1000000',
  TRUSTED_PROXIES: '127.0.0.1',
};
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
export const RIGHT = basic('visitor:open sesame');
const guess = (index: number) => basic(`visitor:guess ${index}`);

const GUESSES = 500;
/** R23: after 20 failed attempts, one more is checked. */
const WRONG_MAX = 20;

/**
 * At most 20 wrong passwords of a client are checked, however many are sent concurrently and in whatever order they are
 * counted; right passwords pass in any number.
 */
export async function assertGuessesBounded(port: number): Promise<void> {
  const clients = Array.from({ length: 9 }, (_, index) => `198.51.100.${index + 1}`).values();
  const send = (tries: readonly string[], connections: number, client = clients.next().value as string) =>
    sendAtOnce(port, tries, { connections, client });
  const wrong = Array.from({ length: GUESSES }, (_, index) => guess(index));

  for (const position of [22, 100, 496]) {
    const statuses = await send(wrong.with(position - 1, RIGHT), 1);
    assert.deepEqual(statuses, [...Array(WRONG_MAX).fill(401), ...Array(GUESSES - WRONG_MAX).fill(429)]);
  }
  const inTime = await send(wrong.with(WRONG_MAX, RIGHT), 1);
  assert.deepEqual(inTime, [...Array(WRONG_MAX).fill(401), 200, ...Array(GUESSES - WRONG_MAX - 1).fill(429)]);

  // The right password is the 25th on its connection, so at least 24 wrong ones come before it.
  const spread = await send(wrong.with(495, RIGHT), 20);
  assert.deepEqual(countOf(spread), { 401: WRONG_MAX, 429: GUESSES - WRONG_MAX });

  const right = Array<string>(GUESSES).fill(RIGHT);
  assert.deepEqual(countOf(await send(right, 1)), { 200: GUESSES });
  assert.deepEqual(countOf(await send(right, 20)), { 200: GUESSES });

  const client = '198.51.100.100';
  assert.deepEqual(countOf(await send(wrong.slice(0, WRONG_MAX), 20, client)), { 401: WRONG_MAX });
  assert.deepEqual(countOf(await send(right, 20, client)), { 200: GUESSES });
  assert.deepEqual(await send([guess(1), RIGHT], 1, client), [429, 429]);
}

/** Sends all attempts without waiting for responses, spread over the connections; returns the statuses in order. */
async function sendAtOnce(
  port: number,
  tries: readonly string[],
  { connections, client }: { connections: number; client: string },
): Promise<number[]> {
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async (_, first) => {
      const own = [...tries.keys()].filter((index) => index % connections === first);
      const requests = own.map((index) =>
        [
          `GET ${PUBLIC_FEED} HTTP/1.1`,
          'Host: x',
          `X-Forwarded-For: ${client}`,
          `Authorization: ${tries[index]}`,
          `Connection: ${index === own.at(-1) ? 'close' : 'keep-alive'}`,
          '\r\n',
        ].join('\r\n'),
      );
      const responses = (await exchange(port, requests.join(''))).matchAll(/HTTP\/1\.1 (\d{3}) /g);
      for (const [index, [, status]] of [...responses].entries())
        statuses[own[index] as number] = Number(status);
    }),
  );
  assert.equal(Object.keys(statuses).length, tries.length);
  return statuses;
}

function countOf(statuses: readonly number[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(statuses)].map((one) => [one, statuses.filter((s) => s === one).length]),
  );
}
