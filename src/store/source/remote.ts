import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../timeout.ts';
import type { Engine, OpenOptions, Reader } from '../engine/engine.ts';
import {
  DatabaseTimeout,
  DatabaseUnreachable,
  isExhausted,
  isTimeout,
  isUnavailable,
} from '../engine/failures.ts';
import { type DirectReader, runLimited } from '../engine/prepared.ts';
import { findRevisionAt, listTouches, type RevisionAt } from '../engine/revisions.ts';
import { EVERYTHING } from '../engine/touches.ts';
import { type Indexes, indexesOf } from '../read/index.ts';
import { createKnown } from './known.ts';
import type { DatabaseState, DatabaseView, Source, SourceEvents } from './source.ts';

/** Four polls per second, each with a timeout of half a second, stay within the second of R29. */
const POLL_EVERY_MS = 250;
const POLL_MS_MAX = 500;
const CONFIRMED_MS_MAX = 900;
/** Private reads must fail within a second (R30). */
const READ_MS_MAX = 750;
/** The rest of that time is for the next database. */
const FIRST_TRY_MS_MAX = 350;
/** A replica that lags longer than this is skipped. */
const BEHIND_MS_MAX = 500;
/** Once the primary has been down this long, replicas are used even if they lack something. */
const ORPHANED_MS = 60_000;
/** A database that has not responded to a poll for this long counts as down. */
const UNANSWERED_MS_MAX = 1_250;
/** For a latency of about 150 ms: connecting takes several round trips. */
const CONNECT_MS_MAX = 2_000;
const CONNECTIONS_MAX = 10;
const CLOSE_MS_MAX = 1_000;

export type RemoteOptions = Pick<OpenOptions, 'onQuery'> &
  SourceEvents & {
    orphanedMs?: number;
    pollEveryMs?: number;
    /** How long to wait for a response that takes this long on a quiet machine. */
    limit?: (ms: number) => number;
  };

