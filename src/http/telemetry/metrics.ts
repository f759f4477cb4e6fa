// Prometheus metrics. Every label has few values: routes are patterns, and neither clients nor keys are labels.
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Source } from '../../store/source/source.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Counters } from '../guards/counters/counters.ts';
import type { OnSent } from '../pipeline/exchange.ts';
import type { Counts } from './counts.ts';
import type { Log } from './log.ts';

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** By name, without `changelog_`. */
const HELP = {
  limiter_requests_total: 'Public requests that the rate limiter admitted or rejected.',
  responses_total:
    'Responses by source: the cache, the database, or the cache while the database was down (stale_cache).',
  key_checks_total: 'API key checks by result.',
  scheduled_versions_published_total: 'Scheduled versions that this process has published.',
  hook_deliveries_total:
    'Deliveries to each hook by outcome: sent, failed (retried later), given_up, or purged.',
  hook_behind_seconds:
    'Seconds for which a hook has had something to send that no process sends; 0 if it has nothing.',
  counters_shared:
    '1 if requests are counted together with other processes, 0 while this fails; absent with one process and without Redis.',
  connections: 'Open connections of clients.',
  connections_closed_total: 'Connections that were closed to make room for new ones.',
  log_lines_dropped_total: 'Log lines that were dropped because nobody read the log.',
  cached_responses: 'Cached responses.',
  cached_bytes: 'Memory used by cached responses, at most CACHE_MAX_MB.',
  revision: 'Latest revision of the content that was read.',
  revision_unconfirmed_seconds: 'Seconds since it was last confirmed that there is no later revision.',
  schedule_overdue_seconds:
    'Seconds for which the first scheduled version that is due has been waiting; 0 if none is.',
  database_up: '1 if the database is used for reads.',
  database_behind_seconds: 'Seconds for which a replica has lacked content that another database has.',
  database_connections: 'Pool connections by state, and reads waiting for one.',
};

type Measured = Readonly<{
  counts: Counts;
  source: Source;
  cache: ResponseCache;
  counters: Counters;
  log: Log;
  server: Server;
  /** For how long a hook has had something to do that no process does. */
  behindMs: (hook: string) => number;
}>;

