export type Summary = Readonly<{ median: number; min: number; max: number }>;

/** Null for an empty list. */
export function summarise(values: readonly number[]): Summary | null {
  if (values.length === 0) return null;
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

/** Computed round by round, because noise in a round affects both. */
export function ratios(values: readonly number[], baseline: readonly number[]): number[] {
  return values.slice(0, baseline.length).map((value, round) => value / (baseline[round] as number));
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] as number;
}
