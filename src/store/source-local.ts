import type { CommitWatch, Reader } from './engine.ts';
import type { Touch } from './revisions.ts';
import type { DatabaseState, Source, SourceEvents } from './source.ts';

const NAME = 'primary';
/** A turn of the event loop can be long where very many connections are busy. */
const CONFIRMED_MS_MAX = 1;

/** A database within this process: whether anybody has committed is asked whenever requests come in, and costs little. */
export function openLocalSource(
  db: Reader,
  watch: CommitWatch,
  { onStateChange = () => {} }: SourceEvents,
): Source {
  const listeners: ((touches: readonly Touch[] | null) => void)[] = [];
  let commits: number | null = null;
  let revision = 0;
  let publicRevision = 0;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  /** In this turn of the event loop. */
  let isConfirmedNow = false;
  let state: DatabaseState = 'up';

  function catchUp(seen: number): void {
    const look = watch.look(revision);
    // A number that went back is that of another database in the same place.
    const touches = look.revision < revision ? null : look.touches;
    revision = look.revision;
    if (touches === null || touches.some(({ isHidden }) => !isHidden)) publicRevision = revision;
    commits = seen;
    for (const listener of listeners) listener(touches);
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

  return {
    read: (query) => query(db),
    isConfirmed: () => {
      // What else this turn of the event loop brings was here already when it was asked: one question serves all of it.
      if (isConfirmedNow && performance.now() - confirmedAt < CONFIRMED_MS_MAX) return true;
      try {
        const seen = watch.commits();
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
      await Promise.all([watch.db.destroy(), db.destroy()]);
    },
  };
}