/** For a gauge, how the values of workers become one. */
type Kind = 'counter' | 'sum' | 'max' | 'min';
/** The values of its labels, then its own. */
type Sample = readonly [...labels: string[], value: number];
type Read = () => MaybePromise<number | readonly Sample[]>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges of prom-client named like counters. Each is the sum of the metric without the suffix.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  // Otherwise there is none with workers. The latest start changes whenever one of them starts again.
  Object.assign(registry.getSingleMetric('process_start_time_seconds') ?? {}, { aggregator: 'max' });
  const observe = createDurations(registry);

  /** `read` is called when the metrics are read. */
  function add(kind: Kind, name: keyof typeof HELP, labelNames: string[], read: Read): void {
    async function collect(this: Counter | Gauge): Promise<void> {
      const found = await read();
      this.reset();
      for (const sample of typeof found === 'number' ? [[found] as const] : found) {
        const labels = labelNames.map((label, index) => [label, sample[index] as string]);
        this.inc(Object.fromEntries(labels), sample.at(-1) as number);
      }
    }
    const described = { name: `changelog_${name}`, help: HELP[name], labelNames, registers: [registry] };
    if (kind === 'counter') new Counter({ ...described, collect });
    else new Gauge({ ...described, aggregator: kind, collect });
  }

  /** Across workers, the worst value counts, and connections add up. */
  function measure({ counts, source, cache, counters, log, server, behindMs }: Measured): void {
    add('counter', 'limiter_requests_total', ['outcome'], () => Object.entries(counts.limiter));
    add('counter', 'responses_total', ['source'], () => Object.entries(counts.responses));
    add('counter', 'key_checks_total', ['result'], () => Object.entries(counts.keyChecks));
    add('counter', 'scheduled_versions_published_total', [], () => counts.scheduledPublished);
    add('counter', 'hook_deliveries_total', ['hook', 'outcome'], () =>
      [...counts.hooks].flatMap(([hook, outcomes]) => samplesOf(hook, outcomes)),
    );
    add('min', 'hook_behind_seconds', ['hook'], () =>
      [...counts.hooks.keys()].map((hook) => [hook, behindMs(hook) / 1000]),
    );
    add('counter', 'connections_closed_total', [], () => counts.connectionsClosed);
    const { isShared } = counters;
    if (isShared !== undefined) add('min', 'counters_shared', [], () => (isShared() ? 1 : 0));
    add('sum', 'connections', [], async () => await promisify(server.getConnections.bind(server))());
    add('counter', 'log_lines_dropped_total', [], () => log.linesDropped());
    add('sum', 'cached_responses', [], () => cache.size().responses);
    add('sum', 'cached_bytes', [], () => cache.size().bytes);
    add('max', 'revision', [], async () => {
      // Only requests poll SQLite, and there may have been none for a while.
      await source.isConfirmed();
      return source.revision();
    });
    add('max', 'revision_unconfirmed_seconds', [], async () => {
      await source.isConfirmed();
      return source.unconfirmedMs() / 1000;
    });
    add('max', 'schedule_overdue_seconds', [], () => source.overdueMs() / 1000);
    add('min', 'database_up', ['database'], () =>
      source.databases().map(({ name, state }) => [name, state === 'up' ? 1 : 0]),
    );
    add('max', 'database_behind_seconds', ['database'], () =>
      source.databases().map(({ name, behindMs }) => [name, behindMs / 1000]),
    );
    add('sum', 'database_connections', ['database', 'state'], () =>
      source.databases().flatMap(({ name, connections }) => samplesOf(name, connections ?? {})),
    );
  }

  const onSent: OnSent = ({ route, surface }, status, _bytes, durationMs) =>
    observe(route, surface === 'open' ? 'none' : surface, status, durationMs / 1_000);
  return { registry, onSent, measure };
}

const samplesOf = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([name, count]) => [label, name, count]);

type Labels = Readonly<{ route: string; status: number; surface: string }>;
type Series = { readonly labels: Labels; readonly counts: number[]; sumSeconds: number };

const DURATIONS = {
  name: 'changelog_http_request_duration_seconds',
  help: 'Requests by route, status and surface, from the arrival of the headers until the response was handed to the socket.',
  type: 'histogram',
  aggregator: 'sum',
  labelNames: ['route', 'status', 'surface'],
};

/**
 * A histogram of request durations that costs a request almost nothing: prom-client's own validates and hashes the labels
 * of every observation. Here, that waits until the metrics are read.
 */
export function createDurations(registry: Registry) {
  const { name } = DURATIONS;
  /** By surface, then by route, then by status: a joined key would cost more than the rest. */
  const bySurface = new Map<string, Map<string | null, Map<number, Series>>>();
  const all: Series[] = [];

  function addSeries(route: string | null, surface: string, status: number): Series {
    const labels = { route: route ?? 'unknown', status, surface };
    const series = { labels, counts: Array(BUCKETS_SECONDS.length + 1).fill(0), sumSeconds: 0 };
    const byRoute = bySurface.get(surface) ?? new Map();
    bySurface.set(surface, byRoute.set(route, (byRoute.get(route) ?? new Map()).set(status, series)));
    all.push(series);
    return series;
  }

  function observe(route: string | null, surface: string, status: number, seconds: number): void {
    const series = bySurface.get(surface)?.get(route)?.get(status) ?? addSeries(route, surface, status);
    let bucket = 0;
    while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket++;
    (series.counts[bucket] as number)++;
    series.sumSeconds += seconds;
  }

  function valuesOf({ labels, counts, sumSeconds }: Series) {
    let count = 0;
    const buckets = [...BUCKETS_SECONDS, '+Inf'].map((le, index) => {
      count += counts[index] as number;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  // The parts of a metric that a registry uses.
  const metric = { ...DURATIONS, get: async () => ({ ...DURATIONS, values: all.flatMap(valuesOf) }) };
  registry.registerMetric(metric as unknown as Metric);
  return observe;
}
