// R29 and R30 as a table: every state of the cache and the database that a request can meet, and the outcome.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { MaybePromise } from '../../../src/domain/maybe-promise.ts';
import type { Surface } from '../../../src/domain/model.ts';
import { ContentChanged, type WriteBody } from '../../../src/http/cache/body.ts';
import type { Representation } from '../../../src/http/cache/make-response.ts';
import { type CacheQuery, createResponses } from '../../../src/http/cache/respond.ts';
import { createResponseCache } from '../../../src/http/cache/response-cache.ts';
import { type Counts, createCounts } from '../../../src/http/telemetry/counts.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { DatabaseUnreachable } from '../../../src/store/engine/failures.ts';
import { EVERYTHING } from '../../../src/store/engine/touches.ts';
import type { AtRevision } from '../../../src/store/read/reads.ts';
import { fakeSource, productTouch, teamTouch } from '../../support/source.ts';
import { fakeClient } from './fake-response.ts';

const queryOf = (key: string): Omit<CacheQuery, 'find'> => ({
  key,
  surface: key === KEYS.team ? 'team' : 'public',
  kind: { cacheControl: 'private', contentType: 'text/plain', cdn: null },
  isLong: false,
  encoding: null,
});
const KEYS: Record<Surface, string> = { public: '/a', team: '/api/v1/teams/a' };
const ORIGIN = { teamId: 1, productId: 1 };

type Found = AtRevision<Representation>;

const foundAs = (text: Representation['text'], revision: number): Found => ({
  revision,
  found: { text, origin: ORIGIN },
});
const NOTHING: Found = { revision: 1, found: undefined };

/** Responses over a source whose state the test sets. */
function responding() {
  const { state, source, touch } = fakeSource((query) => query({} as Reader));
  const counts = createCounts().responses;
  const cache = createResponseCache(1_000_000);
  const responses = createResponses(source, cache, counts);
  let reads = 0;
  return {
    state,
    /** How many responses came from where, since the last call. */
    counted: () => {
      const counted = Object.entries(counts).filter(([, count]) => count > 0);
      Object.assign(counts, createCounts().responses);
      return Object.fromEntries(counted);
    },
    cache,
    reads: () => reads,
    touch,
    /** The body of the response. */
    ask: async (find: () => MaybePromise<Found>, query = queryOf('/a')) => {
      const cached = responses.find(query.key, query.encoding);
      assert.ok(!(cached instanceof Promise));
      if (cached !== undefined) return cached?.body.toString();
      const counted = () => {
        reads++;
        return find();
      };
      const response = await responses.respond(fakeClient(), { ...query, find: counted });
      return response?.body.toString();
    },
  };
}

const DOWN = new DatabaseUnreachable('connection refused');
const WRONG = new Error('no such column');

type Outcome = 'found' | 'not found' | 'unavailable' | 'wrong';
type Cached = 'a response' | 'a 404' | 'nothing';
type Case = {
  cached: Cached;
  isConfirmed: boolean;
  surface: Surface;
  outcome: Outcome;
  unconfirmedMs: number;
};

const CASES: Case[] = (['a response', 'a 404', 'nothing'] as const).flatMap((cached) =>
  [true, false].flatMap((isConfirmed) =>
    (['public', 'team'] as const).flatMap((surface) =>
      (['found', 'not found', 'unavailable', 'wrong'] as const).flatMap((outcome) =>
        [0, 60_000, 60_001].map((unconfirmedMs) => ({
          cached,
          isConfirmed,
          surface,
          outcome,
          unconfirmedMs,
        })),
      ),
    ),
  ),
);

const OUTCOMES: Record<Outcome, () => Promise<Found>> = {
  found: async () => foundAs('new', 1),
  'not found': async () => NOTHING,
  unavailable: () => Promise.reject(DOWN),
  wrong: () => Promise.reject(WRONG),
};

type Expected =
  | { body: string | undefined; outcome: keyof Counts['responses']; reads: number }
  | { failure: Error; reads: number };

