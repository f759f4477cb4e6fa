// R29 and R30 as a table: every state in which a question can find an answer, and what becomes of it.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  type CacheOutcome,
  type CacheQuery,
  ContentChanged,
  createResponses,
  type Prepared,
} from '../../../src/http/cache/respond.ts';
import { CachedResponse } from '../../../src/http/cache/response.ts';
import { createResponseCache } from '../../../src/http/cache/response-cache.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { DatabaseUnreachable } from '../../../src/store/engine/failures.ts';
import type { AtRevision } from '../../../src/store/read/reads.ts';
import { fakeSource } from '../../support/source.ts';

const questionOf = (path: string, surface: CacheQuery['surface'] = 'public'): CacheQuery => ({
  surface,
  key: path,
  longFor: null,
  encoding: null,
  startedAt: performance.now(),
});
const QUESTION = questionOf('/a');

function madeOf(text: string, revision: number): AtRevision<Prepared> {
  const answer = new CachedResponse(Buffer.from(text), {
    cacheControl: 'private',
    contentType: 'text/plain',
  });
  return { revision, found: { answer, origin: { teamId: 1, productId: 1 } } };
}

const NOTHING: AtRevision<Prepared> = { revision: 1, found: undefined };

/** Answers over a source whose state the test sets. */
function answering() {
  const { state, source, touch } = fakeSource((query) => query({} as Reader));
  const ways: CacheOutcome[] = [];
  const held = createResponseCache(1_000_000);
  const answers = createResponses(source, held, (way) => ways.push(way));
  let reads = 0;
  return {
    state,
    ways,
    held,
    reads: () => reads,
    touch,
    /** What is answered, as a text. */
    ask: async (make: () => Promise<AtRevision<Prepared>>, question = QUESTION) => {
      const answer = await answers(question, () => {
        reads++;
        return make();
      });
      return answer?.body.toString();
    },
  };
}

const AWAY = new DatabaseUnreachable('connection refused');
const WRONG = new Error('no such column');

type Outcome = 'found' | 'not found' | 'unavailable' | 'wrong';
type Held = 'an answer' | 'a miss' | 'nothing';
type Case = {
  held: Held;
  isConfirmed: boolean;
  surface: CacheQuery['surface'];
  outcome: Outcome;
  unconfirmedMs: number;
};

const CASES: Case[] = (['an answer', 'a miss', 'nothing'] as const).flatMap((held) =>
  [true, false].flatMap((isConfirmed) =>
    (['public', 'team'] as const).flatMap((surface) =>
      (['found', 'not found', 'unavailable', 'wrong'] as const).flatMap((outcome) =>
        [0, 60_000, 60_001].map((unconfirmedMs) => ({
          held,
          isConfirmed,
          surface,
          outcome,
          unconfirmedMs,
        })),
      ),
    ),
  ),
);

const OUTCOMES: Record<Outcome, () => Promise<AtRevision<Prepared>>> = {
  found: async () => madeOf('new', 1),
  'not found': async () => NOTHING,
  unavailable: () => Promise.reject(AWAY),
  wrong: () => Promise.reject(WRONG),
};

type Expected =
  | { answer: string | undefined; way: CacheOutcome; reads: number }
  | { failure: Error; reads: number };

/** The rules, the first that applies. */
function expected({ held, isConfirmed, surface, outcome, unconfirmedMs }: Case): Expected {
  if (held === 'an answer' && isConfirmed) return { answer: 'old', way: 'held', reads: 0 };
  if (held === 'a miss' && isConfirmed) return { answer: undefined, way: 'held', reads: 0 };
  if (outcome === 'found') return { answer: 'new', way: 'read', reads: 1 };
  if (outcome === 'not found') return { answer: undefined, way: 'read', reads: 1 };
  if (outcome === 'wrong') return { failure: WRONG, reads: 1 };
  if (held === 'an answer' && surface === 'public' && unconfirmedMs <= 60_000)
    return { answer: 'old', way: 'held_away', reads: 1 };
  return { failure: AWAY, reads: 1 };
}

