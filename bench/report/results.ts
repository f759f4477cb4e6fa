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
  unit: Unit;
  /** One per round. Empty if it could not be measured; then `note` has the reason. */
  values: readonly number[];
  /** The id of the baseline. */
  comparedWith?: string;
  goal?: Goal;
  note?: string;
  /** Requests per second of the server's processor time, one per round. */
  perCpuSecond?: readonly number[];
  /** Medians: how busy the server's core was (0 to 1), and the latency of requests. */
  busy?: number;
  p50Ms?: number;
  p99Ms?: number;
}>;

export type Figure = Measure & Readonly<{ summary: Summary | null; ratio: Summary | null }>;

export type Results = Readonly<{
  date: string;
  machine: Readonly<Record<string, string | number | boolean>>;
  settings: Readonly<Record<string, string | number | boolean>>;
  figures: readonly Figure[];
}>;

export function computeFigures(measures: readonly Measure[]): Figure[] {
  const valuesOf = new Map(measures.map(({ id, values }) => [id, values]));
  return measures.map((measure) => {
    const baseline = valuesOf.get(measure.comparedWith ?? '') ?? [];
    return {
      ...measure,
      summary: summarise(measure.values),
      ratio: summarise(ratios(measure.values, baseline)),
    };
  });
}

/** Null if there is no goal or no figure. */
export function isReached({ goal, ratio, summary, comparedWith }: Figure): boolean | null {
  const judged = comparedWith === undefined ? summary : ratio;
  if (goal === undefined || judged === null) return null;
  return 'atLeast' in goal ? judged.median >= goal.atLeast : judged.median <= goal.atMost;
}
