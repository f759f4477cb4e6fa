import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, OpenOptions, Reader } from '../engine/engine.ts';
import {
  DatabaseTimeout,
  DatabaseUnreachable,
  isExhausted,
  isTimeout,
  isUnavailable,
} from '../engine/failures.ts';
import { withTimeout } from '../engine/timeout.ts';
import { findRevision, listTouches, type Touch } from './revisions.ts';
import type { DatabaseState, DatabaseView, Source, SourceEvents } from './source.ts';

/** Four looks a second and half a second of patience leave room within the second of R29. */
const LOOK_EVERY_MS = 250;
const LOOK_PATIENCE_MS = 500;
const CONFIRMED_MS_MAX = 900;
/** Of the second after which private reads must have failed (R30). */
const READ_MS_MAX = 750;
/** What is left of that is for the next database. */
const FIRST_TRY_MS_MAX = 350;
/** A replica that lacks what another database has for longer than this is passed over. */
const BEHIND_MS_MAX = 500;
/** Without the primary for this long, its replicas are taken for all there is, even if they lack something. */
const ORPHANED_MS = 60_000;
/** Without an answer to a look for this long, a database counts as away. */
const UNANSWERED_MS_MAX = 1_250;
/** For a server that is some 150 ms away: a connection to it takes several round trips. */
const CONNECT_MS_MAX = 2_000;
const CONNECTIONS_MAX = 10;
const CLOSE_MS_MAX = 1_000;

