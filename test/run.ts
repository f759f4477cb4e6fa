// `npm test`: all tests, on both engines and with real servers, or only on TEST_ENGINE. `npm test -- FILE…` runs only
// these files.
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { ensureBundle } from '../cluster/bundle.ts';
import { ensureServers } from '../cluster/debian.ts';
import { outputClosed } from '../cluster/output.ts';
import { startPostgres } from '../cluster/postgres.ts';
import { openScope } from '../cluster/scope.ts';
import { ENGINES } from '../support/databases/engines.ts';
import { runGroup, stopGroups } from './runner/group.ts';
import { allFiles, type Pass, passesOf, ROOT } from './runner/passes.ts';
import { describeGroup, type GroupOutcome, inSeconds, summarise } from './runner/summary.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** WebKit has a window, which Xvfb keeps in memory. */
const BROWSERS = ['chromium', 'webkit', 'xvfb'] as const;

/** Test databases are small and need not survive a power failure. */
const SERVER_SETTINGS = { full_page_writes: 'off', autovacuum: 'off', jit: 'off', max_wal_size: '1GB' };

/** An in-memory file system: many tests create a database, which is hundreds of files on PostgreSQL. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/** The compile cache that the program uses too. */
const COMPILED = path.join(ROOT, 'node_modules/.cache/changelog');

let isStopped = false;
const stop = () => {
  isStopped = true;
  stopGroups();
};
for (const signal of SIGNALS) process.on(signal, stop);
outputClosed().then(stop);

const startedAt = performance.now();
const outcomes: GroupOutcome[] = [];
keepFilesInMemory();
const scope = openScope();
try {
  const engines = ENGINES.filter((name) => name === (process.env.TEST_ENGINE ?? name));
  if (engines.length === 0) throw new Error(`TEST_ENGINE must be ${ENGINES.join(' or ')}`);
  const named = process.argv.slice(2).map((file) => path.relative(ROOT, path.resolve(file)));
  const passes = passesOf(named.length > 0 ? named : allFiles(), engines);
  const bundled = ensureBundle();
  await ensureServers(['postgres', 'pgbouncer', 'redis', 'nginx', 'wrk', ...BROWSERS, 'zsh', 'fish', 'curl']);
  const environment = {
    TEST_POSTGRES_URL:
      process.env.TEST_POSTGRES_URL ?? (await startPostgres(scope, { settings: SERVER_SETTINGS })).url(),
    // Most files load the same sources; compiling them is a third of the work of a short file.
    NODE_COMPILE_CACHE: COMPILED,
  };
  await bundled;
  for (const pass of passes) await run(pass, environment);
  console.log(`\n${summarise(outcomes, performance.now() - startedAt)}`);
  if (isStopped || outcomes.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
} finally {
  await scope.close();
}

/** Prints a line for each group, and before it the errors of those that failed. */
async function run({ name, groups, atOnce }: Pass, environment: NodeJS.ProcessEnv): Promise<void> {
  if (isStopped) return;
  const passStartedAt = performance.now();
  const waiting = [...groups];
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined && !isStopped; group = waiting.shift()) {
      const groupStartedAt = performance.now();
      const { outcome, output } = await runGroup(group, environment);
      outcomes.push({ engine: group.engine, ...outcome });
      if (outcome.failures.length > 0) process.stdout.write(`\n${output}\n`);
      console.log(describeGroup(group, outcome, performance.now() - groupStartedAt));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(
    `${name}: ${isStopped ? 'interrupted after' : 'done in'} ${inSeconds(performance.now() - passStartedAt)}`,
  );
}

/** Unless TMPDIR is set. */
function keepFilesInMemory(): void {
  if (process.env.TMPDIR || freeBytes(MEMORY) < MEMORY_BYTES_MIN) return;
  process.env.TMPDIR = MEMORY;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
