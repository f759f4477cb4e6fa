// Our own changelog, read by our own program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { run } from '../../support/program/command.ts';
import { sandboxWithoutDatabase } from '../cli/helpers.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'CHANGELOG.md');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

describe('CHANGELOG.md', () => {
  it('check has nothing to say, and the version of package.json has notes', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const { code, stdout, stderr } = await run(sandbox, ['check', FILE, '--strict', '--version', version]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /: no problems in \d+ versions\n$/);
  });

  it('import reads it without a warning', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    await run(sandbox, ['migrate']);
    const { code, stderr } = await run(sandbox, ['import', 'acme/own', FILE, '--create', '--publish']);
    assert.deepEqual([code, stderr], [0, '']);
    const { stdout } = await run(sandbox, ['version', 'list', 'acme/own', '--json']);
    const versions = JSON.parse(stdout) as { version: string; status: string }[];
    assert.equal(versions.find(({ status }) => status === 'published')?.version, version);
  });
});
