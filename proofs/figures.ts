import { countStatuses, percentile } from '../support/http/load.ts';

export function describeTimes(responses: readonly { ms: number }[]): string {
  const at = (share: number) => describeTime(percentile(responses, share));
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}`;
}

export function describeTime(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

export function describeStatuses(responses: readonly { status: number; failure: string | null }[]): string {
  return Object.entries(countStatuses(responses))
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
