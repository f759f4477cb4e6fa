import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPartitionedCache } from '../../../src/http/cache/partitions.ts';
import { CachedResponse } from '../../../src/http/cache/response.ts';
import { createResponseCache, type ResponseCache } from '../../../src/http/cache/response-cache.ts';
import { EVERYTHING, type Touch } from '../../../src/store/engine/touches.ts';
import { keysTouch, productTouch, teamTouch } from '../../support/source.ts';

/** What an answer takes besides its bytes and its key. */
const OVERHEAD_BYTES = 1_000;
const LARGE = Number.MAX_SAFE_INTEGER;

const KIND = { cacheControl: 'private', contentType: 'text/plain' };
const answerOf = (length: number) => new CachedResponse(Buffer.alloc(length), KIND);
const originOf = (teamId: number, productId: number) => ({ teamId, productId });
const costOf = (key: string, length: number) => length + key.length + OVERHEAD_BYTES;

/** Which of these are held. To look is to use: afterwards they are in this order. */
function heldAmong(held: ResponseCache, keys: readonly string[]): string[] {
  return keys.filter((key) => held.find(key) !== undefined);
}

describe('held answers', () => {
  it('are found again as they were kept, and under no other key', () => {
    const held = createResponseCache(LARGE);
    const answer = answerOf(10);
    held.keep('public /a', answer, originOf(1, 1));
    assert.equal(held.find('public /a'), answer);
    assert.equal(held.find('team /a'), undefined);
    assert.equal(held.find('public /a/'), undefined);
  });

  it('take no more than their bound, and the one that was asked for longest ago leaves first', () => {
    const held = createResponseCache(3 * costOf('a', 100));
    for (const key of ['a', 'b', 'c']) held.keep(key, answerOf(100), originOf(1, 1));
    assert.deepEqual(held.size(), { answers: 3, bytes: 3 * costOf('a', 100) });
    held.find('a');
    held.keep('d', answerOf(100), originOf(1, 1));
    assert.deepEqual(heldAmong(held, ['a', 'b', 'c', 'd']), ['a', 'c', 'd']);
    held.keep('e', answerOf(101), originOf(1, 1));
    assert.deepEqual(
      heldAmong(held, ['a', 'c', 'd', 'e']),
      ['d', 'e'],
      'two had to leave for the larger one',
    );
  });

  it('leave out one that is too large, and all the others stay', () => {
    const held = createResponseCache(costOf('a', 100) + costOf('b', 100));
    held.keep('a', answerOf(100), originOf(1, 1));
    held.keep('b', answerOf(10_000), originOf(1, 1));
    assert.deepEqual(heldAmong(held, ['a', 'b']), ['a']);
    assert.equal(held.size().bytes, costOf('a', 100));
  });

  it('leave out the one that became too large, and what it was before', () => {
    const held = createResponseCache(costOf('a', 100));
    held.keep('a', answerOf(100), originOf(1, 1));
    held.keep('a', answerOf(101), originOf(1, 1));
    assert.equal(held.find('a'), undefined);
    assert.deepEqual(held.size(), { answers: 0, bytes: 0 });
  });

  it('hold nothing where there is no room at all', () => {
    const held = createResponseCache(0);
    held.keep('a', answerOf(0), originOf(1, 1));
    assert.equal(held.find('a'), undefined);
    assert.deepEqual(held.size(), { answers: 0, bytes: 0 });
  });

  it('count a key that is kept anew once, with its new size and its new origin', () => {
    const held = createResponseCache(LARGE);
    held.keep('a', answerOf(100), originOf(1, 1));
    held.keep('a', answerOf(300), originOf(2, 2));
    assert.deepEqual(held.size(), { answers: 1, bytes: costOf('a', 300) });
    held.drop([productTouch(1, 1)]);
    assert.equal(held.find('a')?.bytes, 300, 'it is no longer made from that product');
    held.drop([productTouch(2, 2)]);
    assert.equal(held.find('a'), undefined);
  });

  const filled = () => {
    const held = createResponseCache(LARGE);
    held.keep('1/1', answerOf(1), originOf(1, 1));
    held.keep('1/1/version', answerOf(1), originOf(1, 1));
    held.keep('1/2', answerOf(1), originOf(1, 2));
    held.keep('2/3', answerOf(1), originOf(2, 3));
    return { held, left: () => heldAmong(held, ['1/1', '1/1/version', '1/2', '2/3']) };
  };

  it('are dropped by product', () => {
    const { held, left } = filled();
    held.drop([productTouch(1, 1)]);
    assert.deepEqual(left(), ['1/2', '2/3']);
  });

  it('are dropped by team', () => {
    const { held, left } = filled();
    held.drop([teamTouch(1)]);
    assert.deepEqual(left(), ['2/3']);
  });

  it('are dropped all together', () => {
    const { held, left } = filled();
    held.drop([EVERYTHING]);
    assert.deepEqual(left(), []);
    assert.deepEqual(held.size(), { answers: 0, bytes: 0 });
  });

  it('stay where nothing was touched, or something that none is made from', () => {
    const { held, left } = filled();
    held.drop([]);
    held.drop([teamTouch(3), productTouch(3, 9), keysTouch(1)]);
    assert.equal(left().length, 4);
  });
});

