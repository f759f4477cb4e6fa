import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommitWatch, Reader } from '../engine/engine.ts';
import { DatabaseUnreachable } from '../engine/failures.ts';
import { requireCurrentSchema } from '../migrate/migrate.ts';
import type { Touch } from './revisions.ts';
import type { DatabaseState, Source, SourceEvents } from './source.ts';

const NAME = 'primary';
/** A turn of the event loop can be long where very many connections are busy. */
const CONFIRMED_MS_MAX = 1;
/** How often it is looked whether another file was put in the place of the database, while requests come in. */
const PLACE_EVERY_MS = 200;

export type LocalDatabase = Readonly<{ db: Reader; watch: CommitWatch }>;

/** One that is open, and how many reads are under way in it. */
type Opened = LocalDatabase & { reads: number };

/** A database within this process: whether anybody has committed is asked whenever requests come in, and costs little. */
export function openLocalSource(
  open: () => LocalDatabase,
  { onStateChange = () => {}, onReopened = () => {} }: SourceEvents,
): Source {
  const listeners: ((touches: readonly Touch[] | null) => void)[] = [];
  let current: Opened = { ...open(), reads: 0 };
  let commits: number | null = null;
  let revision = 0;
  let publicRevision = 0;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  /** In this turn of the event loop. */
  let isConfirmedNow = false;
  let state: DatabaseState = 'up';
  let lookedAt = performance.now();
  let reopening: Promise<boolean> | null = null;
  /** Why what is in the place of the database now cannot be served. */
  let unusable: Error | null = null;

  function catchUp(seen: number): void {
    const look = current.watch.poll(revision);
    // A number that went back is that of another database in the same place.
    const touches = look.revision < revision ? null : look.touches;
    revision = look.revision;
    if (touches === null || touches.some(({ isHidden }) => !isHidden)) publicRevision = revision;
    commits = seen;
    for (const listener of listeners) listener(touches);
  }

  /** Goes over to the file that is there now, if it can be served as it is. */
  async function reopen(): Promise<void> {
    const old = current;
    old.watch.removeStaleSidecars();
    const next: Opened = { ...open(), reads: 0 };
    try {
      await requireCurrentSchema(next.db);
      const seen = next.watch.commits();
      const { revision: found } = next.watch.poll(0);
      // What was read from the old one is through with it, or else is read anew.
      await nextTurn();
      current = next;
      revision = found;
      publicRevision = found;
      commits = seen;
    } catch (error) {
      await close(next);
      throw error;
    }
    unusable = null;
    for (const listener of listeners) listener(null);
    onReopened(NAME);
    if (old.reads === 0) await close(old);
  }

  async function read<T>(query: (db: Reader) => Promise<T>): Promise<T> {
    if (unusable !== null) throw new DatabaseUnreachable(unusable.message, { cause: unusable });
    const own = current;
    own.reads++;
    try {
      const found = await query(own.db);
      if (own === current) return found;
    } finally {
      own.reads--;
      if (own.reads === 0 && own !== current) await close(own);
    }
    return await read(query);
  }

  function become(next: DatabaseState, cause: unknown): void {
    if (state === next) return;
    state = next;
    onStateChange(NAME, state, cause);
  }

  const endTurn = () => {
    isConfirmedNow = false;
  };
  const confirmed = () => {
    confirmedAt = performance.now();
    if (!isConfirmedNow) setImmediate(endTurn);
    isConfirmedNow = true;
    become('up', null);
    return true;
  };
  const unconfirmed = (cause: unknown) => {
    become('away', cause);
    return false;
  };

  /** Null while the database is where it was when it was opened. */
  function lookAtPlace(): Promise<boolean> | null {
    lookedAt = performance.now();
    if (current.watch.isSameFile()) {
      unusable = null;
      return null;
    }
    const tried = reopen().then(confirmed, (error: Error) => {
      unusable = error;
      return unconfirmed(error);
    });
    reopening = tried.finally(() => {
      reopening = null;
    });
    return reopening;
  }

  return {
    read,
    isConfirmed: () => {
      // What else this turn of the event loop brings was here already when it was asked: one question serves all of it.
      if (isConfirmedNow && performance.now() - confirmedAt < CONFIRMED_MS_MAX) return true;
      if (reopening !== null) return reopening;
      try {
        const moved = performance.now() - lookedAt < PLACE_EVERY_MS ? null : lookAtPlace();
        if (moved !== null) return moved;
        if (unusable !== null) return unconfirmed(unusable);
        const seen = current.watch.commits();
        if (seen !== commits) catchUp(seen);
        return confirmed();
      } catch (error) {
        return unconfirmed(error);
      }
    },
    unconfirmedMs: () => performance.now() - confirmedAt,
    revision: (surface) => (surface === 'public' ? publicRevision : revision),
    onTouched: (listener) => void listeners.push(listener),
    isUp: () => state === 'up',
    databases: () => [{ name: NAME, state, behindMs: 0, connections: null }],
    close: async () => {
      await reopening;
      await close(current);
    },
  };
}

async function close({ db, watch }: LocalDatabase): Promise<void> {
  await Promise.all([watch.db.destroy(), db.destroy()]);
}
