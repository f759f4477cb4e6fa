import { Server } from 'node:http';
import { createResponseCache } from '../../src/http/cache/response-cache.ts';
import { processCounters } from '../../src/http/guards/counters/exchange.ts';
import { createCounts } from '../../src/http/telemetry/counts.ts';
import type { Log } from '../../src/http/telemetry/log.ts';
import { createMetrics } from '../../src/http/telemetry/metrics.ts';
import type { Source } from '../../src/store/source/source.ts';

type Metric = Readonly<{ name: string; type: string; labels: readonly string[] }>;

/** Every metric of a server. */
export function listMetrics(): Metric[] {
  const { registry, measure } = createMetrics();
  measure({
    counts: createCounts(),
    source: {} as Source,
    cache: createResponseCache(0),
    counters: { ...processCounters(), isShared: () => true },
    log: {} as Log,
    server: new Server(),
    behindMs: () => 0,
  });
  return registry.getMetricsAsArray().map((metric) => {
    // The library's types omit these.
    const { labelNames, type } = metric as unknown as { labelNames: readonly string[]; type: string };
    return { name: metric.name, type, labels: [...labelNames] };
  });
}

/** The labels of each name that a query may have, without those that Prometheus adds. */
export function labelsBySeries(): Map<string, readonly string[]> {
  return new Map(
    listMetrics().flatMap(({ name, type, labels }) =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, [...labels, 'le']],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]],
    ),
  );
}
