// Are two lists of times distinguishable? Welch's t-test, as dudect uses it.

/** From this |t| on, the lists count as distinguishable. */
export const T_MAX = 4.5;
/** Times above these percentiles of both lists together are dropped, since most noise of the machine is there. */
export const CROPS = [1, 0.99, 0.95, 0.8] as const;

export type Comparison = Readonly<{ medians: readonly [number, number]; t: readonly number[] }>;

/** The medians, and t for each crop. A positive t means that the first list is slower. */
export function compare(first: Float64Array, second: Float64Array): Comparison {
  const pooled = Float64Array.of(...first, ...second).sort();
  const t = CROPS.map((crop) => {
    const bound = at(pooled, crop);
    return welch(
      first.filter((time) => time <= bound),
      second.filter((time) => time <= bound),
    );
  });
  return { medians: [at(first.toSorted(), 0.5), at(second.toSorted(), 0.5)], t };
}

/** The largest |t|: no crop may show a difference. */
export function worstOf({ t }: Comparison): number {
  return Math.max(...t.map(Math.abs));
}

export function welch(first: Float64Array, second: Float64Array): number {
  const [one, other] = [momentsOf(first), momentsOf(second)];
  const spread = Math.sqrt(one.variance / first.length + other.variance / second.length);
  return spread === 0 ? 0 : (one.mean - other.mean) / spread;
}

function momentsOf(values: Float64Array): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}
