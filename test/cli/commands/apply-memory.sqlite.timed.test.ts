// The program as a separate process: its memory, and its end when the reader of its output closes the pipe.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { describe, it } from 'node:test';
import { writeBulkDocument } from '../../../support/content/bulk.ts';
import { watchPeak } from '../../../support/processes/usage.ts';
import { runOk } from '../../../support/program/command.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { sandboxOf } from '../helpers.ts';

const VERSIONS = 15_000;
/** Of a document of 8 MB. */
const PEAK_MB_MAX = 300;

describe('many versions', () => {
  it('many versions are applied and exported in little memory, and an export whose reader leaves ends quietly', async (t) => {
    const sandbox = sandboxOf(t);
    writeBulkDocument(path.join(sandbox.folder, 'bulk.json'), VERSIONS, 'json');
    const applying = await spawnProgram(t, sandbox, ['apply', 'bulk.json']);
    const peakMb = watchPeak(applying.child.pid, applying.exited);
    assert.deepEqual(await applying.exited, { code: 0, signal: null });
    assert.ok((await peakMb) < PEAK_MB_MAX, `${await peakMb} MB`);
    assert.ok((await peakMb) > 0);

    const exporting = await spawnProgram(t, sandbox, ['export', 'bulk']);
    await once(exporting.child.stdout, 'data');
    exporting.child.stdout.destroy();
    assert.deepEqual(await exporting.exited, { code: 0, signal: null });
    assert.match(await runOk(sandbox, ['export', 'bulk']), /^# yaml-language-server/);
  });
});
