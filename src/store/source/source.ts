// The databases that a server reads from, and whether what it cached from them is still current (R29, R30).
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Surface } from '../../domain/model.ts';
import type { PoolView, Reader } from '../engine/engine.ts';
import type { Touch } from '../engine/touches.ts';

export type DatabaseState = 'up' | 'behind' | 'down';

/** One database as this process sees it. */
export type DatabaseView = Readonly<{
  /** `primary`, or `replica-1` and so on. */
  name: string;
  state: DatabaseState;
  /** How long it has been known to lack something that another database has. */
  behindMs: number;
  connections: PoolView | null;
}>;

export type SourceEvents = Readonly<{
  onStateChange?: (name: string, state: DatabaseState, cause: unknown) => void;
  /** What is due cannot be read: it is tried again, and reported once. */
  onScheduleUnread?: (cause: unknown) => void;
  /** The database file was replaced, and the new one is open. */
  onReopened?: (name: string) => void;
}>;

export type OnTouched = (touches: readonly Touch[]) => void;
export type OnDue = (overdueMs: number) => void;

export type Source = Readonly<{
  /**
   * Runs a query on a database that is up. If there is none, fails as unavailable in less than a second, counted from
   * when the request arrived: `spentMs` is the time it has spent already.
   */
  read: <T>(query: (db: Reader) => MaybePromise<T>, spentMs?: number) => MaybePromise<T>;
  /** Is everything that was read and not touched since still current, within the bounds of R29? */
  isConfirmed: () => MaybePromise<boolean>;
  /** How long ago that was last certain. */
  unconfirmedMs: () => number;
  /**
   * The latest known revision; what was read at an earlier one may be out of date. For the public surface, the latest
   * revision that changed anything it shows.
   */
  revision: (surface?: Surface) => number;
  onTouched: (listener: OnTouched) => void;
  /** Calls the listener a few times a second while a scheduled draft is due, by the clock of the primary (R50). */
  onDue: (listener: OnDue) => void;
  /** How long the first draft that is due has been waiting; 0 if none is. Not known without a listener. */
  overdueMs: () => number;
  isUp: () => boolean;
  databases: () => readonly DatabaseView[];
  close: () => Promise<void>;
}>;