describe('what was written out of sight', () => {
  const [PUBLIC, TEAM] = ['/api/v1/public/teams/acme', '/api/v1/teams/acme'];
  const HIDDEN: Record<string, Touch> = {
    'in a product': { ...productTouch(1, 1), isHidden: true },
    'in a team': { ...teamTouch(1), isHidden: true },
    'in too many places to tell': { ...EVERYTHING, isHidden: true },
  };
  for (const [where, touch] of Object.entries(HIDDEN)) {
    it(`${where} leaves the public surface as it was, its misses too`, () => {
      const held = createPartitionedCache(LARGE);
      for (const key of [PUBLIC, `${PUBLIC}?q=a`, TEAM, `${TEAM}?q=a`])
        held.keep(key, answerOf(1), originOf(1, 1));
      held.keepMiss(`${PUBLIC}/none`);
      held.keepMiss(`${TEAM}/none`);
      held.drop([touch]);
      assert.deepEqual(heldAmong(held, [PUBLIC, `${PUBLIC}?q=a`, TEAM, `${TEAM}?q=a`]), [
        PUBLIC,
        `${PUBLIC}?q=a`,
      ]);
      assert.deepEqual([held.find(`${PUBLIC}/none`), held.find(`${TEAM}/none`)], [null, undefined]);
      held.drop([{ ...touch, isHidden: false }]);
      assert.deepEqual([held.find(PUBLIC), held.find(`${PUBLIC}/none`)], [undefined, undefined]);
    });
  }
});

describe('paths at which there is nothing', () => {
  it('are known until anything is written, or something is found there', () => {
    const held = createResponseCache(LARGE);
    held.keepMiss('a');
    held.keepMiss('b');
    held.drop([]);
    assert.deepEqual([held.find('a'), held.find('b'), held.find('c')], [null, null, undefined]);
    held.keep('b', answerOf(1), originOf(1, 1));
    assert.equal(held.find('b')?.bytes, 1);
    held.drop([productTouch(9, 9)]);
    assert.deepEqual([held.find('a'), held.find('b')?.bytes], [undefined, 1]);
    held.keepMiss('a');
    held.drop([EVERYTHING]);
    assert.equal(held.find('a'), undefined);
  });

  it('take no room from answers, however many are asked for, and the oldest are forgotten', () => {
    const held = createResponseCache(costOf('hot', 100), 10);
    held.keep('hot', answerOf(100), originOf(1, 1));
    for (let index = 0; index < 1_000; index++) held.keepMiss(`random-${index}`);
    assert.equal(held.find('hot')?.bytes, 100);
    assert.deepEqual(held.size(), { answers: 1, bytes: costOf('hot', 100) });
    assert.deepEqual([held.find('random-989'), held.find('random-990')], [undefined, null]);
  });

  it('are not held where nothing is', () => {
    const held = createResponseCache(0);
    held.keepMiss('a');
    assert.equal(held.find('a'), undefined);
  });
});

describe('an answer that grows by another form', () => {
  const text = Buffer.from('some words, '.repeat(200));
  const grow = async (held: ResponseCache, key: string, answer: CachedResponse) => {
    await answer.in('gzip', () => held.weigh(key, answer));
  };

  it('counts with its new size, and others leave for it', async () => {
    const held = createResponseCache(costOf('a', text.length) + costOf('b', text.length) + 10);
    const [older, newer] = [new CachedResponse(text, KIND), new CachedResponse(text, KIND)];
    held.keep('a', older, originOf(1, 1));
    held.keep('b', newer, originOf(1, 1));
    await grow(held, 'b', newer);
    assert.ok(newer.bytes > text.length);
    assert.deepEqual(heldAmong(held, ['a', 'b']), ['b']);
    assert.equal(held.size().bytes, costOf('b', newer.bytes));
  });

  it('counts for nothing once another has taken its place', async () => {
    const held = createResponseCache(LARGE);
    const [older, newer] = [new CachedResponse(text, KIND), new CachedResponse(text, KIND)];
    held.keep('a', newer, originOf(1, 1));
    await grow(held, 'a', older);
    assert.equal(held.size().bytes, costOf('a', text.length));
  });
});

