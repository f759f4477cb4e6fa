// A histogram of request durations that costs a request almost nothing: prom-client's own validates and hashes the
// labels of every observation. Here, that waits until the metrics are read.
import type { Metric } from 'prom-client';

type Labels = Readonly<{ route: string; status: number; surface: string }>;
const LABEL_NAMES: readonly (keyof Labels)[] = ['route', 'status', 'surface'];

type Series = { readonly labels: Labels; readonly counts: number[]; sumSeconds: number };

type DurationsOptions = Readonly<{ name: string; help: string; bucketsSeconds: readonly number[] }>;

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
