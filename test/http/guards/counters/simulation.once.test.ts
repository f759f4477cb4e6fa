// Processes that count together, with any spread of requests and any delay and loss of messages, in simulated time (R69).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Count, type Decide, Tally } from '../../../../src/http/guards/counters/counters.ts';
import { Summary } from '../../../../src/http/guards/counters/workers.ts';

const WINDOW_MS = 2_000;
const EXCHANGE_MS = 100;
const COUNT_MS_MAX = 75;
const RETRY_MS = 250;
const RUNS = 4_000;
const CLIENT = '192.0.2.1';

/** `afterMs`: since the burst before. */
type Burst = Readonly<{ afterMs: number; process: number; requests: number }>;
/** Of one message: how long each way takes, and whether it or its reply gets lost. */
type Fate = Readonly<{ thereMs: number; backMs: number; isLost: boolean; isReplyLost: boolean }>;
type Decided = Readonly<{ askedAt: number; at: number }>;

const INSTANT: Fate = { thereMs: 0, backMs: 0, isLost: false, isReplyLost: false };

function simulate(limit: number, processes: number, bursts: readonly Burst[], fates: readonly Fate[]) {
  const summary = new Summary();
  const events: { at: number; order: number; run: () => void }[] = [];
  let [time, order, messages] = [0, 0, 0];
  const at = (when: number, run: () => void) => void events.push({ at: when, order: order++, run });
  const passed: Decided[] = [];
  const refused: Decided[] = [];
  const windows = new Map<number, number>();

  const nodes = Array.from({ length: processes }, () => {
    let isShared = true;
    const allowance = { kind: 'public', max: limit, windowSeconds: WINDOW_MS / 1_000 };
    const tally = new Tally(allowance, () => isShared);
    let waiting: (() => void)[] = [];
    let isDue = false;
    let isSoon = false;
    let [arrivedAt, repliedAt] = [0, 0];
    let isBroken = false;

    function judge(decision: Count | Decide, askedAt: number): void {
      if (typeof decision === 'function') {
        waiting.push(() => judge(decision(time), askedAt));
        if (!isSoon) at(time, send);
        isSoon = true;
      } else (decision.count <= limit ? passed : refused).push({ askedAt, at: time });
    }

    function request(): void {
      judge(tally.add(CLIENT, 1, time), time);
      if (!isDue) {
        isDue = true;
        at(time + EXCHANGE_MS, send);
      }
    }

    function send(): void {
      isSoon = false;
      isDue = false;
      const sent = tally.collect(time);
      if (sent === null) return;
      const decisions = waiting;
      waiting = [];
      const settle = (reply: Parameters<Tally['settle']>[1]) => {
        tally.settle(sent, reply, time);
        for (const decide of decisions) decide();
      };
      if (!isShared) {
        settle(null);
        return;
      }
      const fate = fates[messages++ % fates.length] ?? INSTANT;
      const { thereMs, backMs } = fate;
      // A connection keeps the order of messages: what comes after a lost one is lost too.
      const isLost = fate.isLost || isBroken;
      const isReplyLost = fate.isReplyLost || isBroken;
      isBroken = isLost || isReplyLost;
      arrivedAt = Math.max(arrivedAt, time + thereMs);
      repliedAt = Math.max(repliedAt, arrivedAt + backMs);
      const replyAt = repliedAt;
      const isLate = isLost || isReplyLost || replyAt > time + COUNT_MS_MAX;
      if (!isLost)
        at(arrivedAt, () => {
          const reply = summary.add(sent.message, time);
          for (const [index, msLeft] of reply.entries())
            if (index % 2 === 1 && msLeft > 0) windows.set(time + msLeft, time);
          if (!isLate) at(replyAt, () => settle(isShared ? reply : null));
        });
      if (isLate)
        at(time + COUNT_MS_MAX, () => {
          if (isShared)
            at(time + RETRY_MS, () => {
              isShared = true;
              isBroken = false;
            });
          isShared = false;
          settle(null);
        });
    }
    return { request };
  });

  let burstAt = 0;
  for (const { afterMs, process, requests } of bursts) {
    burstAt += afterMs;
    at(burstAt, () => {
      for (let index = 0; index < requests; index++) nodes[process % processes]?.request();
    });
  }
  while (events.length > 0) {
    events.sort((a, b) => a.at - b.at || a.order - b.order);
    const event = events.shift();
    time = event?.at ?? time;
    event?.run();
  }
  const ends = [...windows.keys()].sort((a, b) => a - b);
  return { passed, refused, ends };
}

