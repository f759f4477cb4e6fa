import { type Hook, isPurgeHook } from '../../domain/hook.ts';

export type HookOutcome = 'sent' | 'failed' | 'given_up' | 'purged';

const outcomesOf = (hook: Hook): Partial<Record<HookOutcome, number>> =>
  isPurgeHook(hook) ? { purged: 0, failed: 0 } : { sent: 0, failed: 0, given_up: 0 };

/**
 * What a process counts for its metrics. Requests only add to these numbers: prom-client looks up labels at each count.
 * They begin at 0, because Prometheus cannot see the increase of a series that begins with its first event.
 */
export const createCounts = (hooks: readonly Hook[] = []) => ({
  limiter: { admitted: 0, refused: 0 },
  responses: { cache: 0, database: 0, stale_cache: 0 },
  keyChecks: { missing: 0, unauthorized: 0, forbidden: 0, allowed: 0 },
  scheduledPublished: 0,
  connectionsClosed: 0,
  hooks: new Map(hooks.map((hook) => [hook.name, outcomesOf(hook)])),
});

export type Counts = ReturnType<typeof createCounts>;
