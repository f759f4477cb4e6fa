import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ENCODINGS, type Encoding } from '../../../src/http/cache/encodings.ts';
import { CachedResponse } from '../../../src/http/cache/response.ts';
import { createResponseCache } from '../../../src/http/cache/response-cache.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Measured memory may exceed counted memory by this much. */
const FACTOR_MAX = 1.1;
const KIND = { cacheControl: 'public, max-age=30', contentType: 'application/json; charset=utf-8' };

/** Sizes on both sides of the limit up to which Node.js pools buffers. */
const KINDS: readonly Readonly<{
  name: string;
  count: number;
  bytes: number;
  encodings: readonly Encoding[];
}>[] = [
  { name: 'small ones', count: 2_000, bytes: 1_000, encodings: [] },
  { name: 'small ones in every encoding', count: 500, bytes: 4_000, encodings: ENCODINGS },
  { name: 'those of 20 KB in one encoding', count: 200, bytes: 20_000, encodings: ['gzip'] },
  { name: 'those of 40 KB in every encoding', count: 80, bytes: 40_000, encodings: ENCODINGS },
];

describe('the memory of cached responses', () => {
  for (const { name, count, bytes, encodings } of KINDS) {
    it(`${name} take as much memory as is counted for them`, async () => {
      // A first run compiles everything.
      await fill(10, bytes, encodings);
      const before = await usedBytes();
      const cache = await fill(count, bytes, encodings);
      const taken = (await usedBytes()) - before;
      const counted = cache.size().bytes;
      assert.equal(cache.size().responses, count);
      assert.ok(taken < counted * FACTOR_MAX, `${taken} bytes, of which ${counted} are counted`);
    });
  }
});

async function fill(count: number, bytes: number, encodings: readonly Encoding[]) {
  const cache = createResponseCache(Number.MAX_SAFE_INTEGER);
  for (let index = 0; index < count; index++) {
    const key = `/api/v1/public/teams/acme/products/rocket/changelog/versions/1.${index}.0`;
    const response = new CachedResponse(textOf(bytes), KIND);
    cache.put(key, { response, surface: 'public', origin: { teamId: 1, productId: index } });
    for (const encoding of encodings) await response.in(encoding, () => cache.resize(key, response));
  }
  return cache;
}

/** Compresses about as well as real text. */
function textOf(bytes: number): string {
  let text = '';
  while (text.length < bytes) text += `{"id":"${Math.random()}","title":"A title, as titles are"},`;
  return text.slice(0, bytes);
}

/** Other threads free buffers a little later. */
async function usedBytes(): Promise<number> {
  let last = Number.POSITIVE_INFINITY;
  for (;;) {
    collectGarbage();
    await delay(50);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    if (heapUsed + arrayBuffers > last - 10_000) return last;
    last = heapUsed + arrayBuffers;
  }
}
