// The full run: a large changelog is imported, then one of twice the size, each of them twice.
import assert from 'node:assert/strict';
import path from 'node:path';
import { MAIN } from '../../cluster/nodes.ts';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { type CommandReport, timeCommand } from '../../support/processes/commands.ts';
import { countFor } from '../arguments.ts';
import { VERSIONS_A_MEGABYTE, writeBulkChangelog } from './bulk.ts';

/** Of a file of about 60 MB. All of its headings are in memory until it is known which are versions. */
const PEAK_MB_MAX = 1_100;
/** The ratio of the processor times for twice the size. */
const RATIO = { min: 1.6, max: 2.6 };
/** Without a terminal, progress is printed as lines. */
const LONG_SECONDS = 60;

const megabytes = countFor('import-bulk');
const scope = openScope();
const folder = temporaryFolder(scope);
const file = path.join(folder, 'CHANGELOG.md');
try {
  console.log('| versions | MB | | s | processor s | MB/s | peak MB |\n|---:|---:|---|---:|---:|---:|---:|');
  const once = await measure(megabytes);
  const twice = await measure(megabytes * 2);
  const ratio = twice.cpuSeconds / once.cpuSeconds;
  const peakMb = Math.max(once.peakMb, twice.peakMb);
  console.log(
    `\nTwice the size takes ${ratio.toFixed(2)} times the processor time; peak ${peakMb.toFixed(0)} MB.`,
  );
  assert.ok(peakMb < PEAK_MB_MAX, `more than ${PEAK_MB_MAX} MB`);
  assert.ok(ratio > RATIO.min && ratio < RATIO.max, `the ratio is not between ${RATIO.min} and ${RATIO.max}`);
} finally {
  await scope.close();
}

/** Imports a changelog of that size, then again, when nothing has changed. */
async function measure(size: number): Promise<Pick<CommandReport, 'cpuSeconds' | 'peakMb'>> {
  const versions = size * VERSIONS_A_MEGABYTE;
  const written = writeBulkChangelog(file, versions) / 1e6;
  const environment = { DATABASE_URL: `sqlite:${path.join(folder, `bulk-${size}.db`)}` };
  const importIt = async (what: string) => {
    const args = [MAIN, 'import', 'bulk/rocket', file, '--create'];
    const report = await timeCommand(scope, args, environment);
    assert.equal(report.code, 0, report.stderr());
    const seconds = report.milliseconds / 1_000;
    const figures = [seconds, report.cpuSeconds, written / seconds].map((figure) => figure.toFixed(1));
    console.log(
      `| ${[versions.toLocaleString('en'), written.toFixed(0), what, ...figures, report.peakMb.toFixed(0)].join(' | ')} |`,
    );
    return report;
  };
  const first = await importIt('import');
  if (first.milliseconds > LONG_SECONDS * 1_000)
    assert.match(first.stderr(), /changelog: importing \S*CHANGELOG\.md: \d+ %/, 'no progress was reported');
  const again = await importIt('import again');
  return { cpuSeconds: first.cpuSeconds, peakMb: Math.max(first.peakMb, again.peakMb) };
}
