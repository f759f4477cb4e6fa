// Every proof, one after the other: `npm run proofs -- [--short] [NAME …]`. Prints what each said and, at the end, a table
// in Markdown; the exit code is 1 if one of them failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROOFS, type Proof } from '../proofs/table.ts';
import { ENGINES } from '../support/databases/engines.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** `NAME.ENGINE.test.ts` is about that engine. */
const OF_ONE_ENGINE = /\.(\w+)\.test\.ts$/;
/** Of what a proof says, the last lines. */
const FIGURES_MAX = 8;
/** What the runner of the tests says of itself, and not a test. */
const RUNNER = /^(?:[✔✖▶]|ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) )/;

type Outcome = Readonly<{ proof: Proof; passed: boolean; seconds: number; figures: string }>;

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !PROOFS.some((proof) => proof.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no proof is called ${unknown.join(', ')}: ${PROOFS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const chosen = PROOFS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

async function prove(proof: Proof): Promise<Outcome> {
  const startedAt = performance.now();
  const { code, output } = values.short ? await runTest(proof) : await runScript(proof);
  const seconds = (performance.now() - startedAt) / 1000;
  return { proof, passed: code === 0, seconds, figures: figuresOf(output) };
}

function runScript({ script, full }: Proof) {
  return run('npm', ['run', '--silent', script, '--', ...full], {});
}

type Run = Promise<{ code: number | null; output: string }>;
const tests = new Map<string, Run>();

/** Once, also if it is the short form of several. */
function runTest({ shortTest }: Proof): Run {
  const running = tests.get(shortTest) ?? startTest(shortTest);
  tests.set(shortTest, running);
  return running;
}

function startTest(shortTest: string): Run {
  const engine = OF_ONE_ENGINE.exec(shortTest)?.[1] ?? ENGINES[0];
  const flags = ['bin/launcher.cjs', '--test', '--test-reporter=spec', shortTest];
  return run(process.execPath, flags, { TEST_ENGINE: engine });
}

async function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv): Run {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}

/** The lines that say something by themselves: those that belong to the line before are indented. */
function figuresOf(output: string): string {
  const lines = output.split('\n').filter((line) => /^\S.*\d/.test(line) && !RUNNER.test(line));
  return lines.slice(-FIGURES_MAX).join('<br>').replaceAll('ℹ ', '').replaceAll('|', '\\|');
}

function writeTable(outcomes: readonly Outcome[]): string {
  const cpu = os.cpus()[0]?.model ?? 'unknown processor';
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GiB`;
  const machine = `${cpu}, ${os.availableParallelism()} cores, ${memory}, Node.js ${process.version}`;
  const rows = outcomes.map(({ proof, passed, seconds, figures }) => {
    const command = values.short ? proof.shortTest : ['npm run', proof.script, '--', ...proof.full].join(' ');
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

const outcomes: Outcome[] = [];
for (const proof of chosen) {
  console.log(`\n== ${proof.name}: ${proof.promise} ==\n`);
  outcomes.push(await prove(proof));
}
console.log(`\n${writeTable(outcomes)}`);
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
