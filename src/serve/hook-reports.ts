// What a hook that fails says in the log: one line when it begins, however long it lasts and however much waits.
import type { Log } from '../http/telemetry/log.ts';
import { isBusy, isReadOnly, isUnavailable } from '../store/engine/failures.ts';

/** A short wait for another writer is not worth a log line. */
const BUSY_MS_MAX = 10_000;
const PAUSE_MS_MAX = 30_000;

export const isOfDatabase = (error: unknown): boolean =>
  isBusy(error) || isUnavailable(error) || isReadOnly(error);

export function createReports(log: Pick<Log, 'warn'>, now = () => performance.now()) {
  const failing = new Map<string, { since: number; isLogged: boolean }>();
  return {
    failed: (what: string, error: unknown): void => {
      const failure = failing.get(what) ?? { since: now(), isLogged: false };
      failing.set(what, failure);
      const isBrief = isBusy(error) && now() - failure.since < BUSY_MS_MAX;
      if (isBrief || failure.isLogged) return;
      failure.isLogged = true;
      log.warn({ reason: (error as Error).message }, `${what}: retrying`);
    },
    works: (what: string): void => void failing.delete(what),
  };
}

/** How receivers respond: those that fail are asked less and less often, and the same failure is logged once. */
export function createReceivers(now = () => performance.now()) {
  const failing = new Map<string, { failures: number; reason: string; until: number }>();
  return {
    failures: (hook: string): number => failing.get(hook)?.failures ?? 0,
    isPaused: (hook: string): boolean => now() < (failing.get(hook)?.until ?? 0),
    /** Whether it failed before. */
    works: (hook: string): boolean => failing.delete(hook),
    /** Whether it is news. */
    failed: (hook: string, reason: string): boolean => {
      const last = failing.get(hook);
      const failures = (last?.failures ?? 0) + 1;
      // The first time, it may be about this one message only.
      const pauseMs = failures === 1 ? 0 : Math.min(PAUSE_MS_MAX, 1_000 * 2 ** (failures - 1));
      failing.set(hook, { failures, reason, until: now() + pauseMs });
      return last?.reason !== reason;
    },
  };
}
