import type { CommitWatch, Reader } from './engine.ts';
import { findRevision, listTouches, type Touch } from './revisions.ts';
import type { DatabaseState, Source, SourceEvents } from './source.ts';

const NAME = 'primary';

/** A database within this process: whether anybody has committed is asked at every request, and costs next to nothing. */
export function openLocalSource(
  db: Reader,
  watch: CommitWatch,
  { onStateChange = () => {} }: SourceEvents,
): Source {
  const listeners: ((touches: readonly Touch[] | null) => void)[] = [];
  let commits: number | null = null;
  let revision = 0;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let state: DatabaseState = 'up';

  async function catchUp(seen: number): Promise<void> {
    const current = await findRevision(watch.db);
    // A number that went back is that of another database in the same place.
    const touches = current < revision ? null : await listTouches(watch.db, revision);
    revision = current;
    commits = seen;
    for (const listener of listeners) listener(touches);
  }

  function become(next: DatabaseState, cause: unknown): void {
    if (state === next) return;
    state = next;
    onStateChange(NAME, state, cause);
  }

  const confirmed = () => {
    confirmedAt = performance.now();
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
      try {
        const seen = watch.commits();
        return seen === commits ? confirmed() : catchUp(seen).then(confirmed, unconfirmed);
      } catch (error) {
        return unconfirmed(error);
      }
    },
    unconfirmedMs: () => performance.now() - confirmedAt,
    revision: () => revision,
    onTouched: (listener) => void listeners.push(listener),
    isUp: () => state === 'up',
    databases: () => [{ name: NAME, state, behindMs: 0, connections: null }],
    close: async () => {
      await Promise.all([watch.db.destroy(), db.destroy()]);
    },
  };
}
