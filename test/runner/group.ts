// Runs test files in one process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import { type Group, ROOT } from './groups.ts';
import type { Counts, Outcome } from './outcome.ts';

/** `output` has what the tests printed, then the error of each that failed. */
export type Finished = Readonly<{ outcome: Outcome; output: string }>;

const PROCESS = path.join(import.meta.dirname, 'process.ts');
/** Tests leave much garbage: with the default of 16 MB, collecting it takes more of the processor. */
const YOUNG_MB = 64;
const NO_COUNTS: Counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

const running = new Set<ChildProcess>();

/** By a signal on which it exits as usual, so that what its tests made is removed. */
export function stopGroups(): void {
  for (const child of running) child.kill('SIGTERM');
}

export async function runGroup({ engine, files }: Group, environment: NodeJS.ProcessEnv): Promise<Finished> {
  const scope = openScope();
  try {
    const file = path.join(temporaryFolder(scope), 'outcome.json');
    const flags = [`--max-semi-space-size=${YOUNG_MB}`];
    const node = tethered(process.execPath, [...flags, PROCESS, file, ...files]);
    const child = spawn(node.command, node.args, {
      cwd: ROOT,
      // Without the variable of a test runner around this one: its tests would report to that.
      env: { ...process.env, ...environment, TEST_ENGINE: engine, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const [code, signal] = await once(child, 'close');
    running.delete(child);
    return { outcome: readOutcome(file, { code, signal, files }), output };
  } finally {
    await scope.close();
  }
}

type Exit = Readonly<{ code: number | null; signal: NodeJS.Signals | null; files: readonly string[] }>;

/** A process that fails without a failed test counts as one failed test, which names its files. */
function readOutcome(file: string, { code, signal, files }: Exit): Outcome {
  const outcome = parseOutcome(file);
  if (outcome !== null && (code === 0 || outcome.failures.length > 0)) return outcome;
  const { counts } = outcome ?? { counts: NO_COUNTS };
  const failure = {
    name: `the process of these files exited with ${signal ?? code}`,
    place: files.join(' '),
  };
  return { counts: { ...counts, tests: counts.tests + 1, fail: counts.fail + 1 }, failures: [failure] };
}

function parseOutcome(file: string): Outcome | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
