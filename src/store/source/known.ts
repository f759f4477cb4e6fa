// What a source knows of its content: the latest revision, and when the next scheduled draft is due (R50).
import type { Reader } from '../engine/engine.ts';
import { type Touch, touchesOn } from '../engine/touches.ts';
import { findNextDue } from '../read/due.ts';
import type { OnDue, OnTouched, Source, SourceEvents } from './source.ts';

export function createKnown({ onScheduleUnread = () => {} }: SourceEvents) {
  const touchedListeners: OnTouched[] = [];
  const dueListeners: OnDue[] = [];
  let latest = 0;
  let latestPublic = 0;
  let overdueMs = 0;
  /** Looked up once per revision: schedules, and locks that block them, are part of a revision. */
  let next: Readonly<{ db: Reader; revision: number; publishAt: string | null }> | null = null;
  let isUnread = false;
  const view: Pick<Source, 'revision' | 'onTouched' | 'onDue' | 'overdueMs'> = {
    revision: (surface) => (surface === 'public' ? latestPublic : latest),
    onTouched: (listener) => void touchedListeners.push(listener),
    onDue: (listener) => void dueListeners.push(listener),
    overdueMs: () => overdueMs,
  };
  return {
    view,
    latest: () => latest,
    advance: (revision: number, touches: readonly Touch[]): void => {
      latest = revision;
      if (touchesOn('public', touches).length > 0) latestPublic = revision;
      for (const listener of touchedListeners) listener(touches);
    },
    /**
     * `now` is the database's clock, read beforehand. There is no timer for the due time itself: clocks are set and
     * machines suspended. A failed check is repeated: a table was locked, or the query too slow.
     */
    checkDue: async (db: Reader, revision: number, now: string): Promise<void> => {
      if (next?.db !== db || next.revision !== revision)
        try {
          next = { db, revision, publishAt: await findNextDue(db) };
          isUnread = false;
        } catch (error) {
          if (!isUnread) onScheduleUnread(error);
          isUnread = true;
          return;
        }
      const { publishAt } = next;
      const isDue = publishAt !== null && publishAt <= now;
      overdueMs = isDue ? Date.parse(now) - Date.parse(publishAt) : 0;
      if (isDue) for (const listener of dueListeners) listener(overdueMs);
    },
  };
}
