// Runs in the primary process: keeps the counts of all workers, and lends them shares of what clients have left.
import { withTimeout } from '../../../timeout.ts';
import type { Asked, Counted, PrimaryMessage, Returned, WorkerMessage } from './lease-messages.ts';
import { type Window, type WindowOptions, WindowTable } from './windows.ts';

/** A lease is this part of what the client has left, divided by the number of workers. */
const LEASE_PART = 64;
/** A lease is recalled once more than this part of what the client had left is counted: its worker knows an old count. */
const STALE_PART = 16;
/** A worker that takes longer to return a lease is taken to have used it up. Shorter than `PRIMARY_MS_MAX`. */
const RECALL_MS_MAX = 500;

type Connection = Readonly<{ receive: (message: WorkerMessage) => void; close: () => void }>;
type PrimaryCounters = Readonly<{ connect: (send: (message: PrimaryMessage) => void) => Connection }>;

/** A worker. */
class Holder {
  /** False if it did not return a lease in time, until it sends something, and after it has ended. */
  responds = true;
  readonly send: (message: PrimaryMessage) => void;

  constructor(send: (message: PrimaryMessage) => void) {
    this.send = send;
  }
}

/** Beyond the count `staleAt` it is recalled, once. */
type Lease = Readonly<{ number: number; holder: Holder; points: number }> & { staleAt: number };
type LeasedWindow = Window<readonly Lease[]>;

/** Additions for one client that wait for its leases. */
type Recall = { missing: Set<Holder>; done: () => void; waiting: (() => void)[] };

export function primaryCounters({
  clientsMax,
  now = () => performance.now(),
  recallMsMax = RECALL_MS_MAX,
}: WindowOptions & Readonly<{ recallMsMax?: number }> = {}): PrimaryCounters {
  const table = new WindowTable<readonly Lease[]>(clientsMax);
  const holders = new Set<Holder>();
  const recalls = new Map<string, Recall>();
  let leases = 0;

  /** Returns null if leases have to be recalled first. */
  function add(holder: Holder, [kind, max, windowSeconds, client, points]: Asked): Counted | null {
    const time = now();
    const windows = table.of(kind, time);
    let window = windows.find(client, time);
    if (window === undefined) {
      if (points === 0) return [0, 0, 0, 0];
      window = windows.begin(client, time, time + windowSeconds * 1_000);
    }
    dropLease(window, (lease) => lease.holder === holder);
    if (window.count + points > max && isLent(window)) return null;
    window.count += points;
    if (window.note !== undefined) recallStale(window, kind, client);
    if (window.count >= max) windows.keep(window);
    return [window.count - lentPoints(window), window.msLeft(time), 0, 0];
  }

  /** Only when the reply leaves: until then the worker could not return the lease. */
  function lend(holder: Holder, [kind, max, , client]: Asked, counted: Counted): Counted {
    const [count, msBeforeNext] = counted;
    const window = findWindow(kind, client);
    // Another window may have begun since.
    if (window === undefined || window.msLeft(now()) > msBeforeNext || count > max) return counted;
    const points = Math.floor((max - window.count) / (LEASE_PART * holders.size));
    if (points <= 0) return counted;
    const staleAt = window.count + Math.ceil((max - window.count) / STALE_PART);
    window.count += points;
    const lease = { number: ++leases, holder, points, staleAt };
    window.note = window.note?.concat(lease) ?? [lease];
    return [count, msBeforeNext, leases, points];
  }

  function recallStale(window: LeasedWindow, kind: string, client: string): void {
    for (const lease of window.note ?? []) {
      if (window.count <= lease.staleAt) continue;
      lease.staleAt = Infinity;
      lease.holder.send({ recalled: [[kind, client, lease.number]] });
    }
  }

  function addAll(holder: Holder, { id, additions, takesLeases }: NonNullable<WorkerMessage['ask']>): void {
    const counts: Counted[] = [];
    let missing = additions.length;
    const set = (index: number, count: Counted) => {
      counts[index] = count;
      missing--;
      if (missing === 0 && holders.has(holder)) reply();
    };
    const reply = () => {
      const lendOne = (counted: Counted, index: number) => lend(holder, additions[index] as Asked, counted);
      holder.send({ id, counts: takesLeases ? counts.map(lendOne) : counts });
    };
    const addOne = (index: number, addition: Asked) => {
      const again = () => addOne(index, addition);
      const recall = recalls.size > 0 ? recalls.get(keyOf(addition[0], addition[3])) : undefined;
      if (recall !== undefined) return void recall.waiting.push(again);
      const counted = add(holder, addition);
      if (counted === null) startRecall(addition[0], addition[3], again);
      else set(index, counted);
    };
    for (const [index, addition] of additions.entries()) addOne(index, addition);
  }

  function startRecall(kind: string, client: string, again: () => void): void {
    const window = findWindow(kind, client);
    const lent = (window?.note ?? []).filter(({ holder }) => holder.responds);
    const { promise, resolve } = Promise.withResolvers<void>();
    const recall = { missing: new Set(lent.map(({ holder }) => holder)), done: resolve, waiting: [again] };
    recalls.set(keyOf(kind, client), recall);
    for (const { holder, number } of lent) holder.send({ recalled: [[kind, client, number]] });
    withTimeout(promise, recallMsMax)
      .catch(() => {
        for (const holder of recall.missing) holder.responds = false;
      })
      .then(() => {
        recalls.delete(keyOf(kind, client));
        for (const addAgain of recall.waiting) addAgain();
      });
  }

  function takeBack(holder: Holder, [kind, client, number, unusedPoints]: Returned): void {
    const window = findWindow(kind, client);
    if (window !== undefined && dropLease(window, (lease) => lease.number === number))
      window.count -= unusedPoints;
    const recall = recalls.get(keyOf(kind, client));
    if (recall !== undefined) settle(recall, holder);
  }

  function settle(recall: Recall, holder: Holder): void {
    recall.missing.delete(holder);
    if (recall.missing.size === 0) recall.done();
  }

  function findWindow(kind: string, client: string): LeasedWindow | undefined {
    const time = now();
    return table.of(kind, time).find(client, time);
  }

  return {
    connect: (send) => {
      const holder = new Holder(send);
      holders.add(holder);
      return {
        receive: ({ returned, ask }) => {
          holder.responds = true;
          for (const lease of returned) takeBack(holder, lease);
          if (ask !== undefined) addAll(holder, ask);
        },
        close: () => {
          holder.responds = false;
          holders.delete(holder);
          for (const recall of recalls.values()) settle(recall, holder);
        },
      };
    },
  };
}

function keyOf(kind: string, client: string): string {
  return `${kind} ${client}`;
}

/** Has a worker that responds a lease? */
function isLent({ note: leases }: LeasedWindow): boolean {
  return leases?.some(({ holder }) => holder.responds) === true;
}

/** Perhaps not used yet. */
function lentPoints({ note: leases }: LeasedWindow): number {
  return leases?.reduce((sum, { holder, points }) => sum + (holder.responds ? points : 0), 0) ?? 0;
}

function dropLease(window: LeasedWindow, isDropped: (lease: Lease) => boolean): boolean {
  const left = window.note?.filter((lease) => !isDropped(lease));
  const hasDropped = left?.length !== window.note?.length;
  if (hasDropped) window.note = left?.length === 0 ? undefined : left;
  return hasDropped;
}
