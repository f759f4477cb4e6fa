import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectLines } from '../../../cluster/lines.ts';
import {
  type Allowance,
  type Count,
  type Decide,
  type Message,
  Tally,
} from '../../../src/http/guards/counters/counters.ts';
import { shareCounts } from '../../../src/http/guards/counters/exchange.ts';
import { Summary } from '../../../src/http/guards/counters/workers.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';
import { deadline } from '../../../support/processes/busy.ts';

const never = new Promise<never>(() => {});
/** Reading begins no window: all of it is left. */
const NONE = { count: 0, msBeforeNext: 60_000 };
const KIND: Allowance = { kind: 'kind', max: 60, windowSeconds: 60 };

describe('counters in a process', () => {
  const opened = (allowance: Allowance = KIND) => {
    const clock = { ms: 0 };
    const tally = new Tally(allowance);
    return { clock, add: (client: string, points: 0 | 1) => tally.add(client, points, clock.ms) };
  };

  it('each client has a window that starts with the first addition', () => {
    const { clock, add } = opened();
    assert.deepEqual(add('a', 0), NONE);
    assert.deepEqual(add('a', 1), { count: 1, msBeforeNext: 60_000 });
    clock.ms = 59_999;
    assert.deepEqual(add('a', 1), { count: 2, msBeforeNext: 1 });
    assert.deepEqual(add('a', 0), { count: 2, msBeforeNext: 1 });
    assert.deepEqual(add('b', 0), NONE);
    clock.ms = 60_000;
    assert.deepEqual(add('a', 0), NONE);
    assert.deepEqual(add('a', 1), { count: 1, msBeforeNext: 60_000 });
  });

  it('what is refused does not count, and has a count above the maximum', () => {
    const { clock, add } = opened({ ...KIND, max: 2 });
    const counts = [1, 1, 1, 0, 1].map((points) => (add('a', points as 0 | 1) as Count).count);
    assert.deepEqual(counts, [1, 2, 3, 2, 3]);
    clock.ms = 60_000;
    assert.deepEqual(add('a', 1), { count: 1, msBeforeNext: 60_000 });
  });

  it('of very many clients, the latest 100,000 at least are counted', () => {
    const { add } = opened();
    for (let index = 0; index < 1_000_000; index++) add(`client ${index}`, 1);
    const counted = (index: number) => (add(`client ${index}`, 0) as Count).count;
    assert.deepEqual([999_999, 900_000].map(counted), [1, 1]);
    assert.deepEqual([0, 799_999].map(counted), [0, 0]);
  });
});

