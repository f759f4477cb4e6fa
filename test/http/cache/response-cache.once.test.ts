import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Surface } from '../../../src/domain/model.ts';
import { CachedResponse } from '../../../src/http/cache/response.ts';
import { createResponseCache, type ResponseCache } from '../../../src/http/cache/response-cache.ts';
import { ALL_TEAMS, EVERYTHING, type Origin, type Touch } from '../../../src/store/engine/touches.ts';
import { keysTouch, productTouch, teamTouch } from '../../support/source.ts';

/** What an entry takes besides its bytes and its key. */
const OVERHEAD_BYTES = 1_500;
const LARGE = Number.MAX_SAFE_INTEGER;

const KIND = { cacheControl: 'private', contentType: 'text/plain' };
const responseOf = (length: number) => new CachedResponse([Buffer.alloc(length)], KIND);
const originOf = (teamId: number, productId: number) => ({ teamId, productId });
const costOf = (key: string, length: number) => length + key.length + OVERHEAD_BYTES;

/** All of it for requests without parameters. */
const createWhole = (bytesMax: number, notFoundMax?: number) =>
  createResponseCache(bytesMax, { parametersShare: 0, ...(notFoundMax && { notFoundMax }) });

/** Tests name the surface in the key. */
const surfaceOf = (key: string): Surface => (key.startsWith('/api/v1/teams/') ? 'team' : 'public');

type Cache = ReturnType<typeof bySurface>;

function bySurface(cache: ResponseCache) {
  return {
    ...cache,
    put: (key: string, response: CachedResponse, origin: Origin) =>
      cache.put(key, { response, surface: surfaceOf(key), origin }),
    putNotFound: (key: string) => cache.putNotFound(key, surfaceOf(key)),
  };
}

/** Which of these are cached. Each lookup counts as a use, so they end up in this order. */
function cachedAmong(cache: Pick<ResponseCache, 'find'>, keys: readonly string[]): string[] {
  return keys.filter((key) => cache.find(key) !== undefined);
}

describe('the response cache', () => {
  it('a response is cached under its own key only', () => {
    const cache = bySurface(createWhole(LARGE));
    const response = responseOf(10);
    cache.put('public /a', response, originOf(1, 1));
    assert.equal(cache.find('public /a'), response);
    assert.equal(cache.find('team /a'), undefined);
    assert.equal(cache.find('public /a/'), undefined);
  });

  it('the cache stays within its limit by evicting the least recently used response', () => {
    const cache = bySurface(createWhole(3 * costOf('a', 100)));
    for (const key of ['a', 'b', 'c']) cache.put(key, responseOf(100), originOf(1, 1));
    assert.deepEqual(cache.size(), { responses: 3, bytes: 3 * costOf('a', 100) });
    cache.find('a');
    cache.put('d', responseOf(100), originOf(1, 1));
    assert.deepEqual(cachedAmong(cache, ['a', 'b', 'c', 'd']), ['a', 'c', 'd']);
    cache.put('e', responseOf(101), originOf(1, 1));
    assert.deepEqual(
      cachedAmong(cache, ['a', 'c', 'd', 'e']),
      ['d', 'e'],
      'the larger one needs the room of two',
    );
  });

  it('a response that is too large is not cached and evicts nothing', () => {
    const cache = bySurface(createWhole(costOf('a', 100) + costOf('b', 100)));
    cache.put('a', responseOf(100), originOf(1, 1));
    cache.put('b', responseOf(10_000), originOf(1, 1));
    assert.deepEqual(cachedAmong(cache, ['a', 'b']), ['a']);
    assert.equal(cache.size().bytes, costOf('a', 100));
  });

  it('a response that has become too large is removed, with its earlier version', () => {
    const cache = bySurface(createWhole(costOf('a', 100)));
    cache.put('a', responseOf(100), originOf(1, 1));
    cache.put('a', responseOf(101), originOf(1, 1));
    assert.equal(cache.find('a'), undefined);
    assert.deepEqual(cache.size(), { responses: 0, bytes: 0 });
  });

  it('a cache of zero bytes caches nothing', () => {
    const cache = bySurface(createWhole(0));
    cache.put('a', responseOf(0), originOf(1, 1));
    assert.equal(cache.find('a'), undefined);
    assert.deepEqual(cache.size(), { responses: 0, bytes: 0 });
  });

  it('a replaced response counts once, with its new size and origin', () => {
    const cache = bySurface(createWhole(LARGE));
    cache.put('a', responseOf(100), originOf(1, 1));
    cache.put('a', responseOf(300), originOf(2, 2));
    assert.deepEqual(cache.size(), { responses: 1, bytes: costOf('a', 300) });
    cache.invalidate([productTouch(1, 1)]);
    assert.equal(cache.find('a')?.bytes, 300, 'it is no longer made from that product');
    cache.invalidate([productTouch(2, 2)]);
    assert.equal(cache.find('a'), undefined);
  });

  const filled = () => {
    const cache = bySurface(createWhole(LARGE));
    cache.put('1/1', responseOf(1), originOf(1, 1));
    cache.put('1/1/version', responseOf(1), originOf(1, 1));
    cache.put('1/2', responseOf(1), originOf(1, 2));
    cache.put('2/3', responseOf(1), originOf(2, 3));
    return { cache, left: () => cachedAmong(cache, ['1/1', '1/1/version', '1/2', '2/3']) };
  };

  it('a touch of a product invalidates its responses', () => {
    const { cache, left } = filled();
    cache.invalidate([productTouch(1, 1)]);
    assert.deepEqual(left(), ['1/2', '2/3']);
  });

  it('a touch of a team invalidates the responses of all its products', () => {
    const { cache, left } = filled();
    cache.invalidate([teamTouch(1)]);
    assert.deepEqual(left(), ['2/3']);
  });

  it('a touch of everything empties the cache', () => {
    const { cache, left } = filled();
    cache.invalidate([EVERYTHING]);
    assert.deepEqual(left(), []);
    assert.deepEqual(cache.size(), { responses: 0, bytes: 0 });
  });

  it('a touch of other teams, other products or keys leaves a response cached', () => {
    const { cache, left } = filled();
    cache.invalidate([]);
    cache.invalidate([teamTouch(3), productTouch(3, 9), keysTouch(1)]);
    assert.equal(left().length, 4);
  });
});

