// Counters of all workers on this machine: they are kept in the primary process.
import cluster from 'node:cluster';
import { withTimeout } from '../../../timeout.ts';
import type { Allowance, Count } from './counters.ts';
import { processCounters } from './process.ts';
import { PROBE, type RemoteCounters } from './shared.ts';

/** Long, because the primary process also distributes connections and may be busy for a while. */
export const PRIMARY_MS_MAX = 1_000;

type Addition = readonly [allowance: Allowance, client: string, points: number];
/** All additions of a worker in one tick of its event loop, in order. */
type CountRequest = Readonly<{ counting: { id: number; adds: readonly Addition[] } }>;
/** The counts, in the same order. */
type CountReply = Readonly<{ counted: { id: number; counts: readonly Count[] } }>;

/** Runs in the primary process. */
export function countForWorkers(): void {
  const counters = processCounters();
  cluster.on('message', (worker, message: unknown) => {
    if (!isCountRequest(message) || !worker.isConnected()) return;
    const { id, adds } = message.counting;
    const counts = adds.map((addition) => counters.add(...addition));
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
      await withTimeout(remote.add(PROBE, 'any', 0), PRIMARY_MS_MAX);
      return remote;
    } catch (error) {
      remote.close();
      throw error;
    }
  };
}

type PendingCount = Readonly<{
  addition: Addition;
  resolve: (count: Count) => void;
  reject: (error: Error) => void;
}>;

/** Ids are never reused: a late reply must not reach the next connection. */
function connectPrimary(nextId: () => number): RemoteCounters {
  const sent = new Map<number, readonly PendingCount[]>();
  let unsent: PendingCount[] = [];

  function send(): void {
    if (unsent.length === 0) return;
    const id = nextId();
    const pending = unsent;
    unsent = [];
    sent.set(id, pending);
    const request: CountRequest = { counting: { id, adds: pending.map(({ addition }) => addition) } };
    process.send?.(request, undefined, undefined, (error) => {
      if (error) giveUp(error);
    });
  }

  function onMessage(message: unknown): void {
    if (!isCountReply(message)) return;
    const { id, counts } = message.counted;
    for (const [index, { resolve }] of (sent.get(id) ?? []).entries()) resolve(counts[index] as Count);
    sent.delete(id);
  }

  function giveUp(error: Error): void {
    const pending = [...sent.values(), unsent].flat();
    sent.clear();
    unsent = [];
    for (const { reject } of pending) reject(error);
  }

  process.on('message', onMessage);
  return {
    add: (...addition) =>
      new Promise((resolve, reject) => {
        if (unsent.length === 0) setImmediate(send);
        unsent.push({ addition, resolve, reject });
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
