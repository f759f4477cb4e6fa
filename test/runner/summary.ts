// The text of a run: a line for each process, and at the end the totals and what failed.
import path from 'node:path';
import type { EngineName } from '../../support/databases/engines.ts';
import { type Group, ROOT } from './groups.ts';
import { COUNTED, type Outcome } from './outcome.ts';

export type GroupOutcome = Outcome & Readonly<{ engine: EngineName }>;

export function describeGroup({ engine, files }: Group, { counts, failures }: Outcome, ms: number): string {
  const result = failures.length === 0 ? '✔' : `✖ ${failures.length} failed of`;
  const range = files.length === 1 ? files[0] : `${files[0]} … ${files.at(-1)}`;
  return `${result} ${counts.tests} tests on ${engine} in ${inSeconds(ms)}: ${range}`;
}

/** Ends with the totals, in the words of Node.js, and the tests that failed. */
export function summarise(outcomes: readonly GroupOutcome[], ms: number): string {
  const totals = COUNTED.map(
    (what) => `ℹ ${what} ${outcomes.reduce((sum, { counts }) => sum + counts[what], 0)}`,
  );
  const failed = outcomes.flatMap(({ engine, failures }) =>
    failures.map(
      ({ name, place }) => `✖ ${name}\n  on ${engine}, ${place.replaceAll(`${ROOT}${path.sep}`, '')}`,
    ),
  );
  const closing = failed.length === 0 ? [] : ['', '✖ failed:', ...failed];
  return [...totals, `ℹ duration_ms ${Math.round(ms)}`, ...closing].join('\n');
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
