// A primary process and its workers in this process: messages arrive in order, but only when the test delivers them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Allowance, Counters } from '../../../../src/http/guards/counters/counters.ts';
import type { PrimaryMessage, WorkerMessage } from '../../../../src/http/guards/counters/lease-messages.ts';
import { leasedCounters } from '../../../../src/http/guards/counters/leases.ts';
import { primaryCounters } from '../../../../src/http/guards/counters/primary.ts';
import { withFallback } from '../../../../src/http/guards/counters/shared.ts';
import { createLog } from '../../../../src/http/telemetry/log.ts';

/** Far beyond the duration of a test: nothing may be late because the machine is busy. */
const NEVER_MS = 1_000_000;

export type Clock = { ms: number };
export type SimulatedWorker = Readonly<{
  counters: Counters;
  /** Messages on the way. */
  toPrimary: WorkerMessage[];
  toWorker: PrimaryMessage[];
  /** Each delivers the next message, if there is one. */
  deliverToPrimary: () => void;
  deliverToWorker: () => void;
  /** How many messages it has sent. */
  sent: () => number;
  /** Returns its leases. */
  end: () => void;
  /** Everything on the way to it and from it is lost. */
  die: () => void;
}>;

export function simulateWorkers(clock: Clock, { recallMsMax = NEVER_MS, leasesMax = 1_000 } = {}) {
  const now = () => clock.ms;
  const primary = primaryCounters({ now, recallMsMax });
  const workers: SimulatedWorker[] = [];
  /** When the windows end in which the primary process has counted. */
  const windowEnds = new Set<number>();

  async function startWorker(): Promise<SimulatedWorker> {
    const toPrimary: WorkerMessage[] = [];
    const toWorker: PrimaryMessage[] = [];
    let sent = 0;
    let receive: (message: PrimaryMessage) => void = () => {};
    const connection = primary.connect((message) => {
      toWorker.push(message);
      if ('counts' in message)
        for (const [count, msBeforeNext] of message.counts)
          if (count > 0) windowEnds.add(clock.ms + msBeforeNext);
    });
    const channel = {
      send: (message: WorkerMessage) => {
        sent++;
        toPrimary.push(message);
      },
      flush: async () => {},
      onMessage: (receiver: typeof receive) => {
        receive = receiver;
      },
    };
    const counters = await withFallback({
      name: 'primary process',
      connect: async () => leasedCounters(channel, { now, leasesMax }),
      fallback: { add: () => new Promise(() => {}), close: () => {} },
      log: createLog('silent', { write: () => {} }),
      countMsMax: NEVER_MS,
      requestsMax: 1,
    });
    const deliverToPrimary = () => {
      const message = toPrimary.shift();
      if (message !== undefined) connection.receive(message);
    };
    const worker: SimulatedWorker = {
      counters,
      toPrimary,
      toWorker,
      deliverToPrimary,
      deliverToWorker: () => {
        const message = toWorker.shift();
        if (message !== undefined) receive(message);
      },
      sent: () => sent,
      end: () => {
        counters.close();
        while (toPrimary.length > 0) deliverToPrimary();
        remove();
      },
      die: () => {
        remove();
        counters.close();
      },
    };
    const remove = () => {
      workers.splice(workers.indexOf(worker), 1);
      connection.close();
    };
    workers.push(worker);
    return worker;
  }

  /** Delivers everything, until nothing more is sent. */
  async function settle(): Promise<void> {
    await nextTurn();
    while (workers.some(({ toPrimary, toWorker }) => toPrimary.length + toWorker.length > 0)) {
      for (const { deliverToPrimary, deliverToWorker } of workers) {
        deliverToPrimary();
        deliverToWorker();
      }
      await nextTurn();
    }
  }

  /** Adds 1 as often as given, and returns the counts. */
  async function count(worker: SimulatedWorker, allowance: Allowance, client: string, times: number) {
    const counts = Array.from({ length: times }, () => worker.counters.add(allowance, client, 1));
    await settle();
    return (await Promise.all(counts)).map(({ count }) => count);
  }

  return { workers, windowEnds, startWorker, settle, count };
}
