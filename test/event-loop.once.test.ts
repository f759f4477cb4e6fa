import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { noteConnection, waitForTurn, yieldToEventLoop } from '../src/event-loop.ts';

/** Longer than a slice. */
const PART_MS = 12;

function beBusy(): void {
  for (const startedAt = performance.now(); performance.now() - startedAt < PART_MS; );
}

/** Work that uses its whole slice for each of its parts. */
async function work(name: string, parts: number, done: string[]): Promise<void> {
  for (let part = 0; part < parts; part++) {
    await yieldToEventLoop();
    beBusy();
    done.push(name);
  }
}

/** Work that needs one slice, like a read of a database within this process. */
async function readNow(name: string, done: string[]): Promise<void> {
  await waitForTurn();
  done.push(name);
}

describe('slices of the event loop', () => {
  it('a short read waits for one part of long work, not for all of them', async () => {
    const done: string[] = [];
    const long = work('part', 20, done);
    // Requests arrive between two ticks.
    await nextTick();
    await nextTick();
    const before = done.length;
    await readNow('read', done);
    const partsMeanwhile = done.length - 1 - before;
    await long;
    assert.ok(partsMeanwhile <= 1, `${partsMeanwhile} parts came before the read`);
    assert.equal(done.length, 21);
  });

  it('pieces of long work take turns, and none is left out', async () => {
    const done: string[] = [];
    await Promise.all([work('a', 6, done), work('b', 6, done), work('c', 6, done)]);
    for (const round of [1, 2, 3, 4, 5])
      assert.deepEqual(done.slice(round * 3, round * 3 + 3).sort(), ['a', 'b', 'c'], String(done));
  });

  it('reads that wait are served in the order in which they came, and many in one tick', async () => {
    const done: string[] = [];
    const names = Array.from({ length: 200 }, (_, number) => `read ${number}`);
    beBusy();
    await nextTick();
    const long = work('part', 2, done);
    const reads = names.map((name) => readNow(name, done));
    let ticks = 0;
    const counting = (async () => {
      for (; done.length < names.length + 2; ticks++) await nextTick();
    })();
    await Promise.all([long, ...reads, counting]);
    assert.deepEqual(
      done.filter((name) => name.startsWith('read')),
      names,
    );
    assert.ok(ticks < names.length / 2, `${ticks} ticks`);
  });

  it('new work does not overtake work that waits', async () => {
    const done: string[] = [];
    const long = work('part', 3, done);
    const first = readNow('first', done);
    const second = readNow('second', done);
    await Promise.all([long, first, second]);
    assert.ok(done.indexOf('first') < done.indexOf('second'));
  });

  it('while connections arrive, ticks pass without a slice of long work, for at most as long as one', async (t) => {
    const done: string[] = [];
    // A millisecond passes with each look at the clock, however busy the machine is.
    let now = 0;
    t.mock.method(performance, 'now', () => now++);
    beBusy();
    await nextTick();
    const long = work('part', 3, done);
    let ticks = 0;
    for (; done.length < 2; ticks++) {
      noteConnection();
      await nextTick();
    }
    await long;
    assert.ok(ticks > 6, `${ticks} ticks`);
  });
});