describe('a question', () => {
  for (const found of CASES) {
    const { held, isConfirmed, surface, outcome, unconfirmedMs } = found;
    const result = expected(found);
    const becomes = 'failure' in result ? result.failure.message : `${result.answer} (${result.way})`;
    const name = `${surface}, ${held} held, ${isConfirmed ? '' : 'un'}confirmed for ${unconfirmedMs} ms, ${outcome} in the database`;

    it(`${name}: ${becomes}`, async () => {
      const { state, ways, ask, reads } = answering();
      const question = questionOf('/a', surface);
      if (held !== 'nothing')
        await ask(async () => (held === 'a miss' ? NOTHING : madeOf('old', 1)), question);
      const readsBefore = reads();
      ways.length = 0;
      Object.assign(state, { isConfirmed, unconfirmedMs });
      const asked = ask(OUTCOMES[outcome], question);
      if ('failure' in result) {
        await assert.rejects(asked, result.failure);
        assert.deepEqual(ways, []);
      } else {
        assert.equal(await asked, result.answer);
        assert.deepEqual(ways, [result.way]);
      }
      assert.equal(reads() - readsBefore, result.reads);
    });
  }

  it('is told apart by its path', async () => {
    const { ask } = answering();
    const paths = ['/api/v1/public/a', '/api/v1/a', '/api/v1/public/b'];
    for (let round = 0; round < 2; round++) {
      const asked = paths.map((path) => ask(async () => madeOf(path, 1), questionOf(path)));
      assert.deepEqual(await Promise.all(asked), paths);
    }
  });
});

describe('an answer', () => {
  it('that was not found is asked for once, until anything is written', async () => {
    const { ask, reads, held, touch } = answering();
    for (let round = 0; round < 3; round++) assert.equal(await ask(OUTCOMES['not found']), undefined);
    assert.equal(reads(), 1);
    assert.equal(held.size().answers, 0);
    touch([{ teamId: 2, productId: 2 }]);
    assert.equal(await ask(OUTCOMES.found), 'new');
    assert.equal(reads(), 2);
  });

  it('that was not found as of an earlier revision than the source knows is asked for again', async () => {
    const { ask, reads, state } = answering();
    state.revision = 2;
    for (let round = 0; round < 3; round++) assert.equal(await ask(OUTCOMES['not found']), undefined);
    assert.equal(reads(), 3);
  });

  it('that is gone when it is read anew is not held any more for when the database is away', async () => {
    const { ask, state, held } = answering();
    await ask(OUTCOMES.found);
    state.isConfirmed = false;
    assert.equal(await ask(OUTCOMES['not found']), undefined);
    assert.equal(held.size().answers, 0);
    await assert.rejects(ask(OUTCOMES.unavailable), AWAY);
  });

  it('that was read anew takes the place of what was held', async () => {
    const { ask, state } = answering();
    await ask(async () => madeOf('old', 1));
    state.isConfirmed = false;
    await ask(async () => madeOf('new', 1));
    assert.equal(await ask(OUTCOMES.unavailable), 'new');
    state.isConfirmed = true;
    assert.equal(await ask(OUTCOMES.wrong), 'new');
  });

  it('is not held if it is older than what the source knows', async () => {
    const { ask, state, held, reads } = answering();
    state.revision = 5;
    assert.equal(await ask(async () => madeOf('before', 4)), 'before');
    assert.equal(held.size().answers, 0);
    assert.equal(await ask(async () => madeOf('as known', 5)), 'as known');
    assert.equal(await ask(OUTCOMES.wrong), 'as known');
    assert.equal(reads(), 2);
  });

  it('is held if it is newer than what the source knows yet', async () => {
    const { ask, state } = answering();
    state.revision = 5;
    await ask(async () => madeOf('after', 6));
    assert.equal(await ask(OUTCOMES.wrong), 'after');
  });

  it('is not held if something was written while it was read', async () => {
    const { ask, state, touch, held } = answering();
    const { promise, resolve } = Promise.withResolvers<AtRevision<Prepared>>();
    const asked = ask(() => promise);
    await Promise.resolve();
    state.revision = 2;
    touch([{ teamId: 1, productId: 1 }]);
    resolve(madeOf('before', 1));
    assert.equal(await asked, 'before');
    assert.equal(held.size().answers, 0);
  });

  it('is read again after a write to what it was made from, and only then', async () => {
    const { ask, touch, reads } = answering();
    await ask(async () => madeOf('old', 1));
    touch([{ teamId: 1, productId: 2 }]);
    assert.equal(await ask(async () => madeOf('new', 2)), 'old');
    touch([{ teamId: 1, productId: 1 }]);
    assert.equal(await ask(async () => madeOf('new', 2)), 'new');
    touch(null);
    assert.equal(await ask(async () => madeOf('newer', 3)), 'newer');
    assert.equal(reads(), 3);
  });
});

