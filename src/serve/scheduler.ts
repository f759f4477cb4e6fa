// Publishes scheduled drafts when due (R50). Every process tries; the database lets only one publish each.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { COMMAND } from '../command-name.ts';
import type { Log } from '../http/telemetry/log.ts';
import { isBusy, isReadOnly } from '../store/engine/failures.ts';
import { listDue } from '../store/read/due.ts';
import type { Source } from '../store/source/source.ts';
import type { PublishedVersion } from '../store/write/publish-due.ts';

/** Other requests are served between two statements. */
const BATCH_VERSIONS_MAX = 50;
/** A short wait for another writer is not worth a log line. */
const LATE_MS = 2_000;
const RETRY_MS = 500;
/** How often to retry a database that cannot be written to. */
export const READ_ONLY_RETRY_MS = 30_000;
/** With `SCHEDULER=off`, how often to check whether another draft is due. */
const OFF_CHECK_MS = 5_000;
const NAMED_MAX = 10;
const LATE = 'scheduled versions are late: retrying';

type SchedulerOptions = Readonly<{
  isOn: boolean;
  source: Source;
  publish: (versionsMax: number) => Promise<PublishedVersion[]>;
  onPublished: (count: number) => void;
  log: Log;
}>;

export function startScheduler({ isOn, source, publish, onPublished, log }: SchedulerOptions) {
  let isOpen = true;
  let running: Promise<void> | null = null;
  let retryAt = Number.NEGATIVE_INFINITY;
  let reported = '';

  source.onDue((overdueMs) => {
    if (!isOpen || running !== null || performance.now() < retryAt) return;
    running = (isOn ? attempt(overdueMs) : report('SCHEDULER is off', OFF_CHECK_MS))
      // If due versions cannot be read, the source reports that.
      .catch(() => {})
      .finally(() => {
        running = null;
      });
  });

  async function attempt(overdueMs: number): Promise<void> {
    try {
      if ((await publishAll()) > 0) reported = '';
      else if (overdueMs > LATE_MS) warn('another process is writing to the database');
    } catch (error) {
      const { message } = error as Error;
      if (isReadOnly(error)) return await report(message, READ_ONLY_RETRY_MS);
      if (!isBusy(error) || overdueMs > LATE_MS) warn(message);
      retryAt = performance.now() + RETRY_MS;
    }
  }

  async function publishAll(): Promise<number> {
    let count = 0;
    for (let isMore = true; isMore && isOpen; await nextTurn()) {
      const versions = await publish(BATCH_VERSIONS_MAX);
      for (const { team, product, version, publishedAt } of versions)
        log.info({ product: `${team}/${product}`, version, publishedAt }, 'scheduled version published');
      onPublished(versions.length);
      count += versions.length;
      // Fewer than requested: another process took some, or a row is locked. There may be more.
      isMore = versions.length > 0;
    }
    return count;
  }

  function warn(reason: string): void {
    if (reported !== LATE) log.warn({ reason }, LATE);
    reported = LATE;
  }

  /** Reports due versions, once for the same ones. */
  async function report(reason: string, againMs: number): Promise<void> {
    retryAt = performance.now() + againMs;
    const { count: due, first } = await source.read((db) =>
      listDue(db, { isLocked: false, limit: NAMED_MAX, forMs: 0 }),
    );
    const versions = first.map(({ name }) => name);
    const text = JSON.stringify([reason, due, versions]);
    if (due > 0 && text !== reported)
      log.warn({ reason, due, versions }, `scheduled versions are due: run \`${COMMAND} publish-due\``);
    reported = text;
  }

  return {
    /** Retries at once: the database was replaced. */
    retry: () => {
      retryAt = Number.NEGATIVE_INFINITY;
    },
    /** Lets a statement in progress finish. */
    close: async () => {
      isOpen = false;
      await running;
    },
  };
}
