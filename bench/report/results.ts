// What `results.json` holds: every figure with the rounds that it comes from.
import { ratios, type Summary, summarise } from './statistics.ts';

export type Unit = 'requests/s' | 'versions/s' | 'ms' | 'MB' | 'responses';

/** A pass mark of the goals, for the ratio where there is one and else for the figure itself. */
export type Goal = Readonly<{ atLeast: number } | { atMost: number }>;

/** One figure as it was measured. */
export type Measure = Readonly<{
  id: string;
  group: string;
  name: string;
  unit: Unit;
  /** One of each round. None if it could not be measured: the note says why. */
  values: readonly number[];
  /** Id of the measure that this one is compared with. */
  comparedWith?: string;
  goal?: Goal;
  note?: string;
  /** Requests for each second of the server's processor time, one of each round. */
  perCpuSecond?: readonly number[];
  /** The part of its core that the server was busy, and the latency of requests, as medians. */
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

/** Null where there is no goal, or nothing to judge. */
export function isReached({ goal, ratio, summary, comparedWith }: Figure): boolean | null {
  const judged = comparedWith === undefined ? summary : ratio;
  if (goal === undefined || judged === null) return null;
  return 'atLeast' in goal ? judged.median >= goal.atLeast : judged.median <= goal.atMost;
}