describe('a list of products', () => {
  const filled = () => {
    const cache = bySurface(createWhole(LARGE));
    cache.put('1/1', responseOf(1), originOf(1, 1));
    cache.put('1', responseOf(1), { teamId: 1, productId: null });
    cache.put('2', responseOf(1), { teamId: 2, productId: null });
    cache.put('all', responseOf(1), ALL_TEAMS);
    return { cache, left: () => cachedAmong(cache, ['1/1', '1', '2', 'all']) };
  };

  it('a touch of a product invalidates the lists that contain it', () => {
    const { cache, left } = filled();
    cache.invalidate([productTouch(2, 3)]);
    assert.deepEqual(left(), ['1/1', '1']);
    cache.invalidate([productTouch(1, 2)]);
    assert.deepEqual(left(), ['1/1']);
  });

  it('a touch of a team invalidates its list and that of all teams', () => {
    const { cache, left } = filled();
    cache.invalidate([teamTouch(1)]);
    assert.deepEqual(left(), ['2']);
  });

  it('a touch of everything invalidates all lists, and a touch of keys or a hidden one none', () => {
    const { cache, left } = filled();
    cache.invalidate([
      keysTouch(1),
      { ...productTouch(1, 1), isHidden: true },
      { ...teamTouch(1), isHidden: true },
    ]);
    assert.equal(left().length, 4);
    cache.invalidate([EVERYTHING]);
    assert.deepEqual(left(), []);
  });

  it('a write to one product examines no responses of others, however many there are', () => {
    const cache = bySurface(createWhole(LARGE));
    let looks = 0;
    for (let productId = 1; productId <= 1_000; productId++) {
      const origin = {
        teamId: 1,
        get productId() {
          looks++;
          return productId;
        },
      };
      cache.put(`${productId}`, responseOf(1), origin);
    }
    looks = 0;
    cache.invalidate([productTouch(1, 500)]);
    assert.ok(looks <= 10, `${looks} looks`);
    assert.equal(cache.size().responses, 999);
  });
});

