// What is counted for Prometheus. Every label has few values: routes are patterns, and clients and keys are no labels.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Source } from '../../store/source/source.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Observer } from './observer.ts';

const LATENCY_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

export type Metrics = Observer & Readonly<{ registry: Registry }>;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'changelog_http_request_duration_seconds',
    help: 'Requests by route, status and surface, from the arrival of the headers until the answer was handed to the socket.',
    labelNames: ['route', 'status', 'surface'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const limited = new Counter({
    name: 'changelog_limiter_requests_total',
    help: 'Public requests that the limiter has admitted or refused.',
    labelNames: ['outcome'],
    registers,
  });
  const answers = new Counter({
    name: 'changelog_answers_total',
    help: 'Answers by where they came from: held, read from the database, or held while the database was away.',
    labelNames: ['way'],
    registers,
  });
  const keyChecks = new Counter({
    name: 'changelog_key_checks_total',
    help: 'API keys by what became of them.',
    labelNames: ['result'],
    registers,
  });
  return {
    registry,
    onRequest: ({ route, status, surface, seconds }) => requests.observe({ route, status, surface }, seconds),
    onLimited: (outcome) => limited.inc({ outcome }),
    onResponse: (way) => answers.inc({ way }),
    onKeyChecked: (result) => keyChecks.inc({ result }),
    onBuilt: ({ source, held }) => {
      watchHeld(held, registry);
      registerDatabaseMetrics(source, registry);
    },
  };
}

function watchHeld(held: ResponseCache, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'changelog_held_answers',
    help: 'Answers that are held in memory.',
    registers,
    collect() {
      this.set(held.size().answers);
    },
  });
  new Gauge({
    name: 'changelog_held_bytes',
    help: 'Memory that they take, at most CACHE_MAX_MB.',
    registers,
    collect() {
      this.set(held.size().bytes);
    },
  });
}

/** Across several processes the worst of them counts, and connections add up. */
function registerDatabaseMetrics(source: Source, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'changelog_revision',
    help: 'The latest revision of the content that was seen.',
    registers,
    aggregator: 'max',
    async collect() {
      // Where asking is what confirms it, nobody else may have asked for a while.
      await source.isConfirmed();
      this.set(source.revision());
    },
  });
  new Gauge({
    name: 'changelog_revision_unconfirmed_seconds',
    help: 'For how long it has not been confirmed that there is no later one.',
    registers,
    aggregator: 'max',
    async collect() {
      await source.isConfirmed();
      this.set(source.unconfirmedMs() / 1000);
    },
  });
  new Gauge({
    name: 'changelog_database_up',
    help: '1 for a database that is read when its turn comes.',
    labelNames: ['database'],
    registers,
    aggregator: 'min',
    collect() {
      for (const { name, state } of source.databases()) this.set({ database: name }, state === 'up' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'changelog_database_behind_seconds',
    help: 'For how long a replica has lacked something that another database has.',
    labelNames: ['database'],
    registers,
    aggregator: 'max',
    collect() {
      for (const { name, behindMs } of source.databases()) this.set({ database: name }, behindMs / 1000);
    },
  });
  new Gauge({
    name: 'changelog_database_connections',
    help: 'Connections of the pools by state, and reads that wait for one.',
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