describe('an answer that takes long to write', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** What was read, and what says that it is written. */
  function writingOf(text: string, revision: number) {
    const { found } = madeOf(text, revision);
    const { promise, resolve } = Promise.withResolvers<void>();
    const answer = () => promise.then(() => found?.answer as CachedResponse);
    const made = { revision, found: { answer, origin: { teamId: 1, productId: 1 } } } as AtRevision<Prepared>;
    return { make: async () => made, finish: resolve };
  }

  it('is written once for all who ask meanwhile, and then held', async () => {
    const { ask, reads } = answering();
    const { make, finish } = writingOf('long', 1);
    const asked = [ask(make), ask(make)];
    await turn();
    asked.push(ask(make));
    finish();
    assert.deepEqual(await Promise.all(asked), ['long', 'long', 'long']);
    assert.equal(await ask(OUTCOMES.wrong), 'long');
    assert.equal(reads(), 1);
  });

  for (const [what, touches] of [
    ['the product', [{ teamId: 1, productId: 1 }]],
    ['its team', [{ teamId: 1, productId: 0 }]],
    ['anything', null],
  ] as const) {
    it(`is neither held nor given to whoever asks later, once ${what} was written to`, async () => {
      const { ask, state, touch, held } = answering();
      const { make, finish } = writingOf('old', 1);
      const before = ask(make);
      await turn();
      state.revision = 2;
      touch(touches);
      assert.equal(await ask(async () => madeOf('new', 2)), 'new');
      finish();
      assert.equal(await before, 'old');
      assert.equal(held.size().answers, 1);
      assert.equal(await ask(OUTCOMES.wrong), 'new');
    });
  }

  /** Each time it is written, what it tells of is written to, so many times, and then it takes a while. */
  function disturbed(
    { state, touch }: ReturnType<typeof answering>,
    { times, wait }: { times: number; wait: () => void },
  ) {
    let written = 0;
    return async () => {
      const { revision } = state;
      const { found } = madeOf(`as of ${revision}`, revision);
      const answer = async () => {
        if (written++ < times) {
          state.revision++;
          touch([{ teamId: 1, productId: 1 }]);
          wait();
        }
        return found?.answer as CachedResponse;
      };
      return { revision, found: { answer, origin: { teamId: 1, productId: 1 } } } as AtRevision<Prepared>;
    };
  }

  /** A clock that is set forward by hand. */
  function clockOf(t: TestContext) {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    return (ms: number) => () => {
      now += ms;
    };
  }

  it('is begun anew once it has been out of date for more than half a second (R29)', async (t) => {
    const forward = clockOf(t);
    const service = answering();
    const { revision } = service.state;
    const answered = service.ask(disturbed(service, { times: 2, wait: forward(501) }));
    assert.equal(await answered, `as of ${revision + 2}`);
    assert.equal(service.reads(), 3);
  });

  it('is given as it is to whoever waits for it within that time, and not held', async (t) => {
    const forward = clockOf(t);
    const service = answering();
    const { revision } = service.state;
    assert.equal(
      await service.ask(disturbed(service, { times: 1, wait: forward(500) })),
      `as of ${revision}`,
    );
    assert.equal(service.reads(), 1);
    assert.equal(service.held.size().answers, 0);
  });

  it('is refused for the time being where it never comes to an end', async (t) => {
    const forward = clockOf(t);
    const service = answering();
    await assert.rejects(service.ask(disturbed(service, { times: 3, wait: forward(501) })), {
      code: 'unavailable',
      headers: { 'retry-after': 1 },
    });
    assert.equal(service.held.size().answers, 0);
  });

  it('is begun anew at once if what it reads in several steps was written to between two of them', async () => {
    const { ask, reads, ways } = answering();
    const make = async (): Promise<AtRevision<Prepared>> => {
      const { found } = madeOf('whole', 1);
      const answer = async () => {
        if (reads() < 3) throw new ContentChanged();
        return found?.answer as CachedResponse;
      };
      return { revision: 1, found: { answer, origin: { teamId: 1, productId: 1 } } };
    };
    assert.equal(await ask(make), 'whole');
    assert.equal(reads(), 3);
    assert.deepEqual(ways, ['read']);
  });

  it('takes its turn before anything is read: two at a time for a client (R52)', async () => {
    const { ask, reads } = answering();
    const sent = Promise.resolve();
    const longFor = (client: string, path: string) => ({
      ...questionOf(path),
      longFor: { client, sent },
    });
    const long = Array.from({ length: 5 }, (_, number) => writingOf(`${number}`, 1));
    const asked = long.map(({ make }, number) => ask(make, longFor('one', `/${number}`)));
    for (let round = 0; round < 10; round++) await turn();
    assert.equal(reads(), 2);
    const other = ask(async () => madeOf('other', 1), longFor('another', '/other'));
    assert.equal(await other, 'other');
    assert.equal(await ask(async () => madeOf('short', 1), questionOf('/short')), 'short');
    for (const { finish } of long) finish();
    assert.deepEqual(await Promise.all(asked), ['0', '1', '2', '3', '4']);
  });

  it('is held although something else was written meanwhile', async () => {
    const { ask, state, touch, reads } = answering();
    const { make, finish } = writingOf('long', 1);
    const asked = ask(make);
    await turn();
    state.revision = 2;
    touch([{ teamId: 1, productId: 2 }]);
    finish();
    assert.equal(await asked, 'long');
    assert.equal(await ask(OUTCOMES.wrong), 'long');
    assert.equal(reads(), 1);
  });
});

