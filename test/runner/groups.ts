// Which test files run on which engine, and which of them share a process.
import { globSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ENGINES, type EngineName } from '../../support/databases/engines.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const [EMBEDDED] = ENGINES;
/** `NAME.ENGINE.test.ts` runs only on that engine. */
const OF_ONE_ENGINE = /\.(sqlite|postgres)(?:\.timed|\.slow)?\.test\.ts$/;
/** `NAME.once.test.ts` and the tests in these folders run no SQL of their own, so they run once, on SQLite. */
const ONCE = [
  /\.once(?:\.timed|\.slow)?\.test\.ts$/,
  /^test\/(?:bench|client|cluster|content|deploy|domain|import|launcher|present|security|text)\//,
  /^test\/[^/]+$/,
];
/** `NAME.servers.test.ts` needs more than Node.js: Redis, nginx, wrk, curl, zsh, fish, or a browser. It runs once. */
const WITH_SERVERS = /\.(?:servers|browser)(?:\.slow)?\.test\.ts$/;
/** `NAME.slow.test.ts`, also `NAME.once.slow.test.ts` and so on, takes seconds of a core. */
const SLOW = /\.slow\.test\.ts$/;
/** `NAME.timed.test.ts`, also `NAME.ENGINE.timed.test.ts`, measures time or memory: it runs with nothing beside it. */
const TIMED = /\.timed\.test\.ts$/;
const PROOFS = 'test/proofs';
/** These start the most processes. They run first, so that no core waits for them in the end. */
const LONG = /^test\/(?:cli|client|cluster|launcher|proofs|serve|static)\//;
/** These rarely wait or start anything. They run last: even a process of many is soon done. */
const LIGHT = /^test\/(?:bench|content|domain|import|present|text)\//;
/** Those with servers are the first, side by side: files of one process share a browser. */
const rankOf = (file: string) =>
  WITH_SERVERS.test(file) ? 0 : LONG.test(file) ? 1 : LIGHT.test(file) ? 3 : 2;
/** Test files per process: loading the sources again for each file would be half of the work. */
const FILES_A_PROCESS = { max: 24, min: 18 };
/** More than there are cores, since tests often wait. */
export const AT_ONCE = Math.max(2, os.availableParallelism()) + 2;

/** A file on an engine. */
export type Run = Readonly<{ engine: EngineName; file: string }>;
export type Group = Readonly<{ engine: EngineName; files: readonly string[] }>;

/** `test`: what needs only Node.js and git. `rest`: everything else but what is `timed`. */
export type Part = 'test' | 'rest' | 'timed';

/** The runs of a part, of all files or of those that are named or in named folders. A named file runs whatever its part. */
export function runsOf(part: Part, named: readonly string[] = []): Run[] {
  if (named.length === 0) return filesIn('test').flatMap((file) => runsIn(part, file));
  const found = named.flatMap((given) => {
    const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder === undefined) throw new Error(`there is no test at ${given}`);
    const file = path.relative(ROOT, path.resolve(given));
    if (isFolder) return filesIn(file).flatMap((inner) => runsIn(part, inner));
    const runs = runsIn(part, file);
    return runs.length > 0 ? runs : enginesOf(file).map((engine) => ({ engine, file }));
  });
  return [...new Map(found.map((run) => [`${run.engine} ${run.file}`, run])).values()];
}

function runsIn(part: Part, file: string): Run[] {
  return enginesOf(file)
    .filter((engine) => partOf(file, engine) === part)
    .map((engine) => ({ engine, file }));
}

function partOf(file: string, engine: EngineName): Part {
  if (TIMED.test(file)) return 'timed';
  const isOnNodeAlone = engine === EMBEDDED && !WITH_SERVERS.test(file);
  return isOnNodeAlone && !SLOW.test(file) && !file.startsWith(`${PROOFS}/`) ? 'test' : 'rest';
}

export function enginesOf(file: string): EngineName[] {
  const isOnce = WITH_SERVERS.test(file) || ONCE.some((rule) => rule.test(file));
  const only = OF_ONE_ENGINE.exec(file)?.[1] ?? (isOnce ? EMBEDDED : undefined);
  return ENGINES.filter((engine) => only === undefined || engine === only);
}

function filesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }).sort();
}

/**
 * Long files come first, and groups become smaller, so that all cores are busy until the end. The engines take turns: with
 * more on PostgreSQL at once, it sometimes times out.
 */
export function groupsOf(runs: readonly Run[]): Group[] {
  const longFirst = runs.toSorted((a, b) => rankOf(a.file) - rankOf(b.file));
  let waiting = ENGINES.toReversed().flatMap((name) => longFirst.filter(({ engine }) => engine === name));
  const groups: Group[] = [];
  while (waiting[0] !== undefined) {
    const { engine } = waiting[0];
    const share = Math.ceil(waiting.length / (2 * AT_ONCE));
    const size = Math.min(Math.max(share, FILES_A_PROCESS.min), FILES_A_PROCESS.max);
    const next = waiting.slice(0, size).filter((one) => one.engine === engine);
    groups.push({ engine, files: next.map(({ file }) => file) });
    waiting = waiting.slice(next.length);
  }
  const turnOf = (group: Group) => groups.filter(({ engine }) => engine === group.engine).indexOf(group);
  return groups.toSorted((a, b) => turnOf(a) - turnOf(b));
}
