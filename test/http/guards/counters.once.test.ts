import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectLines } from '../../../cluster/lines.ts';
import type { Allowance, Counters, MaybePromise } from '../../../src/http/guards/counters/counters.ts';
import { processCounters } from '../../../src/http/guards/counters/process.ts';
import { inTime, type RemoteCounters, withFallback } from '../../../src/http/guards/counters/shared.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';

const never = new Promise<never>(() => {});
const NONE = { count: 0, msBeforeNext: 0 };
const KIND: Allowance = { kind: 'kind', max: 60, windowSeconds: 60 };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A place to count in that answers, or not, as the test says. */
function fakePlace() {
  const lines = collectLines();
  const place = {
    answers: true,
    asked: 0,
    connections: 0,
    closed: 0,
    connect: async (): Promise<RemoteCounters> => {
      place.connections++;
      if (!place.answers) throw new Error('not there');
      const kept = processCounters();
      const ask = <T>(question: () => MaybePromise<T>): MaybePromise<T> => {
        place.asked++;
        return place.answers ? question() : never;
      };
      return {
        add: (...args) => ask(() => kept.add(...args)),
        close: () => void place.closed++,
      };
    },
  };
  const open = (otherwise: Counters = processCounters()) =>
    withFallback({
      where: 'a place',
      connect: () => place.connect(),
      otherwise,
      log: createLog('info', { write: lines.add }),
    });
  return { place, lines, open };
}

describe('counters of a process', () => {
  const atHand = (keysMax = 100) => {
    const clock = { ms: 0 };
    return { clock, counters: processCounters({ clientsMax: keysMax, now: () => clock.ms }) };
  };

  it('count by key, each in a window of its own that begins with the first that is added', () => {
    const { clock, counters } = atHand();
    assert.deepEqual(counters.add(KIND, 'a', 0), NONE);
    assert.deepEqual(counters.add(KIND, 'a', 2), { count: 2, msBeforeNext: 60_000 });
    clock.ms = 59_999;
    assert.deepEqual(counters.add(KIND, 'a', 1), { count: 3, msBeforeNext: 1 });
    assert.deepEqual(counters.add(KIND, 'a', 0), { count: 3, msBeforeNext: 1 });
    assert.deepEqual(counters.add({ ...KIND, kind: 'other', windowSeconds: 7 }, 'a', 1), {
      count: 1,
      msBeforeNext: 7_000,
    });
    clock.ms = 60_000;
    assert.deepEqual(counters.add(KIND, 'a', 0), NONE);
    assert.deepEqual(counters.add(KIND, 'a', 1), { count: 1, msBeforeNext: 60_000 });
  });

  it('begin a window of just its length, at whatever fraction of a millisecond', () => {
    const { clock, counters } = atHand(10_000);
    for (let index = 0; index < 5_000; index++) {
      clock.ms = index * 7.123_456_789;
      assert.deepEqual(counters.add(KIND, `client ${index}`, 1), { count: 1, msBeforeNext: 60_000 });
    }
  });

  it('forget windows that are over, and the oldest where there are too many', () => {
    const { clock, counters } = atHand(3);
    for (const key of ['a', 'b', 'c', 'd']) counters.add(KIND, key, 1);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => counters.add(KIND, key, 0)),
      [NONE, ...Array(3).fill({ count: 1, msBeforeNext: 60_000 })],
    );
    clock.ms = 60_000;
    counters.add(KIND, 'e', 1);
    clock.ms = 0;
    assert.deepEqual(
      ['b', 'c', 'd'].map((key) => counters.add(KIND, key, 0)),
      [NONE, NONE, NONE],
      'also by the clock of before',
    );
  });

  it('forget a kind that nobody counts any more', () => {
    const { clock, counters } = atHand();
    counters.add({ ...KIND, kind: 'old' }, 'a', 1);
    clock.ms = 60_000;
    counters.add({ ...KIND, kind: 'new' }, 'a', 1);
    clock.ms = 0;
    assert.deepEqual(counters.add({ ...KIND, kind: 'old' }, 'a', 0), NONE, 'also by the clock of before');
  });

  it('do not forget a client that has nothing left before those that have, however many come by', () => {
    const { clock, counters } = atHand(1_000);
    counters.add(KIND, 'open', 59);
    counters.add(KIND, 'full', 60);
    counters.add(KIND, 'over', 61);
    for (let index = 0; index < 1_000_000; index++) counters.add(KIND, `client ${index}`, 1);
    assert.equal(counters.add(KIND, 'open', 0).count, 0);
    assert.equal(counters.add(KIND, 'full', 0).count, 60);
    assert.equal(counters.add(KIND, 'over', 0).count, 61);
    assert.equal(counters.add(KIND, 'client 999999', 0).count, 1);
    clock.ms = 60_000;
    for (const client of ['full', 'over']) assert.deepEqual(counters.add(KIND, client, 0), NONE);
  });

  it('forget the one that came first where none has anything left', () => {
    const { counters } = atHand(3);
    for (const client of ['a', 'b', 'c', 'd']) counters.add(KIND, client, 60);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((client) => counters.add(KIND, client, 0).count),
      [0, 60, 60, 60],
    );
    assert.equal(counters.add(KIND, 'e', 1).count, 1, 'there is always room for the next');
  });

  it('take as long at their bound as below it, and no more memory, for a million networks', () => {
    const clientsMax = 100_000;
    const counters = processCounters({ clientsMax });
    const network = (index: number) =>
      `2001:db8:${(index >> 16).toString(16)}:${(index & 65_535).toString(16)}::/64`;
    const bytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    let clients = 0;
    const addMany = () => {
      const startedAt = performance.now();
      for (let index = 0; index < clientsMax; index++) counters.add(KIND, network(clients++), 1);
      return performance.now() - startedAt;
    };
    const before = bytes();
    const belowMs = addMany();
    const atBoundMs = Array.from({ length: 9 }, addMany);
    const fastest = Math.min(...atBoundMs);
    assert.ok(fastest < 5 * belowMs, `${fastest} ms at the bound, and ${belowMs} ms below it`);
    const bytesEach = (bytes() - before) / clientsMax;
    assert.ok(bytesEach < 400, `${bytesEach} bytes a client`);
    assert.equal(counters.add(KIND, network(clients - clientsMax), 0).count, 1);
    assert.equal(counters.add(KIND, network(clients - clientsMax - 1), 0).count, 0);
  });
});

