// Prometheus metrics. Every label has few values: routes are patterns, and neither clients nor keys are labels.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Source } from '../../store/source/source.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { createDurations } from './durations.ts';
import type { Observer } from './observer.ts';

const LATENCY_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** Gauges of prom-client named like counters. Each is the sum of the metric without the suffix. */
const MISNAMED_METRICS = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export type Metrics = Observer & Readonly<{ registry: Registry }>;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED_METRICS) registry.removeSingleMetric(name);
  const requests = createDurations({
    name: 'changelog_http_request_duration_seconds',
    help: 'Requests by route, status and surface, from the arrival of the headers until the response was handed to the socket.',
    bucketsSeconds: LATENCY_BUCKETS_SECONDS,
  });
  registry.registerMetric(requests.metric);
  const limited = { admitted: 0, refused: 0 };
  registerCounts(limited, registry, {
    name: 'changelog_limiter_requests_total',
    help: 'Public requests that the rate limiter admitted or rejected.',
    label: 'outcome',
  });
  const responses = { cache: 0, database: 0, stale_cache: 0 };
  registerCounts(responses, registry, {
    name: 'changelog_responses_total',
    help: 'Responses by source: the cache, the database, or the cache while the database was down (stale_cache).',
    label: 'source',
  });
  const keyChecks = { missing: 0, unauthorized: 0, forbidden: 0, allowed: 0 };
  registerCounts(keyChecks, registry, {
    name: 'changelog_key_checks_total',
    help: 'API key checks by result.',
    label: 'result',
  });
  const published = new Counter({
    name: 'changelog_scheduled_versions_published_total',
    help: 'Scheduled versions that this process has published.',
    registers: [registry],
  });
  return {
    registry,
    onRequest: requests.observe,
    onLimited: (outcome) => void limited[outcome]++,
    onResponse: (source) => void responses[source]++,
    onKeyChecked: (result) => void keyChecks[result]++,
    onPublished: (count) => published.inc(count),
    onBuilt: ({ source, cache }) => {
      registerCacheMetrics(cache, registry);
      registerDatabaseMetrics(source, registry);
    },
  };
}

type CountsOptions = Readonly<{ name: string; help: string; label: string }>;

/** prom-client looks up labels at each count, so requests only add to these numbers. */
function registerCounts(
  counts: Readonly<Record<string, number>>,
  registry: Registry,
  { name, help, label }: CountsOptions,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(counts)) if (count > 0) this.inc({ [label]: value }, count);
    },
  });
}

function registerCacheMetrics(cache: ResponseCache, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'changelog_cached_responses',
    help: 'Cached responses.',
    registers,
    collect() {
      this.set(cache.size().responses);
    },
  });
  new Gauge({
    name: 'changelog_cached_bytes',
    help: 'Memory used by cached responses, at most CACHE_MAX_MB.',
    registers,
    collect() {
      this.set(cache.size().bytes);
    },
  });
}

/** Across workers, the worst value counts, and connections add up. */
function registerDatabaseMetrics(source: Source, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'changelog_revision',
    help: 'Latest revision of the content that was read.',
    registers,
    aggregator: 'max',
    async collect() {
      // Only requests poll SQLite, and there may have been none for a while.
      await source.isConfirmed();
      this.set(source.revision());
    },
  });
  new Gauge({
    name: 'changelog_revision_unconfirmed_seconds',
    help: 'Seconds since it was last confirmed that there is no later revision.',
    registers,
    aggregator: 'max',
    async collect() {
      await source.isConfirmed();
      this.set(source.unconfirmedMs() / 1000);
    },
  });
  new Gauge({
    name: 'changelog_schedule_overdue_seconds',
    help: 'Seconds for which the first scheduled version that is due has been waiting; 0 if none is.',
    registers,
    aggregator: 'max',
    collect() {
      this.set(source.overdueMs() / 1000);
    },
  });
  new Gauge({
    name: 'changelog_database_up',
    help: '1 if the database is used for reads.',
    labelNames: ['database'],
    registers,
    aggregator: 'min',
    collect() {
      for (const { name, state } of source.databases()) this.set({ database: name }, state === 'up' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'changelog_database_behind_seconds',
    help: 'Seconds for which a replica has lacked content that another database has.',
    labelNames: ['database'],
    registers,
    aggregator: 'max',
    collect() {
      for (const { name, behindMs } of source.databases()) this.set({ database: name }, behindMs / 1000);
    },
  });
  new Gauge({
    name: 'changelog_database_connections',
    help: 'Pool connections by state, and reads waiting for one.',
    labelNames: ['database', 'state'],
    registers,
    collect() {
      for (const { name, connections } of source.databases()) {
        for (const [state, count] of Object.entries(connections ?? {}))
          this.set({ database: name, state }, count);
      }
    },
  });
}
