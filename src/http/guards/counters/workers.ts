// One count for all worker processes of this machine: it is kept in the primary process, which they ask.
import cluster from 'node:cluster';
import { withTimeout } from '../../../store/engine/timeout.ts';
import type { Allowance, Count } from './counters.ts';
import { processCounters } from './process.ts';
import type { RemoteCounters } from './shared.ts';

/** Long, because the primary process is of this machine and also hands out connections: it may be busy for a while. */
export const PRIMARY_MS_MAX = 1_000;
const PROBE: Allowance = { kind: 'probe', max: 1, windowSeconds: 1 };

type Add = readonly [allowance: Allowance, client: string, points: number];
/** To the primary process: all that a worker counts in one turn of its event loop, in order. */
type CountRequest = Readonly<{ counting: { id: number; adds: readonly Add[] } }>;
/** From the primary process: the counts, in the same order. */
type CountReply = Readonly<{ counted: { id: number; counts: readonly Count[] } }>;

/** In the primary process: counts for all workers that ask. */
export function countForWorkers(): void {
  const counters = processCounters();
  cluster.on('message', (worker, message: unknown) => {
    if (!isQuestion(message) || !worker.isConnected()) return;
    const { id, adds } = message.counting;
    const counts = adds.map((add) => counters.add(...add));
    // A worker that has ended meanwhile does not miss it.
    worker.send({ counted: { id, counts } } satisfies CountReply, () => {});
  });
}

/** In a worker: a function that connects to what the primary process counts. */
export function primaryCounters(): () => Promise<RemoteCounters> {
  let questions = 0;
  return async () => {
    const link = openLink(() => ++questions);
    try {
      await withTimeout(link.add(PROBE, 'any', 0), PRIMARY_MS_MAX);
      return link;
    } catch (error) {
      link.close();
      throw error;
    }
  };
}

type PendingCount = Readonly<{ add: Add; resolve: (counted: Count) => void; reject: (error: Error) => void }>;

/** Ids are never used twice: what a link was not told in time must not reach the next one. */
function openLink(nextId: () => number): RemoteCounters {
  const asked = new Map<number, readonly PendingCount[]>();
  let gathered: PendingCount[] = [];

  function send(): void {
    if (gathered.length === 0) return;
    const id = nextId();
    const waiting = gathered;
    gathered = [];
    asked.set(id, waiting);
    const question: CountRequest = { counting: { id, adds: waiting.map(({ add }) => add) } };
    process.send?.(question, undefined, undefined, (error) => {
      if (error) giveUp(error);
    });
  }

  function onMessage(message: unknown): void {
    if (!isReply(message)) return;
    const { id, counts } = message.counted;
    for (const [index, { resolve }] of (asked.get(id) ?? []).entries()) resolve(counts[index] as Count);
    asked.delete(id);
  }

  function giveUp(error: Error): void {
    const waiting = [...asked.values(), gathered].flat();
    asked.clear();
    gathered = [];
    for (const { reject } of waiting) reject(error);
  }

  process.on('message', onMessage);
  return {
    add: (...add) =>
      new Promise((resolve, reject) => {
        if (gathered.length === 0) setImmediate(send);
        gathered.push({ add, resolve, reject });
      }),
    close: () => {
      process.off('message', onMessage);
      giveUp(new Error('the primary process is no longer asked'));
    },
  };
}

function isQuestion(message: unknown): message is CountRequest {
  return typeof message === 'object' && message !== null && 'counting' in message;
}

function isReply(message: unknown): message is CountReply {
  return typeof message === 'object' && message !== null && 'counted' in message;
}