describe('a hidden write', () => {
  const [PUBLIC, TEAM] = ['/api/v1/public/teams/acme', '/api/v1/teams/acme'];
  const HIDDEN: Record<string, Touch> = {
    'in a product': { ...productTouch(1, 1), isHidden: true },
    'in a team': { ...teamTouch(1), isHidden: true },
    'in too many places to tell': { ...EVERYTHING, isHidden: true },
  };
  for (const [where, touch] of Object.entries(HIDDEN)) {
    it(`a hidden write ${where} leaves the public cache and its 404s alone`, () => {
      const cache = bySurface(createResponseCache(LARGE));
      for (const key of [PUBLIC, `${PUBLIC}?q=a`, TEAM, `${TEAM}?q=a`])
        cache.put(key, responseOf(1), originOf(1, 1));
      cache.putNotFound(`${PUBLIC}/none`);
      cache.putNotFound(`${TEAM}/none`);
      cache.invalidate([touch]);
      assert.deepEqual(cachedAmong(cache, [PUBLIC, `${PUBLIC}?q=a`, TEAM, `${TEAM}?q=a`]), [
        PUBLIC,
        `${PUBLIC}?q=a`,
      ]);
      assert.deepEqual([cache.find(`${PUBLIC}/none`), cache.find(`${TEAM}/none`)], [null, undefined]);
      cache.invalidate([{ ...touch, isHidden: false }]);
      assert.deepEqual([cache.find(PUBLIC), cache.find(`${PUBLIC}/none`)], [undefined, undefined]);
    });
  }
});

describe('cached 404s', () => {
  it('a 404 is cached until anything is written, or something is found at its path', () => {
    const cache = bySurface(createWhole(LARGE));
    cache.putNotFound('a');
    cache.putNotFound('b');
    cache.invalidate([]);
    assert.deepEqual([cache.find('a'), cache.find('b'), cache.find('c')], [null, null, undefined]);
    cache.put('b', responseOf(1), originOf(1, 1));
    assert.equal(cache.find('b')?.bytes, 1);
    cache.invalidate([productTouch(9, 9)]);
    assert.deepEqual([cache.find('a'), cache.find('b')?.bytes], [undefined, 1]);
    cache.putNotFound('a');
    cache.invalidate([EVERYTHING]);
    assert.equal(cache.find('a'), undefined);
  });

  it('cached 404s evict no responses, and beyond their limit the oldest is evicted', () => {
    const cache = bySurface(createWhole(costOf('hot', 100), 10));
    cache.put('hot', responseOf(100), originOf(1, 1));
    for (let index = 0; index < 1_000; index++) cache.putNotFound(`random-${index}`);
    assert.equal(cache.find('hot')?.bytes, 100);
    assert.deepEqual(cache.size(), { responses: 1, bytes: costOf('hot', 100) });
    assert.deepEqual([cache.find('random-989'), cache.find('random-990')], [undefined, null]);
  });

  it('a cache of zero bytes caches no 404', () => {
    const cache = bySurface(createWhole(0));
    cache.putNotFound('a');
    assert.equal(cache.find('a'), undefined);
  });
});

describe('a response that gains an encoding', () => {
  const text = Buffer.from('some words, '.repeat(200));
  const grow = async (cache: Cache, key: string, response: CachedResponse) => {
    await response.in('gzip', () => cache.resize(key, response));
  };

  it('a new encoding counts towards the limit, and evicts other responses', async () => {
    const cache = bySurface(createWhole(costOf('a', text.length) + costOf('b', text.length) + 10));
    const [older, newer] = [new CachedResponse([text], KIND), new CachedResponse([text], KIND)];
    cache.put('a', older, originOf(1, 1));
    cache.put('b', newer, originOf(1, 1));
    await grow(cache, 'b', newer);
    assert.ok(newer.bytes > text.length);
    assert.deepEqual(cachedAmong(cache, ['a', 'b']), ['b']);
    assert.equal(cache.size().bytes, costOf('b', newer.bytes));
  });

  it('a new encoding of a replaced response does not count', async () => {
    const cache = bySurface(createWhole(LARGE));
    const [older, newer] = [new CachedResponse([text], KIND), new CachedResponse([text], KIND)];
    cache.put('a', newer, originOf(1, 1));
    await grow(cache, 'a', older);
    assert.equal(cache.size().bytes, costOf('a', text.length));
  });
});

type Kept = { key: string; origin: Origin; length: number };

/** The same rules in the simplest form: a list in order of use. */
class Oracle {
  entries: Kept[] = [];
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  bytes(): number {
    return this.entries.reduce((sum, { key, length }) => sum + costOf(key, length), 0);
  }

  find(key: string): Kept | undefined {
    const found = this.entries.find((entry) => entry.key === key);
    if (found !== undefined) this.entries = [...this.entries.filter((entry) => entry !== found), found];
    return found;
  }