type Kept = { key: string; teamId: number; productId: number; length: number };

/** The same rules, written as plainly as can be: a list in the order of use. */
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

  keep(kept: Kept): void {
    this.entries = this.entries.filter(({ key }) => key !== kept.key);
    if (costOf(kept.key, kept.length) > this.bytesMax) return;
    this.entries.push(kept);
    while (this.bytes() > this.bytesMax) this.entries.shift();
  }

  drop(touches: readonly Touch[]): void {
    const reaches = (touch: Touch, entry: Kept) => {
      if (touch.isHidden && !entry.key.startsWith('/api/v1/teams/')) return false;
      if (touch.kind === 'everything') return true;
      return touch.kind === 'product'
        ? touch.productId === entry.productId
        : touch.kind === 'team' && touch.teamId === entry.teamId;
    };
    this.entries = this.entries.filter((entry) => !touches.some((touch) => reaches(touch, entry)));
  }
}

const KEYS = ['a', 'b', 'c', 'dd', '/api/v1/teams/e', '/api/v1/teams/f'];
/** A product is of one team: 11 and 12 of team 1, 21 of team 2. */
const product = fc.constantFrom(11, 12, 21, 31);
const teamOf = (productId: number) => Math.floor(productId / 10);
const touch: fc.Arbitrary<Touch> = fc
  .oneof(
    { weight: 4, arbitrary: product.map((productId) => productTouch(teamOf(productId), productId)) },
    { weight: 4, arbitrary: product.map((productId) => teamTouch(teamOf(productId))) },
    { weight: 1, arbitrary: product.map((productId) => keysTouch(teamOf(productId))) },
    { weight: 1, arbitrary: fc.constant(EVERYTHING) },
  )
  .chain((found) => fc.boolean().map((isHidden) => ({ ...found, isHidden })));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ keep: fc.constantFrom(...KEYS), product, length: fc.nat(1_500) }) },
  { weight: 4, arbitrary: fc.record({ find: fc.constantFrom(...KEYS) }) },
  { weight: 1, arbitrary: fc.record({ drop: fc.array(touch, { maxLength: 3 }) }) },
);

describe('whatever is kept, found and dropped in whatever order', () => {
  it('is held exactly as a plain list in the order of use would hold it', () => {
    fc.assert(
      fc.property(fc.nat(6_000), fc.array(step, { maxLength: 60 }), (bytesMax, steps) => {
        const held = createResponseCache(bytesMax);
        const oracle = new Oracle(bytesMax);
        for (const action of steps) {
          if ('keep' in action) {
            const { keep: key, product: productId, length } = action;
            const teamId = teamOf(productId);
            held.keep(key, answerOf(length), originOf(teamId, productId));
            oracle.keep({ key, teamId, productId, length });
          } else if ('find' in action) {
            assert.equal(held.find(action.find)?.bytes, oracle.find(action.find)?.length);
          } else {
            held.drop(action.drop);
            oracle.drop(action.drop);
          }
          assert.deepEqual(held.size(), { answers: oracle.entries.length, bytes: oracle.bytes() });
          assert.ok(held.size().bytes <= bytesMax);
        }
        for (const key of KEYS) assert.equal(held.find(key)?.bytes, oracle.find(key)?.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('answers to questions with parameters', () => {
  it('push out one another, and never a whole changelog or a version', () => {
    const held = createPartitionedCache(8 * costOf('/plain-1?q=99', 100));
    for (const key of ['/plain-1', '/plain-2', '/plain-3']) held.keep(key, answerOf(100), originOf(1, 1));
    for (let n = 0; n < 100; n++) held.keep(`/plain-1?q=${n}`, answerOf(100), originOf(1, 1));
    for (const key of ['/plain-1', '/plain-2', '/plain-3', '/plain-1?q=99']) assert.ok(held.find(key), key);
    assert.equal(held.find('/plain-1?q=0'), undefined);
    assert.ok(held.size().bytes <= 8 * costOf('/plain-1?q=99', 100));
    held.drop([EVERYTHING]);
    assert.deepEqual(held.size(), { answers: 0, bytes: 0 });
  });
});
