// `npm test` runs what needs only Node.js and git, on the embedded database. `npm run test:all` (`--rest`) runs the rest: the
// second engine, servers, browsers, slow tests and the short forms of proofs. `npm run prove -- --short` (`--timed`) runs what
// measures time or memory, one file after the other. With paths, each runs only these files and folders.
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { ensureBundle } from '../cluster/bundle.ts';
import { ensureServers } from '../cluster/debian.ts';
import { outputClosed } from '../cluster/output.ts';
import { makePostgresData, startPostgres } from '../cluster/postgres.ts';
import { openScope } from '../cluster/scope.ts';
import { runGroup, stopGroups } from './runner/group.ts';
import { AT_ONCE, type Group, groupsOf, type Part, ROOT, runsOf } from './runner/groups.ts';
import { describeGroup, type GroupOutcome, summarise } from './runner/summary.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the tests of a part need together. A test that is run on its own installs only what it starts. */
const DATABASES = ['postgres', 'pgbouncer', 'redis'] as const;
const PROGRAMS = ['nginx', 'wrk', 'curl', 'python3', 'zsh', 'fish'] as const;
const BROWSERS = ['chromium', 'webkit', 'xvfb'] as const;
const NEEDED = {
  test: [],
  rest: [...DATABASES, ...PROGRAMS, ...BROWSERS],
  timed: [...DATABASES, ...PROGRAMS],
};

/** Test databases are small, need not survive a power failure, and are connected to by every command. */
const SERVER = {
  settings: { full_page_writes: 'off', autovacuum: 'off', jit: 'off', max_wal_size: '1GB' },
  auth: 'md5',
} as const;

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
  const [part, paths] = readArguments(process.argv.slice(2));
  const groups = groupsOf(runsOf(part, paths));
  if (groups.length === 0) throw new Error(`no test of ${paths.join(' ')} is run by this command`);
  const bundled = ensureBundle();
  if (paths.length === 0) await ensureServers(NEEDED[part]);
  const environment: NodeJS.ProcessEnv = {
    // Most files load the same sources; compiling them is a third of the work of a short file.
    NODE_COMPILE_CACHE: COMPILED,
    ...(part === 'timed' && { TEST_TIMED: 'true' }),
  };
  if (groups.some(({ engine }) => engine === 'postgres')) {
    environment.TEST_POSTGRES_URL =
      process.env.TEST_POSTGRES_URL ?? (await startPostgres(scope, SERVER)).url();
    environment.TEST_POSTGRES_DATA = process.env.TEST_POSTGRES_DATA ?? (await makePostgresData(scope));
  }
  await bundled;
  // What measures time or memory runs with nothing beside it.
  const atOnce = part === 'timed' ? 1 : AT_ONCE;
  await Promise.all(Array.from({ length: atOnce }, () => runInTurn(groups, environment)));
  console.log(`\n${summarise(outcomes, performance.now() - startedAt)}`);
  if (isStopped || outcomes.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
} finally {
  await scope.close();
}

function readArguments([first = '', ...others]: readonly string[]): [Part, readonly string[]] {
  if (first === '--rest') return ['rest', others];
  return first === '--timed' ? ['timed', others] : ['test', process.argv.slice(2)];
}

/** Takes groups until none is left. Prints a line for each, and before it the errors of those that failed. */
async function runInTurn(waiting: Group[], environment: NodeJS.ProcessEnv): Promise<void> {
  for (let group = waiting.shift(); group !== undefined && !isStopped; group = waiting.shift()) {
    const groupStartedAt = performance.now();
    const { outcome, output } = await runGroup(group, environment);
    outcomes.push({ engine: group.engine, ...outcome });
    if (outcome.failures.length > 0) process.stdout.write(`\n${output}\n`);
    console.log(describeGroup(group, outcome, performance.now() - groupStartedAt));
  }
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
