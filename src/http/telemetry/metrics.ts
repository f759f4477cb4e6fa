// Prometheus metrics. Every label has few values: routes are patterns, and neither clients nor keys are labels.
import { promisify } from 'node:util';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { Source } from '../../store/source/source.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { BuiltParts, Observer } from './observer.ts';

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
  // Otherwise there is none with workers. The latest start changes whenever one of them starts again.
  Object.assign(registry.getSingleMetric('process_start_time_seconds') ?? {}, { aggregator: 'max' });
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
  const hooks = new Counter({
    name: 'changelog_hook_deliveries_total',
    help: 'Deliveries to each hook by outcome: sent, failed (retried later), given_up, or purged.',
    labelNames: ['hook', 'outcome'],
    registers: [registry],
  });
  let behind: Parameters<Observer['onHooksOpened']>[0] = [];
  gaugesIn(registry, 'min', ['hook'])(
    'changelog_hook_behind_seconds',
    'Seconds for which a hook has had something to send that no process sends; 0 if it has nothing.',
    (set) => {
      for (const { name, behindMs } of behind) set({ hook: name }, behindMs() / 1000);
    },
  );
  const closed = new Counter({
    name: 'changelog_connections_closed_total',
    help: 'Connections that were closed to make room for new ones.',
    registers: [registry],
  });
  return {
    registry,
    onRequest: ({ route, surface }, status, _bytes, durationMs) =>
      requests.observe(route, surface === 'open' ? 'none' : surface, status, durationMs / 1_000),
    onLimited: (outcome) => void limited[outcome]++,
    onResponse: (source) => void responses[source]++,
    onKeyChecked: (result) => void keyChecks[result]++,
    onPublished: (count) => published.inc(count),
    onHook: (hook, outcome) => hooks.inc({ hook, outcome }),
    onHooksOpened: (opened) => {
      behind = opened;
      for (const { name, outcomes } of opened)
        for (const outcome of outcomes) hooks.inc({ hook: name, outcome }, 0);
    },
    onConnectionsClosed: (count) => closed.inc(count),
    onBuilt: (parts) => registerBuilt(parts, registry),
  };
}

function registerBuilt({ source, cache, counters, log, server }: BuiltParts, registry: Registry): void {
  const { isShared } = counters;
  if (isShared !== undefined)
    gaugesIn(registry, 'min')(
      'changelog_counters_shared',
      '1 if requests are counted together with other processes, 0 while this fails; absent with one process and without Redis.',
      (set) => set({}, isShared() ? 1 : 0),
    );
  gaugesIn(registry, 'sum')('changelog_connections', 'Open connections of clients.', async (set) =>
    set({}, await promisify(server.getConnections.bind(server))()),
  );
  new Counter({
    name: 'changelog_log_lines_dropped_total',
    help: 'Log lines that were dropped because nobody read the log.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(log.linesDropped());
    },
  });
  registerCacheMetrics(cache, registry);
  registerDatabaseMetrics(source, registry);
}

/**
 * prom-client looks up labels at each count, so requests only add to these numbers. Series begin at 0: Prometheus cannot
 * see the increase of one that begins with its first event.
 */
function registerCounts(
  counts: Readonly<Record<string, number>>,
  registry: Registry,
  { name, help, label }: Record<'name' | 'help' | 'label', string>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(counts)) this.inc({ [label]: value }, count);
    },
  });
}

function registerCacheMetrics(cache: ResponseCache, registry: Registry): void {
  const gauge = gaugesIn(registry, 'sum');
  gauge('changelog_cached_responses', 'Cached responses.', (set) => set({}, cache.size().responses));
  gauge('changelog_cached_bytes', 'Memory used by cached responses, at most CACHE_MAX_MB.', (set) =>
    set({}, cache.size().bytes),
  );
}