describe('a process that counts with others', () => {
  const shared = (allowance: Allowance = KIND, isShared = () => true) => new Tally(allowance, isShared);
  const collected = (tally: Tally, time: number) => tally.collect(time) ?? assert.fail('nothing is new');
  const decided = (decision: Count | Decide) => typeof decision !== 'function' && decision.count;
  const after = (decision: Count | Decide, time: number) =>
    typeof decision === 'function' ? decided(decision(time)) : assert.fail('it did not wait');

  it('a quarter of what is left passes at once, and then a request waits', () => {
    const tally = shared();
    for (let count = 1; count <= 15; count++)
      assert.deepEqual(tally.add('a', 1, 0), { count, msBeforeNext: 60_000 });
    const waiting = tally.add('a', 1, 0);
    const sent = collected(tally, 10);
    assert.deepEqual(sent.message, { ...KIND, clients: ['a'], passed: [15], waiting: [1], ages: [10] });
    tally.settle(sent, [40, 30_000], 20);
    assert.equal(after(waiting, 20), 41);
    const counts = [1, 2, 3, 4, 5].map(() => decided(tally.add('a', 1, 20)));
    assert.deepEqual(counts, [42, 43, 44, 45, false], 'a quarter of 19');
  });

  it('a client that has used up its limit elsewhere is refused without waiting', () => {
    const tally = shared();
    tally.add('a', 1, 0);
    tally.settle(collected(tally, 0), [75, 30_000], 0);
    assert.deepEqual(tally.add('a', 1, 0), { count: 76, msBeforeNext: 30_000 });
    assert.equal(tally.collect(80), null);
  });

  it('later requests wait behind one that waits, in order', () => {
    const tally = shared();
    for (let count = 1; count <= 15; count++) tally.add('a', 1, 0);
    const first = collected(tally, 0);
    const waiting = Array.from({ length: 50 }, () => tally.add('a', 1, 0));
    const second = collected(tally, 0);
    tally.settle(first, [15, 60_000], 1);
    const last = tally.add('a', 1, 1);
    tally.settle(second, [15, 59_999], 2);
    const counts = [...waiting, last].map((decision) => after(decision, 2));
    assert.deepEqual(counts, [...Array.from({ length: 45 }, (_, index) => 16 + index), ...Array(6).fill(61)]);
  });

  it('without a reply, it decides by what it knows, and sends nothing twice', () => {
    let isShared = true;
    const tally = shared({ ...KIND, max: 2 }, () => isShared);
    const waiting = [1, 2, 3].map(() => tally.add('a', 1, 0));
    const sent = collected(tally, 0);
    isShared = false;
    tally.settle(sent, null, 75);
    assert.deepEqual(
      waiting.map((decision) => after(decision, 75)),
      [1, 2, 3],
    );
    assert.equal(tally.collect(80), null);
    assert.deepEqual(
      tally.add('a', 0, 60_074),
      { count: 2, msBeforeNext: 1 },
      'it may have begun later there',
    );
  });

  it('a request that waited until its window ended is counted in the next one', () => {
    const tally = shared();
    for (let count = 1; count <= 15; count++) tally.add('a', 1, 0);
    const waiting = tally.add('a', 1, 59_990);
    tally.settle(collected(tally, 59_990), [60, 0], 60_005);
    assert.equal(after(waiting, 60_005), 1);
  });

  it('an exact count always waits, also to read, and reading starts no window', () => {
    const tally = shared({ ...KIND, isExact: true });
    const read = tally.add('a', 0, 0);
    const sent = collected(tally, 0);
    assert.deepEqual(sent.message.waiting, []);
    tally.settle(sent, [7, 1_000], 0);
    assert.equal(after(read, 0), 7);
    tally.add('a', 1, 0);
    const { message } = collected(tally, 500);
    assert.deepEqual([message.passed, message.waiting, message.ages], [[0], [1], [500]]);
  });
});

/** In Redis, the same is tested with a server. */
describe('the summary of several processes', () => {
  const opened = () => {
    const summary = new Summary();
    return ([passed, waiting, age]: readonly [passed: number, waiting: number, age: number], at: number) =>
      summary.add({ ...KIND, clients: ['a'], passed: [passed], waiting: [waiting], ages: [age] }, at);
  };

  it('a window begins with what has passed, and as many wait as fit', () => {
    const add = opened();
    assert.deepEqual(add([15, 1, 1_000], 1_000), [15, 59_000]);
    assert.deepEqual(add([0, 0, 0], 1_001), [16, 58_999]);
    assert.deepEqual(add([4, 90, 0], 2_000), [20, 58_000]);
    assert.deepEqual(add([0, 5, 0], 2_000), [60, 58_000]);
    assert.deepEqual(add([10, 0, 0], 2_000), [70, 58_000]);
  });

  it('reading begins no window, and finds none that has ended', () => {
    const add = opened();
    assert.deepEqual(add([0, 0, 0], 0), [0, 60_000]);
    assert.deepEqual(add([21, 0, 0], 10_000), [21, 60_000]);
    assert.deepEqual(add([0, 0, 0], 69_999), [21, 1]);
    assert.deepEqual(add([0, 0, 0], 70_000), [0, 60_000]);
    assert.deepEqual(add([1, 0, 0], 80_000), [1, 60_000]);
  });

  it('what was too much counts in the next window, also if it comes late', () => {
    const add = opened();
    add([75, 0, 0], 0);
    assert.deepEqual(add([5, 0, 60_001], 60_001), [80, 0], 'it passed before');
    assert.deepEqual(add([1, 0, 100], 60_100), [21, 59_900]);
  });

  it('windows follow each other at their length at least', () => {
    const add = opened();
    add([1, 0, 0], 0);
    assert.deepEqual(add([1, 0, 100], 60_000), [1, 60_000], 'a process that did not know of the first');
  });

  it('a process that knows no window learns of the one that there is', () => {
    const add = opened();
    add([42, 0, 0], 0);
    assert.deepEqual(add([1, 0, 20], 30_000), [43, 30_000]);
  });
});

