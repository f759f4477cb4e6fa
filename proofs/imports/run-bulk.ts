// The full run: a document with many versions, as JSON and as YAML, is applied, applied again and exported.
import assert from 'node:assert/strict';
import path from 'node:path';
import { MAIN } from '../../cluster/nodes.ts';
import { openScope, temporaryFolder } from '../../cluster/scope.ts';
import { writeBulkDocument } from '../../support/content/bulk.ts';
import { timeCommand } from '../../support/processes/commands.ts';
import { countFor } from '../arguments.ts';

const PEAK_MB_MAX = 800;
/** A document in YAML may be smaller only. */
const YAML_VERSIONS_MAX = 20_000;

const count = countFor('bulk');
const scope = openScope();
const folder = temporaryFolder(scope);
try {
  for (const format of ['json', 'yaml'] as const) {
    const file = path.join(folder, `bulk.${format}`);
    const versions = format === 'yaml' ? Math.min(count, YAML_VERSIONS_MAX) : count;
    const megabytes = writeBulkDocument(file, versions, format) / 1e6;
    const what = `${versions.toLocaleString('en')} versions, ${megabytes.toFixed(0)} MB of ${format}`;
    const environment = { DATABASE_URL: `sqlite:${path.join(folder, `${format}.db`)}` };
    await measure(`apply of ${what}`, ['apply', file], environment);
    await measure(`apply again of ${what}`, ['apply', file], environment);
    await measure(`export of ${what}`, ['export', 'bulk', '--format', format], environment);
  }
} finally {
  await scope.close();
}

async function measure(what: string, args: readonly string[], environment: Record<string, string>) {
  const { code, milliseconds, peakMb, stderr } = await timeCommand(scope, [MAIN, ...args], environment);
  assert.equal(code, 0, stderr());
  console.log(`${what}: ${(milliseconds / 1_000).toFixed(1)} s, peak ${peakMb.toFixed(0)} MB`);
  assert.ok(peakMb < PEAK_MB_MAX, `more than ${PEAK_MB_MAX} MB`);
}
