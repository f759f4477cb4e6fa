// `npm run import-bulk -- [MEGABYTES]`: what importing a large changelog takes, one of twice the size, and each again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { VERSIONS_A_MEGABYTE, writeBulkChangelog } from '../../proofs/imports/bulk.ts';

const MEGABYTES = 100;
const PEAK_MB_MAX = 512;
/** Of processor time, for twice the size. */
const RATIO = { min: 1.6, max: 2.6 };
const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');
const TICKS_A_SECOND = 100;
/** Where there is no terminal for a bar, a line says now and then how far it is. */
const LONG_SECONDS = 60;

const megabytes = Number(process.argv[2] ?? MEGABYTES);
if (!Number.isSafeInteger(megabytes) || megabytes < 1) {
  process.stderr.write('usage: npm run import-bulk -- [MEGABYTES]\n');
  process.exit(2);
}

type Spent = Readonly<{ seconds: number; cpuSeconds: number; peakMb: number; said: string }>;

const scope = openScope();
const folder = temporaryFolder(scope);
try {
  console.log('| versions | MB | | s | processor s | MB/s | peak MB |\n|---:|---:|---|---:|---:|---:|---:|');
  const once = await measure(megabytes);
  const twice = await measure(megabytes * 2);
  const ratio = twice.cpuSeconds / once.cpuSeconds;
  console.log(`\nTwice the size takes ${ratio.toFixed(2)} times the processor time.`);
  assert.ok(Math.max(once.peakMb, twice.peakMb) < PEAK_MB_MAX, `it takes more than ${PEAK_MB_MAX} MB`);
  assert.ok(ratio > RATIO.min && ratio < RATIO.max, `the ratio is not between ${RATIO.min} and ${RATIO.max}`);
} finally {
  await scope.close();
}

/** Imports a changelog of that size, and then once more, when there is nothing to do. */
async function measure(size: number): Promise<Spent> {
  const versions = size * VERSIONS_A_MEGABYTE;
  const written = writeBulkChangelog(path.join(folder, 'CHANGELOG.md'), versions) / 1e6;
  const database = `bulk-${size}.db`;
  const first = await importBulk(database);
  report(versions, written, 'import', first);
  if (first.seconds > LONG_SECONDS)
    assert.match(first.said, /changelog: importing CHANGELOG\.md: \d+ %/, 'nobody was told how far it was');
  const again = await importBulk(database);
  report(versions, written, 'import again', again);
  return { ...first, peakMb: Math.max(first.peakMb, again.peakMb) };
}

function report(
  versions: number,
  megabytes: number,
  what: string,
  { seconds, cpuSeconds, peakMb }: Spent,
): void {
  const figures = [seconds.toFixed(1), cpuSeconds.toFixed(1), (megabytes / seconds).toFixed(1), peakMb];
  console.log(
    `| ${versions.toLocaleString('en')} | ${megabytes.toFixed(0)} | ${what} | ${figures.join(' | ')} |`,
  );
}

/** Runs the program to its end; what it took includes its start. */
async function importBulk(database: string): Promise<Spent> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', 'bulk/rocket', 'CHANGELOG.md', '--create'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: `sqlite:${path.join(folder, database)}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const spent = { cpuSeconds: 0, peakMb: 0 };
  const watch = setInterval(() => Object.assign(spent, spentBy(child.pid) ?? {}), 20);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  if (code !== 0) throw new Error(`changelog import gave ${code}: ${said.join('')}`);
  return { ...spent, seconds: (performance.now() - startedAt) / 1000, said: said.join('') };
}

/** What the process has taken so far, as Linux tells. */
function spentBy(pid: number | undefined): Pick<Spent, 'cpuSeconds' | 'peakMb'> | null {
  try {
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    return kilobytes === '0' ? null : { cpuSeconds, peakMb: Math.round(Number(kilobytes) / 1000) };
  } catch {
    return null;
  }
}
