const WARNINGS_MAX = 20;

/** The first warnings, and one that counts the others. */
export function limitWarnings(warnings: readonly string[], more: (count: string) => string): string[] {
  const left = warnings.length - WARNINGS_MAX;
  return left <= 0 ? [...warnings] : [...warnings.slice(0, WARNINGS_MAX), more(left.toLocaleString('en'))];
}
