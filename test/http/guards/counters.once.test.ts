import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectLines } from '../../../cluster/lines.ts';
import {
  type Allowance,
  type Count,
  type Message,
  Tally,
} from '../../../src/http/guards/counters/counters.ts';
import { shareCounts } from '../../../src/http/guards/counters/exchange.ts';
import { Sums } from '../../../src/http/guards/counters/workers.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';
import { deadline } from '../../../support/processes/busy.ts';

const never = new Promise<never>(() => {});
const NONE = { count: 0, msBeforeNext: 0 };
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
  const shared = (allowance: Allowance = KIND) => {
    const tally = new Tally(allowance);
    tally.isShared = true;
    return tally;
  };

  it('a quarter of what is left passes at once, and then a request waits', async () => {
    const tally = shared();
    for (let count = 1; count <= 15; count++)
      assert.deepEqual(tally.add('a', 1, 0), { count, msBeforeNext: 60_000 });
    const waiting = tally.add('a', 1, 0);
    assert.ok(waiting instanceof Promise);
    const sent = tally.collect(10);
    assert.deepEqual(sent.message, { ...KIND, parts: [['a', 15, 1, 0, 59_990]] });
    tally.settle(sent, [[0, 40, 30_000]], 20);
    assert.deepEqual(await waiting, { count: 41, msBeforeNext: 30_000 });
    const counts = [1, 2, 3, 4, 5].map(() => tally.add('a', 1, 20));
    assert.deepEqual(
      counts.map((count) => !(count instanceof Promise) && count.count),
      [42, 43, 44, 45, false],
      'a quarter of 19',
    );
  });

  it('a client that has used up its limit elsewhere is refused without waiting', () => {
    const tally = shared();
    tally.add('a', 1, 0);
    tally.settle(tally.collect(0), [[0, 75, 30_000]], 0);
    assert.deepEqual(tally.add('a', 1, 0), { count: 76, msBeforeNext: 30_000 });
    assert.equal(tally.isChanged, false);
  });

  it('later requests wait behind one that waits, in order', async () => {
    const tally = shared();
    for (let count = 1; count <= 15; count++) tally.add('a', 1, 0);
    const first = tally.collect(0);
    const waiting = Array.from({ length: 50 }, () => tally.add('a', 1, 0));
    const second = tally.collect(0);
    tally.settle(first, [], 1);
    assert.ok(tally.add('a', 1, 1) instanceof Promise);
    tally.settle(second, [], 2);
    const counts = (await Promise.all(waiting)).map(({ count }) => count);
    assert.deepEqual(counts, [...Array.from({ length: 45 }, (_, index) => 16 + index), 61, 61, 61, 61, 61]);
  });

  it('without a reply, it decides by what it knows, and sends nothing twice', async () => {
    const tally = shared({ ...KIND, max: 2 });
    const waiting = [1, 2, 3].map(() => tally.add('a', 1, 0));
    const sent = tally.collect(0);
    tally.isShared = false;
    tally.settle(sent, null, 75);
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ count }) => count),
      [1, 2, 3],
    );
    assert.equal(tally.isChanged, false);
  });

  it('an exact count always waits, also to read, and reading starts no window', async () => {
    const tally = shared({ ...KIND, isExact: true });
    const read = tally.add('a', 0, 0);
    const sent = tally.collect(0);
    assert.deepEqual(sent.message.parts, [['a', 0, 0, 0, 0]]);
    tally.settle(sent, [[0, 7, 1_000]], 0);
    assert.deepEqual(await read, { count: 7, msBeforeNext: 1_000 });
    assert.ok(tally.add('a', 1, 0) instanceof Promise);
    assert.deepEqual(tally.collect(500).message.parts, [['a', 0, 1, 0, 59_500]]);
  });
});

/** In Redis, the same is tested with a server. */
describe('sums of processes', () => {
  const opened = () => {
    const sums = new Sums();
    /** Undefined if all is as the process knows it. */
    return (numbers: readonly [passed: number, waiting: number, known: number, msLeft: number], at: number) =>
      sums.add({ ...KIND, parts: [['a', ...numbers]] }, at)[0]?.slice(1);
  };

  it('a window begins with what has passed, and as many wait as fit', () => {
    const add = opened();
    assert.equal(add([1, 0, 0, 0], 0), undefined, 'nothing begins');
    assert.deepEqual(add([15, 1, 0, 59_000], 0), [15, 59_000]);
    assert.deepEqual(add([0, 0, 0, 59_000], 1), [16, 58_999]);
    assert.deepEqual(add([4, 90, 0, 60_000], 1_000), [20, 58_000]);
    assert.equal(add([0, 5, 60, 58_000], 1_000), undefined);
    assert.deepEqual(add([10, 0, 59, 58_000], 1_000), [70, 58_000]);
    assert.deepEqual(add([1, 0, 70, 57_000], 1_000), [71, 58_000], 'a process whose window would end before');
  });

  it('what was too much counts in the next window, also if it comes late', () => {
    const add = opened();
    add([60, 0, 0, 60_000], 0);
    assert.equal(add([15, 0, 60, 60_000], 1), undefined);
    assert.equal(add([5, 0, 75, 0], 60_001), undefined);
    assert.deepEqual(add([1, 0, 0, 59_900], 60_100), [21, 59_900]);
  });

  it('windows follow each other at their length at least', () => {
    const add = opened();
    add([1, 0, 0, 60_000], 0);
    assert.deepEqual(add([1, 0, 0, 59_900], 60_000), [1, 60_000], 'a process that did not know of the first');
  });

  it('a window that is lost goes on with what a process knows of it', () => {
    const add = opened();
    assert.deepEqual(add([2, 0, 40, 30_000], 0), [42, 30_000]);
    assert.deepEqual(add([1, 0, 0, 60_000], 1), [43, 29_999]);
  });
});

describe('exchanges', () => {
  /** Counts, or not, as the test decides. */
  async function open(countMsMax?: number) {
    const lines = collectLines();
    const sums = new Sums();
    const remote = { isUp: true, held: Promise.resolve(), messages: [] as Message[], closed: 0 };
    const exchange = async (message: Message) => {
      remote.messages.push(message);
      if (!remote.isUp) return await never;
      await remote.held;
      return sums.add(message, 0);
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
      sent()[0]?.parts.map(([client, passed]) => [client, passed]),
      [
        ['a', 2],
        ['b', 1],
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
