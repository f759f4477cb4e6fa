// Runs in a worker: counts in the primary process, with one request per turn of the event loop, and here while a lease
// lasts.
import type { Addition, Count, RemoteCounters } from './counters.ts';
import type { Counted, PrimaryMessage, Recalled, Returned, WorkerMessage } from './lease-messages.ts';

/** Clients with a lease, or over their limit, besides those of one reply. For any other the primary process is asked. */
const LEASES_MAX = 50_000;
const SWEEP_EVERY_MS = 1_000;
/** A lease ends at most this long before the window does: as long as its request was on the way. */
export const PRIMARY_MS_MAX = 1_000;

export type PrimaryChannel = Readonly<{
  send: (message: WorkerMessage) => void;
  /** Resolves, within a bounded time, when everything has been written. */
  flush: () => Promise<void>;
  /** Replaces the receiver before. */
  onMessage: (receive: (message: PrimaryMessage) => void) => void;
}>;

type Lease = {
  readonly kind: string;
  readonly client: string;
  readonly number: number;
  readonly endsAt: number;
  count: number;
  /** Infinite for a client over its limit: it stays so until the window ends, whatever is added. */
  left: number;
};

type Request = Readonly<{
  id: number;
  sentAt: number;
  additions: readonly Addition[];
  resolve: (counts: readonly Count[]) => void;
  reject: (error: Error) => void;
}>;

let requests = 0;

export function leasedCounters(
  channel: PrimaryChannel,
  { leasesMax = LEASES_MAX, now = () => performance.now() } = {},
): RemoteCounters {
  const leases = new Map<string, Lease>();
  let sent: Request | null = null;
  let sweptAt = now();

  function hasRoom(): boolean {
    if (leases.size >= leasesMax && now() - sweptAt >= SWEEP_EVERY_MS) sweep();
    return leases.size < leasesMax;
  }

  function sweep(): void {
    sweptAt = now();
    for (const [key, { endsAt }] of leases) if (endsAt + PRIMARY_MS_MAX < sweptAt) leases.delete(key);
  }

  /** Returns what is left of a lease, if anything. */
  function end(key: string): Returned[] {
    const lease = leases.get(key);
    leases.delete(key);
    if (lease === undefined || lease.left === 0 || lease.left === Infinity) return [];
    return [[lease.kind, lease.client, lease.number, lease.left]];
  }

  function receive(message: PrimaryMessage): void {
    if ('recalled' in message) channel.send({ returned: message.recalled.map(giveBack) });
    else if (message.id === sent?.id) acceptAll(sent, message.counts);
  }

  function giveBack([kind, client, number]: Recalled): Returned {
    const key = keyOf(kind, client);
    const [returned] = leases.get(key)?.number === number ? end(key) : [];
    return returned ?? [kind, client, number, 0];
  }

  /** At once: the next message may recall these leases. */
  function acceptAll({ additions, sentAt, resolve }: Request, counts: readonly Counted[]): void {
    sent = null;
    resolve(counts.map((counted, index) => accept(additions[index] as Addition, counted, sentAt)));
  }

  function accept(
    { allowance: { kind, max }, client }: Addition,
    [count, msBeforeNext, number, points]: Counted,
    sentAt: number,
  ): Count {
    const left = count > max ? Infinity : points;
    // A lease is always kept, or its points would be lost.
    if (points > 0 || (left > 0 && leases.size < leasesMax))
      leases.set(keyOf(kind, client), { kind, client, number, endsAt: sentAt + msBeforeNext, count, left });
    return { count, msBeforeNext };
  }

  channel.onMessage(receive);
  return {
    addHere: ({ kind }, client, points) => {
      const lease = leases.get(keyOf(kind, client));
      if (lease === undefined || lease.left < points) return undefined;
      const msBeforeNext = lease.endsAt - now();
      if (msBeforeNext <= 0) return undefined;
      lease.left -= points;
      lease.count += points;
      return { count: lease.count, msBeforeNext };
    },
    addAll: (additions) => {
      const returned = additions.flatMap(({ allowance, client }) => end(keyOf(allowance.kind, client)));
      const { promise, resolve, reject } = Promise.withResolvers<readonly Count[]>();
      // Never used again: a late reply must not be taken for another one.
      sent = { id: ++requests, sentAt: now(), additions, resolve, reject };
      channel.send({
        returned,
        ask: {
          id: sent.id,
          additions: additions.map(({ allowance: { kind, max, windowSeconds }, client, points }) => [
            kind,
            max,
            windowSeconds,
            client,
            points,
          ]),
          takesLeases: hasRoom(),
        },
      });
      return promise;
    },
    close: () => {
      channel.send({ returned: [...leases.keys()].flatMap(end) });
      sent?.reject(new Error('disconnected from the primary process'));
      sent = null;
      return channel.flush();
    },
  };
}

function keyOf(kind: string, client: string): string {
  return `${kind} ${client}`;
}
