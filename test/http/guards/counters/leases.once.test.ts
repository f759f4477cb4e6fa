// The limit that workers share: exact, though most requests are counted without asking the primary process.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Allowance, Count } from '../../../../src/http/guards/counters/counters.ts';
import { type SimulatedWorker, simulateWorkers } from './simulation.ts';

const WINDOW_MS = 60_000;
const allow = (max: number): Allowance => ({ kind: 'public', max, windowSeconds: WINDOW_MS / 1_000 });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

async function start(t: TestContext, workers: number, options = {}) {
  const clock = { ms: 0 };
  const simulated = simulateWorkers(clock, options);
  const started = [];
  for (let count = 0; count < workers; count++) started.push(await simulated.startWorker());
  t.after(() => {
    for (const worker of [...simulated.workers]) worker.die();
  });
  return { clock, ...simulated, started: started as [SimulatedWorker, SimulatedWorker, SimulatedWorker] };
}

describe('leases of workers', () => {
  it('with a small limit every request is counted in the primary process, all of a turn with one message', async (t) => {
    const { started, count } = await start(t, 2);
    const [a, b] = started;
    assert.deepEqual(
      await count(a, allow(60), 'x', 10),
      times(10, (index) => index + 1),
    );
    assert.equal(a.sent(), 1);
    assert.deepEqual(
      await count(b, allow(60), 'x', 55),
      times(55, (index) => index + 11),
    );
    assert.deepEqual(await count(a, allow(60), 'y', 1), [1]);
  });

  it('with a large limit most requests ask nobody, and exactly the limit is admitted', async (t) => {
    const { started, count } = await start(t, 2);
    const limit = allow(20_000);
    const counts = [];
    for (let round = 0; round < 12; round++)
      counts.push(...(await count(started[round % 2] as SimulatedWorker, limit, 'x', 2_000)));
    assert.equal(counts.filter((value) => value <= limit.max).length, limit.max);
    const sent = started.reduce((sum, worker) => sum + worker.sent(), 0);
    assert.ok(sent < 1_000, `${sent} messages for 24,000 requests`);
  });

  it('leases of other workers are recalled before a client is refused', async (t) => {
    const { started, count } = await start(t, 3);
    const [a, b, c] = started;
    for (const worker of [a, b]) await count(worker, allow(1_000), 'x', 1);
    const counts = await count(c, allow(1_000), 'x', 1_100);
    assert.deepEqual(counts.slice(997, 999), [1_000, 1_001], '998 were left');
    assert.deepEqual(await count(a, allow(1_000), 'x', 1), [1_103]);
  });

  it('a lease that its worker hardly uses is recalled before the count that it knows is far behind', async (t) => {
    const { started, count } = await start(t, 2);
    const [a, b] = started;
    for (let round = 1; round <= 9; round++) {
      const [known = 0] = await count(a, allow(1_000), 'x', 1);
      const others = (round - 1) * 101;
      assert.ok(known >= others - 1_000 / 16, `${known} after ${others}`);
      await count(b, allow(1_000), 'x', 100);
    }
  });

  it('a client over the limit is refused without a message until its window ends', async (t) => {
    const { clock, started, count } = await start(t, 2);
    const [a] = started;
    await count(a, allow(60), 'x', 61);
    const sent = a.sent();
    clock.ms = 59_999;
    const refused = a.counters.add(allow(60), 'x', 1) as Count;
    assert.ok(refused.count > 60);
    assert.equal(refused.msBeforeNext, 1);
    assert.equal(a.sent(), sent);
    clock.ms = 60_000;
    assert.deepEqual(await count(a, allow(60), 'x', 1), [1]);
  });

  it('a lease ends before its window does, however long its message takes', async (t) => {
    const { clock, started, settle, count } = await start(t, 1);
    const [a] = started;
    a.counters.add(allow(1_000), 'x', 1);
    await nextTurn();
    a.deliverToPrimary();
    clock.ms = 59_000;
    a.deliverToWorker();
    await nextTurn();
    assert.equal((a.counters.add(allow(1_000), 'x', 1) as Count).msBeforeNext, 1_000);
    clock.ms = 60_000;
    const next = a.counters.add(allow(1_000), 'x', 1);
    await settle();
    assert.deepEqual(await next, { count: 1, msBeforeNext: WINDOW_MS });
    assert.deepEqual(await count(a, allow(1_000), 'x', 1), [2]);
  });

  it('a worker that hangs is waited for once; what it returns later can be used', async (t) => {
    const { started, settle } = await start(t, 2, { recallMsMax: 20 });
    const [a, hung] = started;
    const add = (worker: SimulatedWorker, points: number) => worker.counters.add(allow(1_000), 'x', points);
    add(hung, 1);
    await settle();
    const admitted = add(a, 985);
    await nextTurn();
    a.deliverToPrimary();
    a.deliverToWorker();
    assert.equal(((await admitted) as Count).count, 986);
    assert.equal(hung.toWorker.length, 1, 'recalled, as it is old');
    const late = add(a, 8);
    await nextTurn();
    a.deliverToPrimary();
    assert.equal(hung.toWorker.length, 2, 'recalled, as nothing else is left');
    const before = performance.now();
    while (a.toWorker.length === 0) await nextTurn();
    assert.ok(performance.now() - before >= 15);
    a.deliverToWorker();
    assert.ok((await late).count > 1_000);
    const other = a.counters.add(allow(1_000), 'y', 1);
    await settle();
    assert.equal((await other).count, 1);
    const returned = hung.counters.add(allow(1_000), 'x', 1);
    await settle();
    assert.ok((await returned).count <= 1_000, 'the client has requests left again');
  });

  it('beyond a bound, clients have no lease, until windows have ended', async (t) => {
    const { clock, started, count } = await start(t, 1, { leasesMax: 2 });
    const [a] = started;
    for (const client of ['x', 'y', 'z']) await count(a, allow(1_000), client, 1);
    const asks = async (client: string) => {
      const before = a.sent();
      await count(a, allow(1_000), client, 1);
      return a.sent() - before;
    };
    assert.deepEqual([await asks('x'), await asks('y'), await asks('z')], [0, 0, 1]);
    clock.ms = WINDOW_MS + 2_000;
    assert.equal(await asks('z'), 1);
    assert.equal(await asks('z'), 0);
  });

  it('a lease in a reply that waits for another client is not lost when it is recalled', async (t) => {
    const { started, settle, count } = await start(t, 3);
    const [a, b, c] = started;
    await count(c, allow(1_000), 'other', 1);
    await count(b, allow(1_000), 'other', 990);
    for (const client of ['x', ...times(20, () => 'other')]) a.counters.add(allow(1_000), client, 1);
    await nextTurn();
    a.deliverToPrimary();
    const counts = times(999, () => b.counters.add(allow(1_000), 'x', 1));
    await nextTurn();
    b.deliverToPrimary();
    a.deliverToWorker();
    a.deliverToPrimary();
    await settle();
    assert.equal((await Promise.all(counts)).at(-1)?.count, 1_000);
  });

  it('no lease is lost when the last ones beyond the bound arrive together', async (t) => {
    const { started, settle, count } = await start(t, 2, { leasesMax: 1 });
    const [a, b] = started;
    for (const client of ['x', 'y']) a.counters.add(allow(1_000), client, 1);
    await settle();
    for (const client of ['x', 'y']) assert.equal((await count(b, allow(1_000), client, 999)).at(-1), 1_000);
  });

  for (const kills of [false, true]) {
    const promise = kills
      ? 'workers that die take their leases with them: never more than the limit is admitted'
      : 'exactly the limit is admitted, whatever the order of messages';
    it(promise, async () => {
      const limit = fc.constantFrom(3, 60, 200, 1_000, 5_000);
      const workers = fc.integer({ min: 1, max: 4 });
      const steps = fc.array(kills ? fc.oneof({ weight: 30, arbitrary: STEP }, KILL) : STEP, {
        minLength: 30,
        maxLength: 90,
      });
      await fc.assert(fc.asyncProperty(limit, workers, steps, assertExact), { numRuns: 25 });
    });
  }
});