describe('the same question from many at once', () => {
  const together = <T>(ask: () => Promise<T>) => Promise.allSettled(Array.from({ length: 100 }, ask));

  it('is read once, and answered to each', async () => {
    const { ask, reads, ways } = answering();
    const answered = await together(() => ask(OUTCOMES.found));
    assert.ok(answered.every((result) => result.status === 'fulfilled' && result.value === 'new'));
    assert.equal(reads(), 1);
    assert.equal(ways.length, 100);
  });

  it('is read once where there is nothing', async () => {
    const { ask, reads } = answering();
    for (let round = 0; round < 2; round++) {
      const answered = await together(() => ask(OUTCOMES['not found']));
      assert.ok(answered.every((result) => result.status === 'fulfilled' && result.value === undefined));
      assert.equal(reads(), 1);
    }
  });

  it('fails for each after one read, and leaves nothing behind', async () => {
    const { ask, reads, held } = answering();
    for (const [round, outcome] of (['unavailable', 'wrong', 'unavailable'] as const).entries()) {
      const answered = await together(() => ask(OUTCOMES[outcome]));
      assert.ok(answered.every(({ status }) => status === 'rejected'));
      assert.equal(reads(), round + 1);
    }
    assert.equal(held.size().answers, 0);
    assert.equal(await ask(OUTCOMES.found), 'new', 'the next question is asked again');
  });
});