/** The first rule that applies. */
function expected({ cached, isConfirmed, surface, outcome, unconfirmedMs }: Case): Expected {
  if (cached === 'a response' && isConfirmed) return { body: 'old', outcome: 'cache', reads: 0 };
  if (cached === 'a 404' && isConfirmed) return { body: undefined, outcome: 'cache', reads: 0 };
  if (outcome === 'found') return { body: 'new', outcome: 'database', reads: 1 };
  if (outcome === 'not found') return { body: undefined, outcome: 'database', reads: 1 };
  if (outcome === 'wrong') return { failure: WRONG, reads: 1 };
  if (cached === 'a response' && surface === 'public' && unconfirmedMs <= 60_000)
    return { body: 'old', outcome: 'stale_cache', reads: 1 };
  return { failure: DOWN, reads: 1 };
}

describe('a request', () => {
  for (const found of CASES) {
    const { cached, isConfirmed, surface, outcome, unconfirmedMs } = found;
    const result = expected(found);
    const becomes =
      'failure' in result
        ? `fails with ${result.failure.message}`
        : `returns ${result.body ?? '404'} (${result.outcome})`;
    const state = `${cached} cached, ${isConfirmed ? '' : 'un'}confirmed for ${unconfirmedMs} ms, ${outcome} in the database`;

    it(`a ${surface} request with ${state} ${becomes}`, async () => {
      const service = responding();
      const { counted, ask, reads } = service;
      const query = queryOf(KEYS[surface]);
      if (cached !== 'nothing')
        await ask(async () => (cached === 'a 404' ? NOTHING : foundAs('old', 1)), query);
      const readsBefore = reads();
      counted();
      Object.assign(service.state, { isConfirmed, unconfirmedMs });
      const asked = ask(OUTCOMES[outcome], query);
      if ('failure' in result) {
        await assert.rejects(asked, result.failure);
        assert.deepEqual(counted(), {});
      } else {
        assert.equal(await asked, result.body);
        assert.deepEqual(counted(), { [result.outcome]: 1 });
      }
      assert.equal(reads() - readsBefore, result.reads);
    });
  }

  it('requests with different paths get different responses', async () => {
    const { ask } = responding();
    const paths = ['/api/v1/public/a', '/api/v1/a', '/api/v1/public/b'];
    for (let round = 0; round < 2; round++) {
      const asked = paths.map((path) => ask(async () => foundAs(path, 1), queryOf(path)));
      assert.deepEqual(await Promise.all(asked), paths);
    }
  });
});

