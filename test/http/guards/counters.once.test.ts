import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectLines } from '../../../cluster/lines.ts';
import type { Addition, Allowance, RemoteCounters } from '../../../src/http/guards/counters/counters.ts';
import { processCounters } from '../../../src/http/guards/counters/process.ts';
import { withFallback } from '../../../src/http/guards/counters/shared.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';
import { deadline } from '../../../support/processes/busy.ts';

const never = new Promise<never>(() => {});
const NONE = { count: 0, msBeforeNext: 0 };
const KIND: Allowance = { kind: 'kind', max: 60, windowSeconds: 60 };

/** Remote counters that respond, or not, as the test decides. */
function fakeRemote() {
  const lines = collectLines();
  const remote = {
    responds: true,
    /** Responses wait for this. */
    held: Promise.resolve(),
    requests: 0,
    /** From the last request. */
    asked: [] as (readonly [client: string, points: number])[],
    connections: 0,
    closed: 0,
    connect: async (): Promise<RemoteCounters> => {
      remote.connections++;
      if (!remote.responds) throw new Error('down');
      const counters = processCounters();
      return {
        addAll: async (additions: readonly Addition[]) => {
          remote.requests++;
          remote.asked = additions.map(({ client, points }) => [client, points]);
          if (!remote.responds) return await never;
          await remote.held;
          return additions.map(({ allowance, client, points }) => counters.add(allowance, client, points));
        },
        close: () => void remote.closed++,
      };
    },
  };
  const open = (options: Partial<Parameters<typeof withFallback>[0]> = {}) =>
    withFallback({
      name: 'a server',
      connect: () => remote.connect(),
      fallback: processCounters(),
      log: createLog('info', { write: lines.add }),
      ...options,
    });
  return { remote, lines, open };
}

