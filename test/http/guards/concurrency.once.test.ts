// R52: at most two long responses per client at the same time, the others in a bounded queue.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { limitConcurrency } from '../../../src/http/guards/concurrency.ts';
import { fakeResponse } from '../cache/fake-response.ts';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

const LIMITS = {
  runningMax: 3,
  runningPerClientMax: 2,
  queuedMax: 4,
  queuedPerClientMax: 2,
  waitMsMax: 60_000,
};

/** Work that ends when the test says so. */
function trackWork(limits = LIMITS) {
  const runLimited = limitConcurrency(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    start: (client: string, name: string, { response } = WAITER) =>
      runLimited({ client, response }, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: (name: string) => ends.get(name)?.(),
  };
}

const WAITER = { client: 'a', response: Object.assign(fakeResponse(), { closed: true }) };
const BUSY = { code: 'unavailable' };

describe('the concurrency limit for long responses', () => {
  it('the limit holds per client and for all clients together', async () => {
    const { start, started, end } = trackWork();
    const all = [start('a', 'a1'), start('a', 'a2')];
    await settle();
    all.push(start('a', 'a3'), start('b', 'b1'), start('b', 'b2'));
    await settle();
    assert.deepEqual(started, ['a1', 'a2', 'b1']);
    end('b1');
    await all[3];
    await settle();
    // The first client's third came earlier, but that client is at its limit.
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2']);
    end('a1');
    await all[0];
    await settle();
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2', 'a3']);
    for (const name of ['a2', 'a3', 'b2']) end(name);
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'b2']);
  });

  it('a full queue, per client or for all, rejects more work', async () => {
    const { start, end } = trackWork();
    const ofOne = [1, 2].map((number) => start('a', `a${number}`));
    await settle();
    ofOne.push(...[3, 4].map((number) => start('a', `a${number}`)));
    await assert.rejects(start('a', 'a5'), BUSY);
    const ofAnother = [start('b', 'b1')];
    await settle();
    ofAnother.push(start('b', 'b2'), start('c', 'c1'));
    await assert.rejects(start('d', 'd1'), BUSY);
    for (const names of [['a1', 'a2', 'b1'], ['a3', 'b2', 'c1'], ['a4']]) {
      for (const name of names) end(name);
      await settle();
    }
    assert.equal((await Promise.all([...ofOne, ...ofAnother])).length, 7);
  });

  it('work that waited too long is rejected and leaves the queue', async () => {
    const { start, end, started } = trackWork({ ...LIMITS, waitMsMax: 300 });
    const first = [start('a', 'a1'), start('a', 'a2')];
    await settle();
    await Promise.all([1, 2].map((number) => assert.rejects(start('a', `late${number}`), BUSY)));
    const next = start('a', 'a3');
    end('a1');
    await first[0];
    await settle();
    assert.deepEqual(started, ['a1', 'a2', 'a3']);
    for (const name of ['a2', 'a3']) end(name);
    await Promise.all([...first, next]);
  });

  it('a response counts against its client until sent, and against others until built', async () => {
    const { start, started, end } = trackWork();
    const response = fakeResponse();
    const waiter = { ...WAITER, response };
    const first = [start('a', 'a1', waiter), start('a', 'a2', waiter)];
    await settle();
    for (const name of ['a1', 'a2']) end(name);
    await Promise.all(first);
    const next = [start('a', 'a3'), start('b', 'b1'), start('b', 'b2'), start('c', 'c1')];
    await settle();
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2', 'c1']);
    end('c1');
    response.hangUp();
    await settle();
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2', 'c1', 'a3']);
    for (const name of ['a3', 'b1', 'b2']) end(name);
    await Promise.all(next);
  });

  it('work continues after a failure', async () => {
    const runLimited = limitConcurrency({ ...LIMITS, runningMax: 1 });
    await assert.rejects(
      runLimited(WAITER, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await runLimited(WAITER, async () => 'yes'), 'yes');
  });

  it('the service runs two long responses per client, and more for all', async () => {
    const runLimited = limitConcurrency();
    const started: string[] = [];
    const end = Promise.withResolvers<void>();
    const all = ['a', 'a', 'a', 'b', 'b'].map((client) =>
      runLimited({ ...WAITER, client }, async () => {
        started.push(client);
        await end.promise;
      }),
    );
    await settle();
    assert.deepEqual(started, ['a', 'a', 'b', 'b']);
    end.resolve();
    await Promise.all(all);
  });
});
