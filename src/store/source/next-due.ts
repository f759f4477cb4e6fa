// When the next scheduled draft is due (R50).
import type { Reader } from '../engine/engine.ts';
import { findNextDue } from '../read/due.ts';
import type { OnDue, SourceEvents } from './source.ts';

/** Looked up once per revision: schedules, and locks that block them, are part of a revision. */
export class NextDue {
  #revision: number | null = null;
  #publishAt: string | null = null;
  #overdueMs = 0;
  #isUnread = false;
  readonly #listeners: OnDue[] = [];
  readonly #onUnread: (cause: unknown) => void;

  constructor({ onScheduleUnread = () => {} }: SourceEvents) {
    this.#onUnread = onScheduleUnread;
  }

  onDue(listener: OnDue): void {
    this.#listeners.push(listener);
  }

  /** How long the first due version has been waiting, as of the last check. */
  overdueMs(): number {
    return this.#overdueMs;
  }

  /** Another database may have the same revision. */
  forget(): void {
    this.#revision = null;
  }

  /**
   * `now` is the database's clock, read beforehand. There is no timer for the due time itself: clocks are set and
   * machines suspended. A failed check is repeated: a table was locked, or the query too slow.
   */
  async check(db: Reader, revision: number, now: string): Promise<void> {
    if (revision !== this.#revision) {
      try {
        this.#publishAt = await findNextDue(db);
      } catch (error) {
        if (!this.#isUnread) this.#onUnread(error);
        this.#isUnread = true;
        return;
      }
      this.#isUnread = false;
      this.#revision = revision;
    }
    const isDue = this.#publishAt !== null && this.#publishAt <= now;
    this.#overdueMs = isDue ? Date.parse(now) - Date.parse(this.#publishAt as string) : 0;
    if (isDue) for (const listener of this.#listeners) listener(this.#overdueMs);
  }
}
