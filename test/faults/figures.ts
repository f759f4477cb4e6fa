import { countStatuses, percentile } from '../../support/http/load.ts';

/** How many rounds the command line asks for. */
export function roundsFrom(command: string, fallback: number): number {
  return countFrom(command, 'ROUNDS', fallback);
}

export function countFrom(command: string, what: string, fallback: number): number {
  const count = Number(process.argv[2] ?? fallback);
  if (!Number.isSafeInteger(count) || count < 1) {
    process.stderr.write(`usage: npm run ${command} -- [${what}]\n`);
    process.exit(2);
  }
  return count;
}

export function describeTimes(answers: readonly { ms: number }[]): string {
  const at = (share: number) => `${percentile(answers, share).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}`;
}

export function describeStatuses(answers: readonly { status: number; failure: string | null }[]): string {
  return Object.entries(countStatuses(answers))
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