describe('counters in a process', () => {
  const atHand = (keysMax = 100) => {
    const clock = { ms: 0 };
    return { clock, counters: processCounters({ clientsMax: keysMax, now: () => clock.ms }) };
  };

  it('each kind and client has a window that starts with the first addition', () => {
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

  it('a window has exactly its length, whatever fraction of a millisecond it starts at', () => {
    const { clock, counters } = atHand(10_000);
    for (let index = 0; index < 5_000; index++) {
      clock.ms = index * 7.123_456_789;
      assert.deepEqual(counters.add(KIND, `client ${index}`, 1), { count: 1, msBeforeNext: 60_000 });
    }
  });

  it('expired windows are removed, and the oldest are evicted when there are too many', () => {
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

  it('a kind that is no longer counted is removed', () => {
    const { clock, counters } = atHand();
    counters.add({ ...KIND, kind: 'old' }, 'a', 1);
    clock.ms = 60_000;
    counters.add({ ...KIND, kind: 'new' }, 'a', 1);
    clock.ms = 0;
    assert.deepEqual(counters.add({ ...KIND, kind: 'old' }, 'a', 0), NONE, 'also by the clock of before');
  });

  it('a client over the limit is evicted after all others, however many there are', () => {
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

  it('the oldest client is evicted if all are over the limit', () => {
    const { counters } = atHand(3);
    for (const client of ['a', 'b', 'c', 'd']) counters.add(KIND, client, 60);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((client) => counters.add(KIND, client, 0).count),
      [0, 60, 60, 60],
    );
    assert.equal(counters.add(KIND, 'e', 1).count, 1, 'a new client is always counted');
  });
});

describe('shared counters with a fallback', () => {
  it('additions that arrive together are one request, and everyone gets the count they would have got alone', async (t) => {
    const { remote, open } = fakeRemote();
    const counters = await open();
    t.after(counters.close);
    await counters.add(KIND, 'a', 5);
    const counts = await Promise.all([
      counters.add(KIND, 'a', 0),
      counters.add(KIND, 'a', 1),
      counters.add(KIND, 'b', 0),
      counters.add(KIND, 'a', 2),
      counters.add({ ...KIND, kind: 'other' }, 'a', 3),
      counters.add(KIND, 'a', 0),
    ]);
    assert.deepEqual(
      counts.map(({ count }) => count),
      [5, 6, 0, 8, 3, 8],
    );
    assert.equal(remote.requests, 2);
    assert.deepEqual(remote.asked, [
      ['a', 3],
      ['b', 0],
      ['a', 3],
    ]);
  });

  it('with one request at a time, additions gather while it is in flight', async (t) => {
    const { remote, open } = fakeRemote();
    const counters = await open({ isOneAtATime: true, countMsMax: 60_000 });
    t.after(counters.close);
    const inFlight = Promise.withResolvers<void>();
    const first = counters.add(KIND, 'a', 1);
    remote.held = inFlight.promise;
    await nextTurn();
    const later = [];
    for (let turn = 0; turn < 3; turn++) {
      later.push(counters.add(KIND, 'a', 1));
      await nextTurn();
    }
    assert.equal(remote.requests, 1);
    inFlight.resolve();
    const counts = await Promise.all([first, ...later]);
    assert.deepEqual(
      counts.map(({ count }) => count),
      [1, 2, 3, 4],
    );
    assert.equal(remote.requests, 2);
  });

  it('the first timeout switches all waiting requests to the fallback, and later ones do not wait', async (t) => {
    const { remote, lines, open } = fakeRemote();
    const counters = await open();
    t.after(counters.close);
    await counters.add(KIND, 'a', 5);
    remote.responds = false;
    const startedAt = performance.now();
    const counts = await Promise.all([counters.add(KIND, 'a', 1), counters.add(KIND, 'a', 1)]);
    assert.deepEqual(counts.map(({ count }) => count).sort(), [1, 2], 'counted here, from nothing');
    assert.ok(performance.now() - startedAt < deadline(1_000));
    const { requests } = remote;
    for (let count = 0; count < 10; count++) await counters.add(KIND, 'a', 1);
    assert.equal((await counters.add(KIND, 'a', 0)).count, 12);
    assert.equal(remote.requests, requests);
    assert.equal(remote.closed, 1);
    assert.equal(lines.all.length, 1);
    assert.match(
      lines.all[0] ?? '',
      /"level":"warn".*"reason":"no response within 75 ms","msg":"a server unreachable: counting locally"/,
    );
  });

  it('a background attempt switches back; both changes are logged once, and can be seen', async (t) => {
    const { remote, lines, open } = fakeRemote();
    remote.responds = false;
    const counters = await open();
    t.after(counters.close);
    assert.equal((await counters.add(KIND, 'a', 1)).count, 1);
    assert.equal(counters.isShared?.(), false);
    remote.responds = true;
    await lines.until('a server reachable again');
    assert.equal(counters.isShared?.(), true);
    assert.equal((await counters.add(KIND, 'b', 4)).count, 4);
    assert.equal(remote.requests, 1);
    assert.deepEqual([lines.count('counting locally'), lines.all.length], [1, 2]);
  });

  it('a lost connection switches to the fallback without a request', async (t) => {
    const { remote, lines, open } = fakeRemote();
    const lost = Promise.withResolvers<Error>();
    const { connect } = remote;
    remote.connect = async () => ({ ...(await connect()), lost: lost.promise });
    const counters = await open();
    t.after(counters.close);
    lost.resolve(new Error('gone'));
    await lines.until('a server unreachable: counting locally');
    assert.equal(remote.requests, 0);
  });

  it('closed counters are not reconnected, and nothing is logged', async () => {
    const { remote, lines, open } = fakeRemote();
    const counters = await open();
    counters.close();
    assert.equal(remote.closed, 1);
    assert.equal((await counters.add(KIND, 'a', 1)).count, 1);
    assert.equal(remote.connections, 1);
    assert.deepEqual(lines.all, []);
  });
});
