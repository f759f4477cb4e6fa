// Which test files run on which engine, and which of them run at the same time.
import { globSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ENGINES, type EngineName } from '../../support/databases/engines.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** `NAME.ENGINE.test.ts` runs only on that engine. */
const OF_ONE_ENGINE = /\.(sqlite|postgres)\.test\.ts$/;
/** Tests that need no database, start their own, or do not depend on the engine: they run once. */
const OF_NO_ENGINE = [
  /^test\/(?:bench|client|cluster|content|deploy|domain|import|launcher|present|security)\//,
  /^test\/[^/]+$/,
  /\.once\.test\.ts$/,
];
/** Tests of faults mostly wait for a server to fail and recover; with more beside them, their time limits would not hold. */
const FAULTS =
  /^test\/(?:proofs\/(?:connections|database-faults|freshness|rolling)|http\/guards\/counters-redis)\./;
/** These compare processor or response times, so their files run one at a time. */
const TIMED = /^test\/(?:proofs\/(?:attack|timing)|bench\/ratios)\./;
/** Test files per process: loading the sources again for each file would be half of the work. */
const FILES_A_PROCESS = 12;

export type Group = Readonly<{ engine: EngineName; files: readonly string[] }>;
export type Pass = Readonly<{ name: string; groups: readonly Group[]; atOnce: number }>;

/** Paths from the root of the project. */
export function allFiles(): string[] {
  return globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
}

/** Both engines in one pass, so that no core is idle in between; the short files are last. */
export function passesOf(files: readonly string[], engines: readonly EngineName[]): Pass[] {
  const groups = (name: string, filesPerProcess = FILES_A_PROCESS) =>
    engines.toReversed().flatMap((engine) =>
      inGroups(
        files.filter((file) => runsOn(file, engine) && passOf(file) === name),
        filesPerProcess,
      ).map((some) => ({ engine, files: some })),
    );
  const passes = [
    // One more than there are cores, since tests often wait; with two more, PostgreSQL sometimes times out.
    { name: 'tests', groups: groups('tests'), atOnce: Math.max(2, os.availableParallelism()) + 1 },
    { name: 'faults', groups: groups('faults', 1), atOnce: 2 },
    { name: 'timed', groups: groups('timed'), atOnce: 1 },
  ];
  return passes.filter((pass) => pass.groups.length > 0);
}

function runsOn(file: string, engine: EngineName): boolean {
  const isOnce = OF_NO_ENGINE.some((rule) => rule.test(file));
  return (OF_ONE_ENGINE.exec(file)?.[1] ?? (isOnce ? ENGINES[0] : engine)) === engine;
}

function passOf(file: string): string {
  if (FAULTS.test(file)) return 'faults';
  return TIMED.test(file) ? 'timed' : 'tests';
}

function inGroups(files: readonly string[], filesPerProcess: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / filesPerProcess) }, (_, index) =>
    files.slice(index * filesPerProcess, (index + 1) * filesPerProcess),
  );
}
