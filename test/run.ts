// All tests on both engines, over real servers: `npm test`. With TEST_ENGINE set, on that engine alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureServers } from '../cluster/debian.ts';
import { startPostgres } from '../cluster/postgres.ts';
import { openScope } from '../cluster/scope.ts';
import { ENGINES, type EngineName } from './support/engines.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Whatever is in these never asks a database, or the answer does not depend on its engine: once is enough. */
const ONCE = /^test\/(?:[^/]+|(?:cluster|content|deploy|domain|launcher|load)\/.+)\.test\.ts$/;
/** `NAME.ENGINE.test.ts` is about what only that engine has. */
const OF_ONE_ENGINE = /\.(\w+)\.test\.ts$/;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Nothing has to survive a power failure, or to be found quickly in large tables. */
const SERVER_SETTINGS = { full_page_writes: 'off', autovacuum: 'off', max_wal_size: '4GB' };

function filesFor(engine: EngineName): string[] {
  return globSync('test/**/*.test.ts', { cwd: ROOT })
    .filter((file) => (OF_ONE_ENGINE.exec(file)?.[1] ?? engine) === engine)
    .filter((file) => engine === ENGINES[0] || !ONCE.test(file))
    .sort();
}

let isStopped = false;

async function runTests(engine: EngineName, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const flags = ['--test', `--test-concurrency=${Math.max(2, os.availableParallelism())}`];
  const child = spawn(process.execPath, [...flags, ...filesFor(engine)], {
    cwd: ROOT,
    env: { ...process.env, ...environment, TEST_ENGINE: engine },
    stdio: 'inherit',
  });
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const [code] = await once(child, 'close');
  for (const signal of SIGNALS) process.off(signal, stop);
  return code === 0;
}

const scope = openScope();
const outcomes: string[] = [];
try {
  await ensureServers(['postgres', 'redis']);
  const server = await startPostgres(scope, { settings: SERVER_SETTINGS });
  for (const engine of ENGINES.filter((name) => name === (process.env.TEST_ENGINE ?? name))) {
    if (isStopped) break;
    console.log(`\n== on ${engine} ==\n`);
    const startedAt = performance.now();
    const passed = await runTests(engine, { TEST_POSTGRES_URL: server.url() });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    outcomes.push(`on ${engine}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
    if (!passed) process.exitCode = 1;
  }
  console.log(`\n${outcomes.join('\n')}`);
} finally {
  await scope.close();
}
