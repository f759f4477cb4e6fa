// `npm run bulk -- [VERSIONS]`: what applying and exporting many versions takes, next to plain prepared inserts of the
// same rows into the same schema.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { insertPlainly, writeBulkDocument } from '../../support/content/bulk.ts';

const VERSIONS = 100_000;
const ROUNDS = 3;
const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');

const count = Number(process.argv[2] ?? VERSIONS);
if (!Number.isSafeInteger(count) || count < 1) {
  process.stderr.write('usage: npm run bulk -- [VERSIONS]\n');
  process.exit(2);
}

type Spent = Readonly<{ seconds: number; peakMb: number }>;

const scope = openScope();
const folder = temporaryFolder(scope);
const at = (name: string) => path.join(folder, name);
try {
  const megabytes = {
    json: writeBulkDocument(at('bulk.json'), count, 'json') / 1e6,
    yaml: writeBulkDocument(at('bulk.yaml'), count, 'yaml') / 1e6,
  };
  // A large run shows memory, and once is enough for that.
  const rounds = count > VERSIONS ? 1 : ROUNDS;
  for (let round = 1; round <= rounds; round++) {
    console.log(`${count.toLocaleString('en')} versions, round ${round} of ${rounds}`);
    await program(['migrate'], 'plain.db');
    const startedAt = performance.now();
    insertPlainly(at('plain.db'), count);
    const plain = (performance.now() - startedAt) / 1000;
    console.log(`  plain prepared inserts: ${plain.toFixed(1)} s`);
    for (const format of ['json', 'yaml'] as const) {
      report(
        `apply (${format})`,
        await program(['apply', `bulk.${format}`], 'bulk.db'),
        megabytes[format],
        plain,
      );
      if (format === 'json')
        report('apply again (json)', await program(['apply', 'bulk.json'], 'bulk.db'), megabytes.json, plain);
      const exported = await program(['export', 'bulk', '--format', format], 'bulk.db', `out.${format}`);
      report(`export (${format})`, exported, statSync(at(`out.${format}`)).size / 1e6);
      removeDatabase('bulk.db');
    }
    removeDatabase('plain.db');
  }
} finally {
  await scope.close();
}

function report(what: string, { seconds, peakMb }: Spent, megabytes: number, plain?: number): void {
  const ratio = plain === undefined ? '' : `, ${(plain / seconds).toFixed(2)} of plain inserts`;
  console.log(
    `  ${what}: ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s, peak ${peakMb} MB${ratio}`,
  );
}

/** Runs the program to its end; what it took includes its start. */
async function program(args: readonly string[], database: string, output?: string): Promise<Spent> {
  const file = output === undefined ? 'ignore' : openSync(at(output), 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: `sqlite:${at(database)}` },
    stdio: ['ignore', file, 'inherit'],
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (typeof file === 'number') closeSync(file);
  if (code !== 0) throw new Error(`changelog ${args.join(' ')} gave ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb };
}

/** The most memory that the process has had so far, where the system tells. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1000);
  } catch {
    return 0;
  }
}

function removeDatabase(name: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(at(name + suffix), { force: true });
}