/** Taken modulo the number of workers. */
const worker = fc.nat(11);
const STEP = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('add'),
      worker,
      percent: fc.integer({ min: 1, max: 30 }),
    } as const),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('ask'), worker } as const) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('answer'), worker } as const) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('settle') } as const) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('wait'), ms: fc.constantFrom(1, 5_000, WINDOW_MS) } as const),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('replace'), worker } as const) },
);
const KILL = fc.record({ type: fc.constant('kill'), worker } as const);
type Step = typeof STEP | typeof KILL extends fc.Arbitrary<infer T> ? T : never;

/** A request, from its arrival to its count. */
type Judged = Readonly<{ from: number; to: number; isAdmitted: boolean }>;

async function assertExact(max: number, size: number, steps: readonly Step[]): Promise<void> {
  const clock = { ms: 0 };
  const { workers, windowEnds, startWorker, settle } = simulateWorkers(clock);
  for (let count = 0; count < size; count++) await startWorker();
  const judged: Judged[] = [];
  const unanswered = new Map(workers.map((worker) => [worker, 0]));

  function add(worker: SimulatedWorker): void {
    const from = clock.ms;
    const change = (by: number) => unanswered.set(worker, (unanswered.get(worker) ?? 0) + by);
    const judge = ({ count }: Count) => {
      change(-1);
      judged.push({ from, to: clock.ms, isAdmitted: count <= max });
    };
    change(1);
    const counted = worker.counters.add(allow(max), 'x', 1);
    if (counted instanceof Promise) counted.then(judge);
    else judge(counted);
  }

  async function run(step: Step): Promise<void> {
    if (step.type === 'settle') return await settle();
    if (step.type === 'wait') {
      clock.ms += step.ms;
      return;
    }
    const at = workers[step.worker % workers.length] as SimulatedWorker;
    if (step.type === 'add') for (let left = (max * step.percent) / 100; left > 0; left--) add(at);
    if (step.type === 'ask') at.deliverToPrimary();
    if (step.type === 'answer') at.deliverToWorker();
    if (step.type === 'replace') {
      await settle();
      at.end();
      await startWorker();
    }
    if (step.type === 'kill') {
      at.die();
      unanswered.delete(at);
      await startWorker();
    }
  }

  for (const step of steps) {
    await run(step);
    // A message may also arrive in the same turn of the event loop.
    if (step.type !== 'add' || step.percent % 2 === 0) await nextTurn();
  }
  await settle();
  assert.ok(
    [...unanswered.values()].every((count) => count === 0),
    'a request got no count',
  );
  for (const worker of [...workers]) worker.end();

  const hasDeaths = steps.some(({ type }) => type === 'kill');
  for (const end of windowEnds) {
    const begin = end - WINDOW_MS;
    const admitted = judged.filter(({ isAdmitted }) => isAdmitted);
    const isWithin = ({ from, to }: Judged) => from >= begin && to < end;
    assert.ok(admitted.filter(isWithin).length <= max, 'more than the limit were admitted');
    if (hasDeaths || judged.filter(isWithin).every(({ isAdmitted }) => isAdmitted)) continue;
    const touching = admitted.filter(({ from, to }) => to >= begin && from < end);
    assert.ok(touching.length >= max, `refused after ${touching.length} of ${max}`);
  }
}
