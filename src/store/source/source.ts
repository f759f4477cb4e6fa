// The databases that a server reads from, and whether what it cached is still current (R29, R30).
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
  /** How long it has lacked something that another database has. */
  behindMs: number;
  connections: PoolView | null;
}>;

export type SourceEvents = Readonly<{
  onStateChange?: (name: string, state: DatabaseState, cause: unknown) => void;
  /** Due versions cannot be read: this is retried, and reported once. */
  onScheduleUnread?: (cause: unknown) => void;
  /** How often a local database is checked for commits without requests. */
  checkEveryMs?: number;
  /** The database file was replaced, and the new one is open. */
  onReopened?: (name: string) => void;
}>;

export type OnTouched = (touches: readonly Touch[]) => void;
export type OnDue = (overdueMs: number) => void;

export type Source = Readonly<{
  /**
   * Runs a query on a database that is up. Without one, fails as unavailable within a second of the request's arrival,
   * `spentMs` ago.
   */
  read: <T>(query: (db: Reader) => MaybePromise<T>, spentMs?: number) => MaybePromise<T>;
  /** Whether everything read and not touched since is still current, within the bounds of R29. */
  isConfirmed: () => MaybePromise<boolean>;
  /** How long ago that was last certain. */
  unconfirmedMs: () => number;
  /**
   * The latest known revision; anything read at an earlier one may be outdated. For the public surface, the latest
   * revision that changed anything it shows.
   */
  revision: (surface?: Surface) => number;
  onTouched: (listener: OnTouched) => void;
  /** Calls the listener a few times per second while a scheduled draft is due by the primary's clock (R50). */
  onDue: (listener: OnDue) => void;
  /** How long the first due draft has been waiting; 0 if none is. Unknown without a listener. */
  overdueMs: () => number;
  isUp: () => boolean;
  databases: () => readonly DatabaseView[];
  close: () => Promise<void>;
}>;