const between = (found: readonly Decided[], from: number, to: number) =>
  found.filter(({ at }) => at >= from && at < to).length;

const limits = fc.integer({ min: 1, max: 60 });
/** Most often together, or about when an exchange is due or a window ends. */
const gaps = fc.oneof(
  { arbitrary: fc.nat(20), weight: 5 },
  { arbitrary: fc.integer({ min: EXCHANGE_MS - 20, max: EXCHANGE_MS + 20 }), weight: 3 },
  { arbitrary: fc.integer({ min: WINDOW_MS - 2 * EXCHANGE_MS, max: WINDOW_MS + 20 }), weight: 1 },
  { arbitrary: fc.nat(WINDOW_MS), weight: 1 },
);
const bursts = fc.array(
  fc.record({ afterMs: gaps, process: fc.nat(3), requests: fc.integer({ min: 1, max: 40 }) }),
  { minLength: 1, maxLength: 80 },
);
const delays = fc.record({
  thereMs: fc.nat(40),
  backMs: fc.nat(35),
  isLost: fc.constant(false),
  isReplyLost: fc.constant(false),
});
const losses = fc.record({
  thereMs: fc.nat(60),
  backMs: fc.nat(60),
  isLost: fc.boolean(),
  isReplyLost: fc.boolean(),
});

/** Few are lost: a process that is alone tests nothing. */
const fatesAlone = fc.array(fc.oneof({ arbitrary: delays, weight: 8 }, { arbitrary: losses, weight: 1 }), {
  minLength: 1,
  maxLength: 40,
});

describe('processes that count together', () => {
  it('in a window, P processes let pass at most 1 + (P - 1) / 4 times the limit, however requests are spread', () => {
    fc.assert(
      fc.property(
        limits,
        fc.integer({ min: 1, max: 4 }),
        bursts,
        fc.array(delays, { minLength: 1 }),
        (limit, processes, spread, fates) => {
          const { passed, ends } = simulate(limit, processes, spread, fates);
          for (const end of ends) {
            // Until a process hears of the new window, it counts in the one before.
            const count = between(passed, end - WINDOW_MS + COUNT_MS_MAX, end);
            assert.ok(count <= limit * (1 + (processes - 1) / 4), `${count} passed, limit ${limit}`);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('in the long run, they let pass the limit', () => {
    fc.assert(
      fc.property(
        limits,
        fc.integer({ min: 1, max: 4 }),
        bursts,
        fc.array(delays, { minLength: 1 }),
        (limit, processes, spread, fates) => {
          const { passed, ends } = simulate(limit, processes, spread, fates);
          // What was too much in the last windows has not counted yet.
          const most = limit * (ends.length + (processes - 1) / 2);
          assert.ok(passed.length <= most, `${passed.length} passed in ${ends.length} windows of ${limit}`);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('a client on one connection is refused only if it has used up its limit, whatever is late or lost', () => {
    fc.assert(
      fc.property(limits, bursts, fatesAlone, (limit, spread, fates) => {
        const { passed, refused } = simulate(limit, 1, spread, fates);
        for (const { askedAt, at } of refused)
          assert.ok(
            between(passed, askedAt - WINDOW_MS - 2 * COUNT_MS_MAX, at + 1) >= limit,
            `refused at ${at}`,
          );
      }),
      { numRuns: RUNS },
    );
  });
});