describe('a response', () => {
  it('a 404 is read once, until anything is written', async () => {
    const { ask, reads, cache, touch } = responding();
    for (let round = 0; round < 3; round++) assert.equal(await ask(OUTCOMES['not found']), undefined);
    assert.equal(reads(), 1);
    assert.equal(cache.size().responses, 0);
    touch([productTouch(2, 2)]);
    assert.equal(await ask(OUTCOMES.found), 'new');
    assert.equal(reads(), 2);
  });

  it('a 404 from an older revision than the known one is reread', async () => {
    const { ask, reads, state } = responding();
    state.revision = 2;
    for (let round = 0; round < 3; round++) assert.equal(await ask(OUTCOMES['not found']), undefined);
    assert.equal(reads(), 3);
  });

  it('a response that is gone when reread is not served while the database is down', async () => {
    const { ask, state, cache } = responding();
    await ask(OUTCOMES.found);
    state.isConfirmed = false;
    assert.equal(await ask(OUTCOMES['not found']), undefined);
    assert.equal(cache.size().responses, 0);
    await assert.rejects(ask(OUTCOMES.unavailable), DOWN);
  });

  it('a reread response replaces the cached one', async () => {
    const { ask, state } = responding();
    await ask(async () => foundAs('old', 1));
    state.isConfirmed = false;
    await ask(async () => foundAs('new', 1));
    assert.equal(await ask(OUTCOMES.unavailable), 'new');
    state.isConfirmed = true;
    assert.equal(await ask(OUTCOMES.wrong), 'new');
  });

  it('a response from an older revision than the known one is not cached', async () => {
    const { ask, state, cache, reads } = responding();
    state.revision = 5;
    assert.equal(await ask(async () => foundAs('before', 4)), 'before');
    assert.equal(cache.size().responses, 0);
    assert.equal(await ask(async () => foundAs('as known', 5)), 'as known');
    assert.equal(await ask(OUTCOMES.wrong), 'as known');
    assert.equal(reads(), 2);
  });

  it('a response from a newer revision than the known one is cached', async () => {
    const { ask, state } = responding();
    state.revision = 5;
    await ask(async () => foundAs('after', 6));
    assert.equal(await ask(OUTCOMES.wrong), 'after');
  });

  it('a response whose content changed while it was read is not cached', async () => {
    const { ask, state, touch, cache } = responding();
    const { promise, resolve } = Promise.withResolvers<Found>();
    const asked = ask(() => promise);
    await Promise.resolve();
    state.revision = 2;
    touch([productTouch(1, 1)]);
    resolve(foundAs('before', 1));
    assert.equal(await asked, 'before');
    assert.equal(cache.size().responses, 0);
  });

  it('a response is reread after a write to its product, and only then', async () => {
    const { ask, touch, reads } = responding();
    await ask(async () => foundAs('old', 1));
    touch([productTouch(1, 2)]);
    assert.equal(await ask(async () => foundAs('new', 2)), 'old');
    touch([productTouch(1, 1)]);
    assert.equal(await ask(async () => foundAs('new', 2)), 'new');
    touch([EVERYTHING]);
    assert.equal(await ask(async () => foundAs('newer', 3)), 'newer');
    assert.equal(reads(), 3);
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that the test advances. */
function clockOf(t: TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  return (ms: number) => () => {
    now += ms;
  };
}

describe('synchronous reads', () => {
  it('other requests wait at most 10 ms per turn of the event loop, however many reads arrived together', async (t) => {
    const read = clockOf(t)(3);
    await turn();
    const { ask, reads } = responding();
    const find = () => {
      read();
      return foundAs('text', 1);
    };
    const asked = Promise.all(Array.from({ length: 20 }, (_, index) => ask(find, queryOf(`/${index}`))));
    const byTurn = [reads()];
    for (let before = reads(); before < 20; before = reads()) {
      await turn();
      byTurn.push(reads() - before);
    }
    assert.ok(Math.max(...byTurn) <= 5, String(byTurn));
    assert.equal((await asked).length, 20);
  });
});

describe('a long response', () => {
  /** A response written when the test allows it. */
  function longOf(text: string, revision: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const write: WriteBody = async (out) => {
      start();
      await promise;
      await out.add(text);
    };
    return { find: async () => foundAs(write, revision), started, finish: resolve };
  }

  it('a long response is written once for all requests that arrive meanwhile, and then cached', async () => {
    const { ask, reads } = responding();
    const { find, started, finish } = longOf('long', 1);
    const asked = [ask(find), ask(find)];
    await started;
    asked.push(ask(find));
    finish();
    assert.deepEqual(await Promise.all(asked), ['long', 'long', 'long']);
    assert.equal(await ask(OUTCOMES.wrong), 'long');
    assert.equal(reads(), 1);
  });

  for (const [what, touches] of [
    ['the product', [productTouch(1, 1)]],
    ['its team', [teamTouch(1)]],
    ['anything', [EVERYTHING]],
  ] as const) {
    it(`a long response is neither cached nor sent to later requests after a write to ${what}`, async () => {
      const { ask, state, touch, cache } = responding();
      const { find, started, finish } = longOf('old', 1);
      const before = ask(find);
      await started;
      state.revision = 2;
      touch(touches);
      assert.equal(await ask(async () => foundAs('new', 2)), 'new');
      finish();
      assert.equal(await before, 'old');
      assert.equal(cache.size().responses, 1);
      assert.equal(await ask(OUTCOMES.wrong), 'new');
    });
  }

  /** Its product is written to this many times while it is written, each time followed by a wait. */
  function disturbed(
    { state, touch }: ReturnType<typeof responding>,
    { times, wait }: { times: number; wait: () => void },
  ) {
    let written = 0;
    return async () => {
      const { revision } = state;
      const write: WriteBody = async (out) => {
        if (written++ < times) {
          state.revision++;
          touch([productTouch(1, 1)]);
          wait();
        }
        await out.add(`as of ${revision}`);
      };
      return foundAs(write, revision);
    };
  }

  it('a long response is made again once it has been outdated for more than half a second (R29)', async (t) => {
    const forward = clockOf(t);
    const service = responding();
    const { revision } = service.state;
    const responses = service.ask(disturbed(service, { times: 2, wait: forward(501) }));
    assert.equal(await responses, `as of ${revision + 2}`);
    assert.equal(service.reads(), 3);
  });

  it('a long response outdated for less than that is sent, but not cached', async (t) => {
    const forward = clockOf(t);
    const service = responding();
    const { revision } = service.state;
    assert.equal(
      await service.ask(disturbed(service, { times: 1, wait: forward(500) })),
      `as of ${revision}`,
    );
    assert.equal(service.reads(), 1);
    assert.equal(service.cache.size().responses, 0);
  });

  it('a long response whose content keeps changing is 503', async (t) => {
    const forward = clockOf(t);
    const service = responding();
    await assert.rejects(service.ask(disturbed(service, { times: 3, wait: forward(501) })), {
      code: 'unavailable',
    });
    assert.equal(service.cache.size().responses, 0);
  });

  it('a long response starts over at once if its content changed between two of its reads', async () => {
    const { ask, reads, counted } = responding();
    const write: WriteBody = async (out) => {
      if (reads() < 3) throw new ContentChanged();
      await out.add('whole');
    };
    assert.equal(await ask(async () => foundAs(write, 1)), 'whole');
    assert.equal(reads(), 3);
    assert.deepEqual(counted(), { database: 1 });
  });

  it('a long response is cached even if another product was written to meanwhile', async () => {
    const { ask, state, touch, reads } = responding();
    const { find, started, finish } = longOf('long', 1);
    const asked = ask(find);
    await started;
    state.revision = 2;
    touch([productTouch(1, 2)]);
    finish();
    assert.equal(await asked, 'long');
    assert.equal(await ask(OUTCOMES.wrong), 'long');
    assert.equal(reads(), 1);
  });
});

describe('many requests for the same path at once', () => {
  const together = <T>(ask: () => Promise<T>) => Promise.allSettled(Array.from({ length: 100 }, ask));

  it('many requests at once cause one read, and all get its response', async () => {
    const { ask, reads, counted } = responding();
    const responses = await together(() => ask(OUTCOMES.found));
    assert.ok(responses.every((result) => result.status === 'fulfilled' && result.value === 'new'));
    assert.equal(reads(), 1);
    assert.deepEqual(counted(), { database: 100 });
  });

  it('many requests at once for a missing path cause one read', async () => {
    const { ask, reads } = responding();
    for (let round = 0; round < 2; round++) {
      const responses = await together(() => ask(OUTCOMES['not found']));
      assert.ok(responses.every((result) => result.status === 'fulfilled' && result.value === undefined));
      assert.equal(reads(), 1);
    }
  });

  it('many requests at once all fail after one failed read, and the next one reads again', async () => {
    const { ask, reads, cache } = responding();
    for (const [round, outcome] of (['unavailable', 'wrong', 'unavailable'] as const).entries()) {
      const responses = await together(() => ask(OUTCOMES[outcome]));
      assert.ok(responses.every(({ status }) => status === 'rejected'));
      assert.equal(reads(), round + 1);
    }
    assert.equal(cache.size().responses, 0);
    assert.equal(await ask(OUTCOMES.found), 'new', 'the next request reads again');
  });
});
