// `npm run prove` lists the proofs, `npm run prove NAME [ARGUMENTS]` runs one, and `npm run prove all` runs all of them
// and prints their results as a Markdown table. `npm run prove NAME -- --short` runs a short form, and
// `npm run prove -- --short` all tests that measure time or memory. The exit code is 1 if a promise does not hold.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ensureBundle } from '../cluster/bundle.ts';
import '../cluster/exits.ts';
import { outputClosed } from '../cluster/output.ts';
import { nearest } from '../src/domain/nearest.ts';
import { ENGINES } from '../support/databases/engines.ts';
import { PROOFS, type Proof, programOf } from './table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const EXITS = path.join(ROOT, 'cluster/exits.ts');
const ALL = 'all';
const USAGE = `usage: npm run prove NAME [ARGUMENTS]   run one proof
       npm run prove all                run all proofs, then print a table of their results
       npm run prove NAME -- --short    run the short form; also with all
       npm run prove -- --short         run all tests that measure time or memory, one after the other
`;
/** `NAME.ENGINE.test.ts` runs on that engine only. */
const OF_ONE_ENGINE = new RegExp(`\\.(${ENGINES.join('|')})(?:\\.timed)?\\.test\\.ts$`);
const TIMED = ['test/run.ts', '--timed'];
/** This many of the last lines that a proof prints go into the table. */
const FIGURES_MAX = 8;
/** Lines of the test runner itself. */
const RUNNER = /^(?:[✔✖▶]|ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) )/;
/** Node.js ends a program that uses hooks of its test runner with a summary, although there are no tests. */
const NO_TESTS = /^(?:ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo) 0|ℹ duration_ms [\d.]+)$/;

type Outcome = Readonly<{ proof: Proof; passed: boolean; seconds: number; figures: string }>;
type Finished = Readonly<{ code: number | null; output: string }>;

/** A test that is the short form of several proofs runs only once. */
const tests = new Map<string, Promise<Finished>>();
const { short, name, args } = readArguments();
let stopProof = () => {};
process.on('exit', () => stopProof());
if (name !== undefined || short) outputClosed().then(() => process.exit(1));
if (name === undefined && short) {
  process.exitCode = (await run(TIMED, {})).code ?? 1;
} else if (name === undefined) {
  process.stdout.write(`${USAGE}\n${listProofs()}`);
} else if (name === ALL) {
  await ensureBundle();
  await proveAll();
} else {
  const proof = PROOFS.find((known) => known.name === name) ?? failUnknown(name);
  await ensureBundle();
  const { code } = await prove(proof, args.length > 0 ? args : proof.full);
  process.exitCode = code ?? 1;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { short: { type: 'boolean', default: false }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
    const [name, ...args] = values.help ? [] : positionals;
    if (args.length > 0 && (values.short || name === ALL))
      throw new Error(`${values.short ? 'the short form' : ALL} takes no arguments`);
    return { short: values.short, name, args };
  } catch (error) {
    return fail((error as Error).message);
  }
}

function failUnknown(wanted: string): never {
  const meant = nearest(wanted, [...PROOFS.map((proof) => proof.name), ALL]);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return fail(`unknown proof "${wanted}"${hint}`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}\n${listProofs()}`);
  process.exit(2);
}

function listProofs(): string {
  const width = Math.max(...PROOFS.map((proof) => proof.name.length));
  return PROOFS.map(
    ({ name, promise, duration }) => `${name.padEnd(width)}  ${promise} (${duration})\n`,
  ).join('');
}

async function proveAll(): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const proof of PROOFS) {
    console.log(`\n== ${proof.name}: ${proof.promise} ==\n`);
    const startedAt = performance.now();
    const { code, output } = await prove(proof, proof.full);
    const seconds = (performance.now() - startedAt) / 1000;
    outcomes.push({ proof, passed: code === 0, seconds, figures: figuresOf(output) });
  }
  console.log(`\n${writeTable(outcomes)}`);
  if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
}

function prove(proof: Proof, own: readonly string[]): Promise<Finished> {
  return short ? proveShortly(proof) : run([programOf(proof), ...own], {});
}

function proveShortly({ shortTest }: Proof): Promise<Finished> {
  const engine = OF_ONE_ENGINE.exec(shortTest)?.[1] ?? process.env.TEST_ENGINE ?? ENGINES[0];
  const started =
    tests.get(shortTest) ??
    run(['--test', '--test-isolation=none', '--test-reporter=spec', shortTest], { TEST_ENGINE: engine });
  tests.set(shortTest, started);
  return started;
}

async function run(own: readonly string[], environment: NodeJS.ProcessEnv): Promise<Finished> {
  const child = spawn(process.execPath, ['--import', EXITS, ...own], {
    cwd: ROOT,
    env: { ...process.env, TEST_TIMED: 'true', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stopProof = () => void child.kill();
  const closed = once(child, 'close');
  let output = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (!short && NO_TESTS.test(line)) continue;
    output += `${line}\n`;
    process.stdout.write(`${line}\n`);
  }
  const [code] = await closed;
  return { code, output };
}

/** The lines with results; indented lines belong to the line before. */
function figuresOf(output: string): string {
  const lines = output.split('\n').filter((line) => /^\S.*\d/.test(line) && !RUNNER.test(line));
  return lines.slice(-FIGURES_MAX).join('<br>').replaceAll('ℹ ', '').replaceAll('|', '\\|');
}

function writeTable(outcomes: readonly Outcome[]): string {
  const cpu = os.cpus()[0]?.model ?? 'unknown processor';
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GiB`;
  const machine = `${cpu}, ${os.availableParallelism()} cores, ${memory}, Node.js ${process.version}`;
  const rows = outcomes.map(({ proof, passed, seconds, figures }) => {
    const command = short ? proof.shortTest : ['npm run prove', proof.name, ...proof.full].join(' ');
    return `| ${proof.promise} | \`${command}\` | ${passed ? 'holds' : 'FAILED'} | ${seconds.toFixed(0)} s | ${figures} |`;
  });
  return [
    `${machine}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    '| Promise | Command | Outcome | Took | Figures |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
