// Which test files run on which engine, and which of them share a process.
import { globSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ENGINES, type EngineName } from '../../support/databases/engines.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** `NAME.ENGINE.test.ts` runs only on that engine. */
const OF_ONE_ENGINE = /\.(sqlite|postgres)(?:\.timed|\.slow)?\.test\.ts$/;
/** `NAME.once.test.ts` and the tests in these folders run no SQL of their own, so they run once, on SQLite. */
const ONCE = [
  /\.once(?:\.timed|\.slow)?\.test\.ts$/,
  /^test\/(?:bench|client|cluster|content|deploy|domain|import|launcher|present|security)\//,
  /^test\/[^/]+$/,
];
/** `NAME.servers.test.ts` needs more than Node.js: Redis, nginx, wrk, curl, zsh or fish. It runs once. */
const WITH_SERVERS = /\.(?:servers|browser)(?:\.slow)?\.test\.ts$/;
/** `NAME.browser.test.ts` needs a browser, which takes the longest to install and to start. It runs with the proofs. */
const IN_BROWSER = /\.browser\.test\.ts$/;
/** `NAME.slow.test.ts`, also `NAME.once.slow.test.ts` and so on, takes seconds of a core. It runs with the proofs. */
const SLOW = /\.slow\.test\.ts$/;
/** `NAME.timed.test.ts`, also `NAME.ENGINE.timed.test.ts`, measures time or memory: it runs with nothing beside it. */
const TIMED = /\.timed\.test\.ts$/;
const PROOFS = 'test/proofs';
/** These start the most processes. They run first, so that no core waits for them in the end. */
const LONG = /^test\/(?:cli|client|cluster|launcher|proofs|serve|static)\//;
/** These rarely wait or start anything. They run last: even a process of many is soon done. */
const LIGHT = /^test\/(?:bench|content|domain|import|present)\//;
/** Those with servers are the first, side by side: files of one process share a browser. */
const rankOf = (file: string) =>
  WITH_SERVERS.test(file) ? 0 : LONG.test(file) ? 1 : LIGHT.test(file) ? 3 : 2;
/** Test files per process: loading the sources again for each file would be half of the work. */
const FILES_A_PROCESS = { max: 24, min: 18 };
/** More than there are cores, since tests often wait. */
export const AT_ONCE = Math.max(2, os.availableParallelism()) + 2;

export type Group = Readonly<{ engine: EngineName; files: readonly string[] }>;

/** The files that `npm test` runs, as paths from the root: those that are named or in named folders, or all but short ones. */
export function testFiles(named: readonly string[]): string[] {
  if (named.length === 0) return untimedIn('test').filter((file) => !isShort(file));
  const found = named.flatMap((given) => {
    const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder === undefined) throw new Error(`there is no test at ${given}`);
    const file = path.relative(ROOT, path.resolve(given));
    return isFolder ? untimedIn(file) : [file];
  });
  return [...new Set(found)].sort();
}

/** The files that `npm run prove -- --short` runs side by side, then those that it runs one after the other. */
export function shortFiles(): { untimed: string[]; timed: string[] } {
  return {
    untimed: untimedIn('test').filter(isShort),
    timed: filesIn('test').filter((file) => TIMED.test(file)),
  };
}

const isShort = (file: string) => IN_BROWSER.test(file) || SLOW.test(file) || file.startsWith(`${PROOFS}/`);

function untimedIn(folder: string): string[] {
  return filesIn(folder).filter((file) => !TIMED.test(file));
}

function filesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }).sort();
}

/**
 * Long files come first, and groups become smaller, so that all cores are busy until the end. The engines take turns: with
 * more on PostgreSQL at once, it sometimes times out.
 */
export function groupsOf(files: readonly string[], engines: readonly EngineName[]): Group[] {
  const longFirst = files.toSorted((a, b) => rankOf(a) - rankOf(b));
  let waiting = engines
    .toReversed()
    .flatMap((engine) =>
      longFirst.filter((file) => runsOn(file, engine, engines)).map((file) => ({ engine, file })),
    );
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

function runsOn(file: string, engine: EngineName, engines: readonly EngineName[]): boolean {
  if (WITH_SERVERS.test(file)) return engine === ENGINES[0] && engines.length === ENGINES.length;
  const isOnce = ONCE.some((rule) => rule.test(file));
  return (OF_ONE_ENGINE.exec(file)?.[1] ?? (isOnce ? ENGINES[0] : engine)) === engine;
}