/** Databases over the network: a primary, then its replicas, read in rotation while they keep up. */
export async function openRemoteSource(
  engine: Engine,
  urls: readonly string[],
  options: RemoteOptions,
): Promise<Source> {
  const { onQuery, orphanedMs = ORPHANED_MS, pollEveryMs = POLL_EVERY_MS } = options;
  const { onStateChange = () => {}, limit = (ms) => ms } = options;
  const known = createKnown(options);
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let rotation = 0;
  let haveAllBeenPolled = false;
  let isOpen = true;

  const databases = urls.map((url, index) => {
    const open = (connectionsMax: number, patienceMs: number, more: OpenOptions = {}) => {
      const patience = { patienceMs: limit(patienceMs), connectMs: limit(CONNECT_MS_MAX) };
      return engine.openReader(url, { connectionsMax, ...patience, ...more });
    };
    return new Database({
      name: index === 0 ? 'primary' : `replica-${index}`,
      open: () => open(CONNECTIONS_MAX, READ_MS_MAX, onQuery && { onQuery }),
      probe: open(1, POLL_MS_MAX),
      onStateChange,
      limit,
    });
  });
  const [primary, ...replicas] = databases as [Database, ...Database[]];

  /** One poll of a database at a time: whoever needs one in the meantime waits for it. */
  function poll(database: Database): Promise<Polled | null> {
    database.polling ??= ask(database, performance.now()).finally(() => {
      database.polling = null;
    });
    return database.polling;
  }

  async function ask(database: Database, startedAt: number): Promise<Polled | null> {
    const knownBefore = known.latest();
    let polled: Polled | null = null;
    try {
      polled = await findCurrent(database);
      const { revision: current, db } = polled;
      // If the primary's revision went back, after a restore or a failover, the cache does not match its history.
      if (database === primary && current < knownBefore) known.advance(current, [EVERYTHING]);
      else if (current > known.latest()) {
        const touches = await listTouches(db, known.latest());
        // Another database may have reported a later revision in the meantime.
        known.advance(Math.max(known.latest(), current), touches);
      }
      database.answered(startedAt, current);
    } catch (error) {
      database.failed(error);
    }
    // Until all have been polled once, it is unknown what a replica lacks.
    if (haveAllBeenPolled) {
      compareReplicas();
      if (!databases.some(isUsable)) settleForReplicas();
      confirm();
    }
    return polled;
  }

  function compareReplicas(): void {
    for (const replica of replicas) replica.compare(known.latest());
  }

  /** Treats what only the primary had as lost; waiting for it might never end. */
  function settleForReplicas(): void {
    const behind = replicas.filter((replica) => replica.stateNow() === 'behind');
    if (behind.length === 0 || performance.now() - primary.answeredAt < orphanedMs) return;
    known.advance(Math.max(...behind.map((replica) => replica.revision)), [EVERYTHING]);
    compareReplicas();
  }

  /** A server with no connection left for a poll may still respond on those that reads have open. */
  async function findCurrent({ probe, reader }: Database): Promise<Polled> {
    try {
      return { ...(await findRevisionAt(probe)), db: probe };
    } catch (error) {
      if (!isExhausted(error)) throw error;
      return { ...(await inTime(findRevisionAt(reader), limit(POLL_MS_MAX))), db: reader };
    }
  }

  async function watch(database: Database): Promise<void> {
    while (isOpen) {
      const startedAt = performance.now();
      const polled = await poll(database);
      if (database === primary && polled !== null)
        await known.checkDue(polled.db, polled.revision, polled.now);
      const leftMs = startedAt + pollEveryMs - performance.now();
      if (leftMs > 0) await delay(leftMs, undefined, { ref: false });
    }
  }

  const isUsable = (database: Database) => database.stateNow() === 'up';

  /** The replicas that keep up, in rotation, then the primary. */
  function candidates(): Database[] {
    const usable = replicas.filter(isUsable);
    const first = rotation++ % Math.max(usable.length, 1);
    return [...usable.slice(first), ...usable.slice(0, first), ...[primary].filter(isUsable)];
  }

  /** When this process last knew of every write. */
  function confirm(): number {
    const asked = isUsable(primary) ? [primary] : replicas.filter(isUsable);
    confirmedAt = Math.max(confirmedAt, ...asked.map(({ answeredAt }) => answeredAt));
    return confirmedAt;
  }

  for (const database of databases) void watch(database);
  await Promise.all(databases.map(poll));
  haveAllBeenPolled = true;
  compareReplicas();
  confirm();

  return {
    ...known.view,
    read: async (query, spentMs = 0) => {
      const deadline = performance.now() + limit(READ_MS_MAX) - spentMs;
      const tries = candidates();
      let failure: unknown = null;
      for (const [index, database] of tries.entries()) {
        const leftMs = deadline - performance.now();
        const isLast = index === tries.length - 1;
        const patienceMs = isLast ? leftMs : Math.min(leftMs, limit(FIRST_TRY_MS_MAX));
        const { reader } = database;
        const running = { isOver: false };
        try {
          const reading = runLimited(running, () => query(reader));
          return await inTime(reading, patienceMs, isLast ? indexesOf.get(reader) : undefined);
        } catch (error) {
          running.isOver = true;
          // Replacing the pool fails queries that were waiting for a connection in it.
          const isReplaced = reader !== database.reader;
          if (!isUnavailable(error) && !isReplaced) throw error;
          failure = isReplaced ? new DatabaseUnreachable('the database went down', { cause: error }) : error;
        }
      }
      throw failure ?? new DatabaseUnreachable('no database answers');
    },
    isConfirmed: () => performance.now() - confirm() <= limit(CONFIRMED_MS_MAX),
    unconfirmedMs: () => performance.now() - confirm(),
    isUp: () => databases.some(isUsable),
    databases: () => databases.map((database) => database.view()),
    close: async () => {
      isOpen = false;
      const closed = databases.flatMap(({ reader, probe }) => [reader.destroy(), probe.destroy()]);
      await Promise.race([Promise.all(closed), delay(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

type Polled = RevisionAt & { db: Reader };

type Needs = Readonly<{ name: string; open: () => Reader; probe: Reader }> &
  Required<Pick<RemoteOptions, 'onStateChange' | 'limit'>>;

class Database {
  reader: Reader;
  polling: Promise<Polled | null> | null = null;
  /** When the last successful poll began. */
  answeredAt = Number.NEGATIVE_INFINITY;
  state: DatabaseState = 'up';
  revision = 0;
  readonly probe: Reader;
  readonly #needs: Needs;
  #behindSince: number | null = null;
  #hasKeptUp = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.probe = needs.probe;
    this.reader = needs.open();
  }

  answered(at: number, revision: number): void {
    this.answeredAt = at;
    this.revision = revision;
    if (this.state === 'down') this.#become('up', null);
  }

  failed(error: unknown): void {
    // A busy process sees responses late.
    if (isTimeout(error) && !this.#isSilent()) return;
    if (this.state !== 'down') {
      // Its connections may hang without an error, so later reads get new ones.
      void this.reader.destroy().catch(() => {});
      this.reader = this.#needs.open();
    }
    this.#become('down', error);
  }

  compare(known: number): void {
    if (this.answeredAt === Number.NEGATIVE_INFINITY) return;
    if (this.revision >= known) {
      this.#behindSince = null;
      this.#hasKeptUp = true;
    } else {
      // A replica that was behind from the start may have been so for hours.
      this.#behindSince ??= this.#hasKeptUp ? performance.now() : -BEHIND_MS_MAX;
    }
    if (this.state !== 'down') this.#become(this.#isBehind() ? 'behind' : 'up', null);
  }

  /** By the clock, not only by the last poll, which may be old or still running. */
  stateNow(): DatabaseState {
    if (this.state !== 'up') return this.state;
    if (this.#isSilent()) return 'down';
    return this.#isBehind() ? 'behind' : 'up';
  }

  view(): DatabaseView {
    return {
      name: this.#needs.name,
      state: this.stateNow(),
      behindMs: this.#behindMs(),
      connections: (this.reader as unknown as DirectReader).options.viewPool?.() ?? null,
    };
  }

  #behindMs(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  #isBehind(): boolean {
    return this.#behindMs() > BEHIND_MS_MAX;
  }

  #isSilent(): boolean {
    return performance.now() - this.answeredAt > this.#needs.limit(UNANSWERED_MS_MAX);
  }

  #become(state: DatabaseState, cause: unknown): void {
    if (this.state === state) return;
    this.state = state;
    this.#needs.onStateChange(this.#needs.name, state, cause);
  }
}

const timeoutError = () => new DatabaseTimeout('the database did not answer in time');

/** With `indexes`, longer as long as slices arrive: those of a very long changelog take more time than a read may. */
async function inTime<T>(pending: T | Promise<T>, msMax: number, indexes?: Indexes): Promise<T> {
  const before = indexes?.slices;
  return await withTimeout(pending, msMax, timeoutError).catch((error) => {
    if (indexes?.slices === before) throw error;
    return inTime(pending, msMax, indexes);
  });
}