  put(kept: Kept): void {
    this.entries = this.entries.filter(({ key }) => key !== kept.key);
    if (costOf(kept.key, kept.length) > this.bytesMax) return;
    this.entries.push(kept);
    while (this.bytes() > this.bytesMax) this.entries.shift();
  }

  invalidate(touches: readonly Touch[]): void {
    const reaches = (touch: Touch, entry: Kept) => {
      if (touch.isHidden && !entry.key.startsWith('/api/v1/teams/')) return false;
      if (touch.kind === 'keys') return false;
      const { teamId, productId } = entry.origin;
      const teamMatches = touch.kind === 'everything' || teamId === null || touch.teamId === teamId;
      return teamMatches && (touch.kind !== 'product' || productId === null || touch.productId === productId);
    };
    this.entries = this.entries.filter((entry) => !touches.some((touch) => reaches(touch, entry)));
  }
}

const KEYS = ['a', 'b', 'c', 'dd', '/api/v1/teams/e', '/api/v1/teams/f'];
/** A product belongs to one team: 11 and 12 to team 1, 21 to team 2. */
const product = fc.constantFrom(11, 12, 21, 31);
const teamOf = (productId: number) => Math.floor(productId / 10);
const origin: fc.Arbitrary<Origin> = fc.oneof(
  { weight: 4, arbitrary: product.map((productId) => originOf(teamOf(productId), productId)) },
  { weight: 1, arbitrary: product.map((productId) => ({ teamId: teamOf(productId), productId: null })) },
  { weight: 1, arbitrary: fc.constant(ALL_TEAMS) },
);
const touch: fc.Arbitrary<Touch> = fc
  .oneof(
    { weight: 4, arbitrary: product.map((productId) => productTouch(teamOf(productId), productId)) },
    { weight: 4, arbitrary: product.map((productId) => teamTouch(teamOf(productId))) },
    { weight: 1, arbitrary: product.map((productId) => keysTouch(teamOf(productId))) },
    { weight: 1, arbitrary: fc.constant(EVERYTHING) },
  )
  .chain((found) => fc.boolean().map((isHidden) => ({ ...found, isHidden })));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.constantFrom(...KEYS), origin, length: fc.nat(1_500) }) },
  { weight: 4, arbitrary: fc.record({ find: fc.constantFrom(...KEYS) }) },
  { weight: 1, arbitrary: fc.record({ invalidate: fc.array(touch, { maxLength: 3 }) }) },
);

describe('any sequence of operations', () => {
  it('the cache behaves exactly like a plain list in order of use', () => {
    fc.assert(
      fc.property(fc.nat(6_000), fc.array(step, { maxLength: 60 }), (bytesMax, steps) => {
        const cache = bySurface(createWhole(bytesMax));
        const oracle = new Oracle(bytesMax);
        for (const action of steps) {
          if ('put' in action) {
            const { put: key, origin: madeFrom, length } = action;
            cache.put(key, responseOf(length), madeFrom);
            oracle.put({ key, origin: madeFrom, length });
          } else if ('find' in action) {
            assert.equal(cache.find(action.find)?.bytes, oracle.find(action.find)?.length);
          } else {
            cache.invalidate(action.invalidate);
            oracle.invalidate(action.invalidate);
          }
          assert.deepEqual(cache.size(), { responses: oracle.entries.length, bytes: oracle.bytes() });
          assert.ok(cache.size().bytes <= bytesMax);
        }
        for (const key of KEYS) assert.equal(cache.find(key)?.bytes, oracle.find(key)?.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('responses to requests with parameters', () => {
  it('they evict each other, but never a whole changelog or a version', () => {
    const cache = bySurface(createResponseCache(8 * costOf('/plain-1?q=99', 100)));
    for (const key of ['/plain-1', '/plain-2', '/plain-3']) cache.put(key, responseOf(100), originOf(1, 1));
    for (let n = 0; n < 100; n++) cache.put(`/plain-1?q=${n}`, responseOf(100), originOf(1, 1));
    for (const key of ['/plain-1', '/plain-2', '/plain-3', '/plain-1?q=99']) assert.ok(cache.find(key), key);
    assert.equal(cache.find('/plain-1?q=0'), undefined);
    assert.ok(cache.size().bytes <= 8 * costOf('/plain-1?q=99', 100));
    cache.invalidate([EVERYTHING]);
    assert.deepEqual(cache.size(), { responses: 0, bytes: 0 });
  });
});
