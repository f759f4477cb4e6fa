import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { CommitWatch, Reader } from '../engine/engine.ts';
import { DatabaseUnreachable } from '../engine/failures.ts';
import { pollTouches } from '../engine/revisions.ts';
import { EVERYTHING } from '../engine/touches.ts';
import { requireCurrentSchema } from '../migrate/migrate.ts';
import { createKnown } from './known.ts';
import type { DatabaseState, Source, SourceEvents } from './source.ts';

const NAME = 'primary';
/** One turn of the event loop can be long when many connections are busy. */
const CONFIRMED_MS_MAX = 1;
/** How often to check whether the database file was replaced, while requests arrive. */
const FILE_CHECK_EVERY_MS = 200;
/** How often to check for commits and due versions, even without requests. */
const CHECK_EVERY_MS = 500;

type Query<T> = (db: Reader) => MaybePromise<T>;
type LocalDatabase = Readonly<{ db: Reader; watch: CommitWatch }>;
/** `commits` is null until it is known what the database has. */
type OpenDatabase = LocalDatabase & { reads: number; commits: number | null };

/** A database in this process: each request checks for commits, which costs little. */
export function openLocalSource(
  open: () => LocalDatabase,
  { onStateChange = () => {}, onReopened = () => {}, checkEveryMs = CHECK_EVERY_MS, ...events }: SourceEvents,
): Source {
  const known = createKnown(events);
  const openCounted = (): OpenDatabase => ({ ...open(), reads: 0, commits: null });
  let current = openCounted();
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let isConfirmedThisTurn = false;
  let state: DatabaseState = 'up';
  let fileCheckedAt = performance.now();
  let reopening: Promise<boolean> | null = null;
  /** Why the current file cannot be served. */
  let unusable: Error | null = null;
  let dueTimer: NodeJS.Timeout | undefined;

  function catchUp(commits: number): void {
    const { revision, touches } = pollTouches(current.watch.db, known.latest());
    // A lower revision means another database in the same file.
    const isAnother = current.commits === null || revision < known.latest();
    current.commits = commits;
    known.advance(revision, isAnother ? [EVERYTHING] : touches);
  }

  /** Switches to the current file if it can be served as it is. */
  async function reopen(): Promise<void> {
    const old = current;
    const next = openCounted();
    try {
      await requireCurrentSchema(next.db);
      // Reads of the old file that have their rows finish; the others start over on the new one.
      await nextTurn();
    } catch (error) {
      await close(next);
      throw error;
    }
    current = next;
    unusable = null;
    catchUp(next.watch.commits());
    onReopened(NAME);
    if (old.reads === 0) await close(old);
  }

  function read<T>(query: Query<T>): MaybePromise<T> {
    if (unusable !== null) throw new DatabaseUnreachable(unusable.message, { cause: unusable });
    const found = query(current.db);
    return found instanceof Promise ? finish(query, found, current) : found;
  }

  /** Runs a read with several steps, between which the file may be replaced. */
  async function finish<T>(query: Query<T>, reading: Promise<T>, own: OpenDatabase): Promise<T> {
    own.reads++;
    try {
      const rows = await reading;
      if (own === current) return rows;
    } finally {
      own.reads--;
      if (own.reads === 0 && own !== current) await close(own);
    }
    return await read(query);
  }

  function become(next: DatabaseState, cause: unknown): boolean {
    if (state !== next) onStateChange(NAME, next, cause);
    state = next;
    return next === 'up';
  }

  const onNextTurn = () => {
    isConfirmedThisTurn = false;
  };
  const confirmed = () => {
    confirmedAt = performance.now();
    if (!isConfirmedThisTurn) setImmediate(onNextTurn);
    isConfirmedThisTurn = true;
    return become('up', null);
  };

  /** Null while the file is the one that was opened. */
  function checkFile(): Promise<boolean> | null {
    fileCheckedAt = performance.now();
    if (current.watch.isSameFile()) {
      unusable = null;
      return null;
    }
    const tried = reopen().then(confirmed, (error: Error) => {
      unusable = error;
      return become('down', error);
    });
    reopening = tried.finally(() => {
      reopening = null;
    });
    return reopening;
  }

  function isConfirmed(): MaybePromise<boolean> {
    // All requests of this turn arrived before the last check, so one check serves them all.
    if (isConfirmedThisTurn && performance.now() - confirmedAt < CONFIRMED_MS_MAX) return true;
    if (reopening !== null) return reopening;
    try {
      const replaced = performance.now() - fileCheckedAt < FILE_CHECK_EVERY_MS ? null : checkFile();
      if (replaced !== null) return replaced;
      if (unusable !== null) return become('down', unusable);
      const commits = current.watch.commits();
      if (commits !== current.commits) catchUp(commits);
      return confirmed();
    } catch (error) {
      return become('down', error);
    }
  }

  async function checkSchedule(): Promise<void> {
    const now = new Date().toISOString();
    if (await isConfirmed()) await known.checkDue(current.watch.db, known.latest(), now);
  }

  return {
    ...known.view,
    read,
    isConfirmed,
    unconfirmedMs: () => performance.now() - confirmedAt,
    onDue: (listener) => {
      known.view.onDue(listener);
      // A failed check is repeated: the database is locked or was replaced.
      dueTimer ??= setInterval(() => checkSchedule().catch(() => {}), checkEveryMs).unref();
    },
    isUp: () => state === 'up',
    databases: () => [{ name: NAME, state, behindMs: 0, connections: null }],
    close: async () => {
      clearInterval(dueTimer);
      await reopening;
      await close(current);
    },
  };
}

async function close({ db, watch }: LocalDatabase): Promise<void> {
  await Promise.all([watch.db.destroy(), db.destroy()]);
}