/** Databases over the network: the first is the primary, the others are read in turn while they keep up with it. */
export async function openRemoteSource(
  engine: Engine,
  urls: readonly string[],
  {
    onQuery,
    onStateChange = () => {},
    orphanedMs = ORPHANED_MS,
    lookEveryMs = LOOK_EVERY_MS,
  }: Pick<OpenOptions, 'onQuery'> & SourceEvents & { orphanedMs?: number; lookEveryMs?: number },
): Promise<Source> {
  const listeners: ((touches: readonly Touch[] | null) => void)[] = [];
  let revision = 0;
  let publicRevision = 0;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  let hasAskedAll = false;
  let isOpen = true;

  const databases = urls.map((url, index) => {
    const open = () =>
      engine.openReader(url, {
        connectionsMax: CONNECTIONS_MAX,
        patienceMs: READ_MS_MAX,
        connectMs: CONNECT_MS_MAX,
        ...(onQuery && { onQuery }),
      });
    const probe = engine.openReader(url, {
      connectionsMax: 1,
      patienceMs: LOOK_PATIENCE_MS,
      connectMs: CONNECT_MS_MAX,
    });
    return new Database(index === 0 ? 'primary' : `replica-${index}`, open, probe, onStateChange);
  });
  const [primary, ...replicas] = databases as [Database, ...Database[]];

  async function look(database: Database): Promise<void> {
    const startedAt = performance.now();
    const knownBefore = revision;
    try {
      const { current, db } = await findCurrent(database);
      // A primary that went back, after a restore or a failover, shares no history with what is held.
      const isAnother = database === primary && current < knownBefore;
      if (isAnother || current > revision) {
        const touches = isAnother ? null : await listTouches(db, revision);
        // Another database may have told of later ones in the meantime.
        revision = isAnother ? current : Math.max(revision, current);
        if (touches === null || touches.some(({ isHidden }) => !isHidden)) publicRevision = revision;
        for (const listener of listeners) listener(touches);
      }
      database.answered(startedAt, current);
    } catch (error) {
      database.failed(error);
    }
    // Before all have been asked once, it is not known what a replica could lack.
    if (!hasAskedAll) return;
    compareReplicas();
    if (!databases.some(isUsable)) settleForReplicas();
    confirm();
  }

  function compareReplicas(): void {
    for (const replica of replicas) replica.compare(revision);
  }

  /** What only the primary had is lost with it, as far as can be told from here; waiting for it would never end. */
  function settleForReplicas(): void {
    const behind = replicas.filter((replica) => replica.stateNow() === 'behind');
    if (behind.length === 0 || performance.now() - primary.answeredAt < orphanedMs) return;
    revision = Math.max(...behind.map((replica) => replica.revision));
    publicRevision = revision;
    for (const listener of listeners) listener(null);
    compareReplicas();
  }

  /** A server that has no connection left for a look may still answer on those that reads have open. */
  async function findCurrent({ probe, reader }: Database): Promise<{ current: number; db: Reader }> {
    try {
      return { current: await findRevision(probe), db: probe };
    } catch (error) {
      if (!isExhausted(error)) throw error;
      return {
        current: await withTimeout(findRevision(reader), LOOK_PATIENCE_MS, databaseTimeout),
        db: reader,
      };
    }
  }

  async function watch(database: Database): Promise<void> {
    while (isOpen) {
      const next = delay(lookEveryMs, undefined, { ref: false });
      await look(database);
      await next;
    }
  }

  const isUsable = (database: Database) => database.stateNow() === 'up';

  /** Replicas that keep up, in turn, and then the primary. */
  function candidates(): Database[] {
    const usable = replicas.filter(isUsable);
    const first = turn++ % Math.max(usable.length, 1);
    return [...usable.slice(first), ...usable.slice(0, first), ...[primary].filter(isUsable)];
  }

  /** When it was last known that nothing had been written of which nobody here knows. */
  function confirm(): number {
    const asked = isUsable(primary) ? [primary] : replicas.filter(isUsable);
    confirmedAt = Math.max(confirmedAt, ...asked.map(({ answeredAt }) => answeredAt));
    return confirmedAt;
  }

  await Promise.all(databases.map(look));
  hasAskedAll = true;
  compareReplicas();
  confirm();
  for (const database of databases) void watch(database);

  return {
    read: async (query, spentMs = 0) => {
      const deadline = performance.now() + READ_MS_MAX - spentMs;
      const tries = candidates();
      let failure: unknown = new DatabaseUnreachable('no database answers');
      for (const [index, database] of tries.entries()) {
        const leftMs = deadline - performance.now();
        const patienceMs = index === tries.length - 1 ? leftMs : Math.min(leftMs, FIRST_TRY_MS_MAX);
        const { reader } = database;
        try {
          return await withTimeout(query(reader), patienceMs, databaseTimeout);
        } catch (error) {
          // A question that waited for a connection while those were given up fails in words of its own.
          const isGivenUp = reader !== database.reader;
          if (!isUnavailable(error) && !isGivenUp) throw error;
          failure = isGivenUp ? new DatabaseUnreachable('the database went away', { cause: error }) : error;
        }
      }
      throw failure;
    },
    isConfirmed: () => performance.now() - confirm() <= CONFIRMED_MS_MAX,
    unconfirmedMs: () => performance.now() - confirm(),
    revision: (surface) => (surface === 'public' ? publicRevision : revision),
    onTouched: (listener) => void listeners.push(listener),
    isUp: () => databases.some(isUsable),
    databases: () => databases.map((database) => database.view(engine)),
    close: async () => {
      isOpen = false;
      const closed = Promise.all(databases.map((database) => database.close()));
      await Promise.race([closed, delay(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

class Database {
  readonly name: string;
  readonly probe: Reader;
  reader: Reader;
  /** When the last look began that was answered. */
  answeredAt = Number.NEGATIVE_INFINITY;
  state: DatabaseState = 'up';
  #isAway = false;
  revision = 0;
  #behindSince: number | null = null;
  #hasKeptUp = false;
  readonly #open: () => Reader;
  readonly #onStateChange: NonNullable<SourceEvents['onStateChange']>;

  constructor(
    name: string,
    open: () => Reader,
    probe: Reader,
    onStateChange: NonNullable<SourceEvents['onStateChange']>,
  ) {
    this.name = name;
    this.#open = open;
    this.reader = open();
    this.probe = probe;
    this.#onStateChange = onStateChange;
  }

  answered(at: number, revision: number): void {
    this.answeredAt = at;
    this.revision = revision;
    if (this.#isAway) this.#become('up', null);
    this.#isAway = false;
  }

  failed(error: unknown): void {
    // A process that was held up itself finds its own answers late.
    if (isTimeout(error) && this.unansweredMs() <= UNANSWERED_MS_MAX) return;
    if (!this.#isAway) {
      // Its connections may hang without ever saying so: whoever reads after its return gets new ones.
      void this.reader.destroy().catch(() => {});
      this.reader = this.#open();
    }
    this.#isAway = true;
    this.#become('away', error);
  }

  /** Does it have what is known to be there? */
  compare(known: number): void {
    if (this.answeredAt === Number.NEGATIVE_INFINITY) return;
    if (this.revision >= known) {
      this.#behindSince = null;
      this.#hasKeptUp = true;
    } else {
      // One that was behind from the start may have been so for hours.
      this.#behindSince ??= this.#hasKeptUp ? performance.now() : -BEHIND_MS_MAX;
    }
    if (!this.#isAway) this.#become(this.behindMs() > BEHIND_MS_MAX ? 'behind' : 'up', null);
  }

  /** By the clock and not only by the last look, which may be some time ago, or still under way. */
  stateNow(): DatabaseState {
    if (this.state !== 'up') return this.state;
    if (this.unansweredMs() > UNANSWERED_MS_MAX) return 'away';
    return this.behindMs() > BEHIND_MS_MAX ? 'behind' : 'up';
  }

  unansweredMs(): number {
    return performance.now() - this.answeredAt;
  }

  behindMs(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  view(engine: Engine): DatabaseView {
    const { name } = this;
    return {
      name,
      state: this.stateNow(),
      behindMs: this.behindMs(),
      connections: engine.poolOf(this.reader),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.reader.destroy(), this.probe.destroy()]);
  }

  #become(state: DatabaseState, cause: unknown): void {
    if (this.state === state) return;
    this.state = state;
    this.#onStateChange(this.name, state, cause);
  }
}

function databaseTimeout(): DatabaseTimeout {
  return new DatabaseTimeout('the database does not answer in time');
}
