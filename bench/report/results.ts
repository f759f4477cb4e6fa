// The format of `results.json`: every figure with the rounds that it comes from.
import { ratios, type Summary, summarise } from './statistics.ts';

type Unit = 'requests/s' | 'versions/s' | 'ms' | 'MB' | 'responses';

/** A goal for the ratio, or for the figure itself if it has no ratio. */
export type Goal = Readonly<{ atLeast: number } | { atMost: number }>;

/** One figure as it was measured. */
export type Measure = Readonly<{
  id: string;
  group: string;
  name: string;
  /** If set, figures of the same name share a row, with columns for each engine. */
  engine?: string;
  unit: Unit;
  /** One per round. Empty if it could not be measured; then `note` has the reason. */
  values: readonly number[];
  /** The id of the baseline. */
  comparedWith?: string;
  goal?: Goal;
  note?: string;
  /** The processor time of one request in all processes concerned, one per round. */
  cpuMicros?: readonly number[];
  /** Whether the ratio is one of processor time, which is better if it is lower. */
  isCost?: boolean;
  /** Medians: how busy the server's core was (0 to 1), and the latency of requests. */
  busy?: number;
  p50Ms?: number;
  p99Ms?: number;
}>;

export type Figure = Measure &
  Readonly<{
    summary: Summary | null;
    /** By processor time, if that was measured. */
    ratio: Summary | null;
    /** By `values`, if `ratio` is by processor time. */
    throughputRatio: Summary | null;
  }>;

export type Results = Readonly<{
  date: string;
  machine: Readonly<Record<string, string | number | boolean>>;
  settings: Readonly<Record<string, string | number | boolean>>;
  figures: readonly Figure[];
}>;

export function computeFigures(measures: readonly Measure[]): Figure[] {
  const byId = new Map(measures.map((measure) => [measure.id, measure]));
  return measures.map((measure) => {
    const baseline = byId.get(measure.comparedWith ?? '');
    const byValue = summarise(ratios(measure.values, baseline?.values ?? []));
    const byCpu = summarise(cpuRatios(measure, baseline));
    return {
      ...measure,
      summary: summarise(measure.values),
      ratio: byCpu ?? byValue,
      throughputRatio: byCpu === null ? null : byValue,
    };
  });
}

function cpuRatios({ cpuMicros = [], isCost = false }: Measure, baseline: Measure | undefined): number[] {
  const compared = baseline?.cpuMicros ?? [];
  return isCost ? ratios(cpuMicros, compared) : ratios(compared, cpuMicros);
}

/** Null if there is no goal or no figure. */
export function isReached({ goal, ratio, summary, comparedWith }: Figure): boolean | null {
  const judged = comparedWith === undefined ? summary : ratio;
  if (goal === undefined || judged === null) return null;
  return 'atLeast' in goal ? judged.median >= goal.atLeast : judged.median <= goal.atMost;
}
