// Counters of all workers on this machine: they are kept in the primary process.
import cluster from 'node:cluster';
import { withTimeout } from '../../../timeout.ts';
import type { Addition, Count, RemoteCounters } from './counters.ts';
import { processCounters } from './process.ts';
import { PROBE } from './shared.ts';

/** Long, because the primary process also distributes connections and may be busy for a while. */
export const PRIMARY_MS_MAX = 1_000;

type CountRequest = Readonly<{ counting: { id: number; adds: readonly Addition[] } }>;
/** The counts, in the same order. */
type CountReply = Readonly<{ counted: { id: number; counts: readonly Count[] } }>;

/** Runs in the primary process. */
export function countForWorkers(): void {
  const counters = processCounters();
  cluster.on('message', (worker, message: unknown) => {
    if (!isCountRequest(message) || !worker.isConnected()) return;
    const { id, adds } = message.counting;
    const counts = adds.map(({ allowance, client, points }) => counters.add(allowance, client, points));
    // The worker may have ended meanwhile, and then needs no reply.
    worker.send({ counted: { id, counts } } satisfies CountReply, () => {});
  });
}

/** Runs in a worker: returns a function that connects to the counters of the primary process. */
export function primaryCounters(): () => Promise<RemoteCounters> {
  let requests = 0;
  return async () => {
    const remote = connectPrimary(() => ++requests);
    try {
      await withTimeout(remote.addAll([{ ...PROBE, points: 0 }]), PRIMARY_MS_MAX);
      return remote;
    } catch (error) {
      remote.close();
      throw error;
    }
  };
}

type PendingRequest = Readonly<{
  resolve: (counts: readonly Count[]) => void;
  reject: (error: Error) => void;
}>;

/** Ids are never reused: a late reply must not reach the next connection. */
function connectPrimary(nextId: () => number): RemoteCounters {
  const sent = new Map<number, PendingRequest>();

  function onMessage(message: unknown): void {
    if (!isCountReply(message)) return;
    const { id, counts } = message.counted;
    sent.get(id)?.resolve(counts);
    sent.delete(id);
  }

  function giveUp(error: Error): void {
    for (const { reject } of sent.values()) reject(error);
    sent.clear();
  }

  process.on('message', onMessage);
  return {
    addAll: (additions) =>
      new Promise((resolve, reject) => {
        const id = nextId();
        sent.set(id, { resolve, reject });
        const adds = additions.map(({ allowance, client, points }) => ({ allowance, client, points }));
        const request: CountRequest = { counting: { id, adds } };
        process.send?.(request, undefined, undefined, (error) => {
          if (error) giveUp(error);
        });
      }),
    close: () => {
      process.off('message', onMessage);
      giveUp(new Error('disconnected from the primary process'));
    },
  };
}

function isCountRequest(message: unknown): message is CountRequest {
  return typeof message === 'object' && message !== null && 'counting' in message;
}

function isCountReply(message: unknown): message is CountReply {
  return typeof message === 'object' && message !== null && 'counted' in message;
}