describe('exchanges', () => {
  /** Counts, or not, as the test decides. */
  async function open(countMsMax?: number) {
    const lines = collectLines();
    const summary = new Summary();
    const remote = { isUp: true, held: Promise.resolve(), messages: [] as Message[], closed: 0 };
    const exchange = async (message: Message) => {
      remote.messages.push(message);
      if (!remote.isUp) return await never;
      await remote.held;
      return summary.add(message, 0);
    };
    const transport = { name: 'a server', exchange, close: () => void remote.closed++ };
    const counters = await shareCounts(transport, createLog('info', { write: lines.add }), countMsMax);
    const sent = () => remote.messages.filter(({ kind }) => kind === KIND.kind);
    return { counters, add: counters.open(KIND), remote, lines, sent };
  }
  const all = (pending: readonly unknown[]) => Promise.all(pending as Promise<Count>[]);

  it('ten times a second, what is new is one message', async (t) => {
    const { counters, add, sent } = await open();
    t.after(counters.close);
    for (const client of ['a', 'b', 'a']) assert.ok(!(add(client, 1) instanceof Promise));
    await nextTurn();
    assert.deepEqual(sent(), []);
    const startedAt = performance.now();
    while (sent().length === 0) await nextTurn();
    assert.ok(performance.now() - startedAt < deadline(200));
    assert.deepEqual(
      [sent()[0]?.clients, sent()[0]?.passed],
      [
        ['a', 'b'],
        [2, 1],
      ],
    );
  });

  it('requests that wait are sent together at once', async (t) => {
    const { counters, add, sent } = await open();
    t.after(counters.close);
    const counts = await all(Array.from({ length: 62 }, () => add('a', 1)));
    assert.deepEqual(
      counts.map(({ count }) => count),
      [...Array.from({ length: 61 }, (_, index) => index + 1), 61],
    );
    assert.equal(sent().length, 1);
  });

  it('after the first timeout nothing waits, until an attempt in the background succeeds', async (t) => {
    const { counters, add, remote, lines, sent } = await open();
    t.after(counters.close);
    await all(Array.from({ length: 20 }, () => add('a', 1)));
    remote.isUp = false;
    const startedAt = performance.now();
    const [count] = await all(Array.from({ length: 20 }, () => add('a', 1)));
    assert.equal(count?.count, 21, 'it knows those before');
    assert.ok(performance.now() - startedAt < deadline(1_000));
    assert.equal(counters.isShared?.(), false);
    const messages = sent().length;
    for (let index = 0; index < 100; index++) assert.ok(!(add('b', 1) instanceof Promise));
    assert.equal(sent().length, messages);
    assert.ok(remote.closed > 0);
    assert.equal(lines.all.length, 1);
    assert.match(
      lines.all[0] ?? '',
      /"level":"warn".*"reason":"no response within 75 ms","msg":"a server unreachable: counting locally"/,
    );
    remote.isUp = true;
    await lines.until('a server reachable again');
    assert.equal(counters.isShared?.(), true);
    assert.equal(lines.all.length, 2);
    assert.equal((await all(Array.from({ length: 16 }, () => add('c', 1)))).at(-1)?.count, 16);
    assert.equal(sent().length, messages + 1);
  });

  it('closed counters are not reconnected, and nothing is logged', async () => {
    const { counters, add, remote, lines } = await open();
    counters.close();
    assert.equal(remote.closed, 1);
    remote.isUp = false;
    await all(Array.from({ length: 20 }, () => add('a', 1)));
    assert.deepEqual(lines.all, []);
  });
});
