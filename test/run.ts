// `npm test`: all tests, on both engines and with real servers, or only on TEST_ENGINE.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBundle } from '../cluster/bundle.ts';
import { ensureServers } from '../cluster/debian.ts';
import { startPostgres } from '../cluster/postgres.ts';
import { openScope } from '../cluster/scope.ts';
import { ENGINES, type EngineName } from '../support/databases/engines.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILES = globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
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
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Test databases are small and need not survive a power failure. */
const SERVER_SETTINGS = { full_page_writes: 'off', autovacuum: 'off', jit: 'off', max_wal_size: '1GB' };

/** An in-memory file system: many tests create a database, which is hundreds of files on PostgreSQL. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/** The compile cache that the program uses too. */
const COMPILED = path.join(ROOT, 'node_modules/.cache/changelog');

/** Test files per process: loading the sources again for each file would be half of the work. */
const FILES_A_PROCESS = 12;

type Group = Readonly<{ engine: EngineName; files: readonly string[] }>;
type Pass = Readonly<{ name: string; groups: readonly Group[]; atOnce: number }>;

function filesOn(engine: EngineName): string[] {
  const isOnce = (file: string) => OF_NO_ENGINE.some((rule) => rule.test(file));
  return FILES.filter(
    (file) => (OF_ONE_ENGINE.exec(file)?.[1] ?? (isOnce(file) ? ENGINES[0] : engine)) === engine,
  );
}

/** Both engines in one pass, so that no core is idle in between; the short files are last. */
function passesOn(engines: readonly EngineName[]): Pass[] {
  const groups = (name: string, filesPerProcess = FILES_A_PROCESS) =>
    engines.toReversed().flatMap((engine) =>
      inGroups(
        filesOn(engine).filter((file) => passOf(file) === name),
        filesPerProcess,
      ).map((files) => ({ engine, files })),
    );
  return [
    // One more than there are cores, since tests often wait; with two more, PostgreSQL sometimes times out.
    { name: 'tests', groups: groups('tests'), atOnce: Math.max(2, os.availableParallelism()) + 1 },
    { name: 'faults', groups: groups('faults', 1), atOnce: 2 },
    { name: 'timed', groups: groups('timed'), atOnce: 1 },
  ];
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

const running = new Set<ChildProcess>();
let isStopped = false;
for (const signal of SIGNALS) {
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
  });
}

/** Returns the number of tests, or null if any failed. */
async function run({ groups, atOnce }: Pass, environment: NodeJS.ProcessEnv): Promise<number | null> {
  const waiting = [...groups];
  let tests = 0;
  let passed = true;
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined && !isStopped; group = waiting.shift()) {
      const { code, output } = await runGroup(group.files, { ...environment, TEST_ENGINE: group.engine });
      process.stdout.write(`\n== on ${group.engine} ==\n\n${output}`);
      passed &&= code === 0;
      tests += Number(/^ℹ tests (\d+)$/m.exec(output)?.[1] ?? 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return passed && !isStopped ? tests : null;
}

/** Runs the files in one process and collects its output. */
async function runGroup(files: readonly string[], environment: NodeJS.ProcessEnv) {
  const flags = ['--test', '--test-isolation=none', '--test-reporter=spec'];
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [code] = await once(child, 'close');
  running.delete(child);
  return { code, output };
}

keepFilesInMemory();
const scope = openScope();
const outcomes: string[] = [];
try {
  const bundled = ensureBundle();
  await ensureServers(['postgres', 'redis', 'nginx', 'wrk', 'chromium', 'zsh', 'fish', 'curl']);
  const server = await startPostgres(scope, { settings: SERVER_SETTINGS });
  const environment = {
    TEST_POSTGRES_URL: server.url(),
    // Most files load the same sources; compiling them is a third of the work of a short file.
    NODE_COMPILE_CACHE: COMPILED,
  };
  await bundled;
  const engines = ENGINES.filter((name) => name === (process.env.TEST_ENGINE ?? name));
  if (engines.length === 0) throw new Error(`TEST_ENGINE must be ${ENGINES.join(' or ')}`);
  for (const pass of passesOn(engines)) {
    if (isStopped) break;
    console.log(`\n== ${pass.name} ==\n`);
    const startedAt = performance.now();
    const tests = await run(pass, environment);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    outcomes.push(`${pass.name}: ${tests === null ? 'FAILED' : `${tests} tests passed`} in ${seconds} s`);
    if (tests === null) process.exitCode = 1;
  }
  console.log(`\n${outcomes.join('\n')}`);
} finally {
  await scope.close();
}