/** Across workers, the worst value counts, and connections add up. */
function registerDatabaseMetrics(source: Source, registry: Registry): void {
  const maximum = gaugesIn(registry, 'max');
  maximum('changelog_revision', 'Latest revision of the content that was read.', async (set) => {
    // Only requests poll SQLite, and there may have been none for a while.
    await source.isConfirmed();
    set({}, source.revision());
  });
  maximum(
    'changelog_revision_unconfirmed_seconds',
    'Seconds since it was last confirmed that there is no later revision.',
    async (set) => {
      await source.isConfirmed();
      set({}, source.unconfirmedMs() / 1000);
    },
  );
  maximum(
    'changelog_schedule_overdue_seconds',
    'Seconds for which the first scheduled version that is due has been waiting; 0 if none is.',
    (set) => set({}, source.overdueMs() / 1000),
  );
  gaugesIn(registry, 'min', ['database'])(
    'changelog_database_up',
    '1 if the database is used for reads.',
    (set) => {
      for (const { name, state } of source.databases()) set({ database: name }, state === 'up' ? 1 : 0);
    },
  );
  gaugesIn(registry, 'max', ['database'])(
    'changelog_database_behind_seconds',
    'Seconds for which a replica has lacked content that another database has.',
    (set) => {
      for (const { name, behindMs } of source.databases()) set({ database: name }, behindMs / 1000);
    },
  );
  gaugesIn(registry, 'sum', ['database', 'state'])(
    'changelog_database_connections',
    'Pool connections by state, and reads waiting for one.',
    (set) => {
      for (const { name, connections } of source.databases())
        for (const [state, count] of Object.entries(connections ?? {})) set({ database: name, state }, count);
    },
  );
}

type SetValue = (labels: Record<string, string>, value: number) => void;

/** `collect` runs when the metrics are read. */
function gaugesIn(registry: Registry, aggregator: 'sum' | 'max' | 'min', labelNames: string[] = []) {
  return (name: string, help: string, collect: (set: SetValue) => void | Promise<void>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      aggregator,
      collect() {
        return collect((labels, value) => this.set(labels, value));
      },
    });
}

type Labels = Readonly<{ route: string; status: number; surface: string }>;
const LABEL_NAMES: readonly (keyof Labels)[] = ['route', 'status', 'surface'];

type Series = { readonly labels: Labels; readonly counts: number[]; sumSeconds: number };

type DurationsOptions = Readonly<{ name: string; help: string; bucketsSeconds: readonly number[] }>;

/**
 * A histogram of request durations that costs a request almost nothing: prom-client's own validates and hashes the labels
 * of every observation. Here, that waits until the metrics are read.
 */
export function createDurations({ name, help, bucketsSeconds }: DurationsOptions) {
  /** By surface, then by route, then by status: a route may have two surfaces. */
  const bySurface = new Map<string, Map<string | null, Map<number, Series>>>();
  const all: Series[] = [];

  function addSeries(route: string | null, surface: string, status: number): Series {
    const labels = { route: route ?? 'unknown', status, surface };
    const series = { labels, counts: Array(bucketsSeconds.length + 1).fill(0), sumSeconds: 0 };
    const byRoute = bySurface.get(surface) ?? new Map();
    bySurface.set(surface, byRoute.set(route, (byRoute.get(route) ?? new Map()).set(status, series)));
    all.push(series);
    return series;
  }

  function observe(route: string | null, surface: string, status: number, seconds: number): void {
    const series = bySurface.get(surface)?.get(route)?.get(status) ?? addSeries(route, surface, status);
    let bucket = 0;
    while (bucket < bucketsSeconds.length && seconds > (bucketsSeconds[bucket] as number)) bucket++;
    (series.counts[bucket] as number)++;
    series.sumSeconds += seconds;
  }

  function valuesOf({ labels, counts, sumSeconds }: Series) {
    let count = 0;
    const buckets = [...bucketsSeconds, '+Inf'].map((le, index) => {
      count += counts[index] as number;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  const described = { name, help, type: 'histogram', aggregator: 'sum', labelNames: LABEL_NAMES };
  const get = async () => ({ ...described, values: all.flatMap(valuesOf) });
  // The parts of a metric that a registry uses.
  return { observe, metric: { ...described, get } as unknown as Metric };
}