describe('shared counters', () => {
  it('are given up on by all who wait at the first answer that is late, and then not asked', async (t) => {
    const { place, lines, open } = fakePlace();
    const counters = await open();
    t.after(counters.close);
    await counters.add(KIND, 'a', 5);
    place.answers = false;
    const startedAt = performance.now();
    const counts = await Promise.all([counters.add(KIND, 'a', 1), counters.add(KIND, 'a', 1)]);
    assert.deepEqual(counts.map(({ count }) => count).sort(), [1, 2], 'counted here, from nothing');
    assert.ok(performance.now() - startedAt < 1_000);
    const { asked } = place;
    for (let count = 0; count < 10; count++) await counters.add(KIND, 'a', 1);
    assert.equal((await counters.add(KIND, 'a', 0)).count, 12);
    assert.equal(place.asked, asked);
    assert.equal(place.closed, 1);
    assert.equal(lines.all.length, 1);
    assert.match(
      lines.all[0] ?? '',
      /"level":40.*"reason":"no answer within 75 ms","msg":"counting without a place"/,
    );
  });

  it('are come back to as soon as an attempt in the background succeeds, and both are said once', async (t) => {
    const { place, lines, open } = fakePlace();
    place.answers = false;
    const counters = await open();
    t.after(counters.close);
    assert.equal((await counters.add(KIND, 'a', 1)).count, 1);
    place.answers = true;
    await lines.until('counting in a place again');
    assert.equal((await counters.add(KIND, 'b', 4)).count, 4);
    assert.equal(place.asked, 1);
    assert.deepEqual([lines.count('counting without'), lines.all.length], [1, 2]);
  });

  it('that lose their connection are given up on without a request', async (t) => {
    const { place, lines, open } = fakePlace();
    const lost = Promise.withResolvers<Error>();
    const { connect } = place;
    place.connect = async () => ({ ...(await connect()), lost: lost.promise });
    const counters = await open();
    t.after(counters.close);
    lost.resolve(new Error('gone'));
    await lines.until('counting without a place');
    assert.equal(place.asked, 0);
  });

  it('that are closed are no longer looked for, and nothing is said of it', async () => {
    const { place, lines, open } = fakePlace();
    const counters = await open();
    counters.close();
    assert.equal(place.closed, 1);
    assert.equal((await counters.add(KIND, 'a', 1)).count, 1);
    assert.equal(place.connections, 1);
    assert.deepEqual(lines.all, []);
  });
});

describe('an answer', () => {
  it('that came while the process was busy is in time', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = inTime(promise, 20);
    // As from a socket: there, but read only after the timers that are due.
    setTimeout(() => setImmediate(() => resolve('here')), 0);
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    assert.equal(await answer, 'here');
  });
});
