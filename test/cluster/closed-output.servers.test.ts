// Programs that start servers, when nobody reads their output any more.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../support/processes/poll.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs a line of shell, and fails if a process or a file is left of it. */
async function runTidily(t: TestContext, line: string): Promise<string> {
  const folder = temporaryFolder(t);
  // Servers run as another user when the tests run as root.
  chmodSync(folder, 0o711);
  const env = { PATH: process.env.PATH, TMPDIR: folder };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: ROOT, env });
  await until('no process uses the folder', () => !commandLines().some((text) => text.includes(folder)));
  assert.deepEqual(readdirSync(folder), []);
  return stdout;
}

/** Of all processes, with their environment where it can be read. */
function commandLines(): string[] {
  return globSync('/proc/[0-9]*/{cmdline,environ}').map((file) => {
    try {
      return readFileSync(file, 'latin1');
    } catch {
      return '';
    }
  });
}

describe('a closed pipe', () => {
  it('npm run cluster | head -1 prints a line, then stops all servers and removes their files', async (t) => {
    assert.equal(
      await runTidily(t, 'npm run --silent cluster | head -1'),
      'The cluster is running. Press Ctrl-C to stop it and delete its files.\n',
    );
  });

  const commands = ['bench -- --quick --only process', 'prove corpus', 'prove fuzz -- --short'];
  for (const command of [...commands, 'test -- test/cluster/postgres.servers.test.ts'])
    it(`npm run ${command} stops when its output is closed`, async (t) => {
      assert.equal(await runTidily(t, `npm run --silent ${command} 2>&1 | true`), '');
    });
});

describe('--help', () => {
  for (const [name, program] of Object.entries({
    cluster: 'cluster/run.ts',
    bench: 'bench/run.ts',
    prove: 'proofs/run.ts',
  }))
    it(`npm run ${name} -- --help prints its usage and starts nothing`, (t) => {
      const folder = temporaryFolder(t);
      const env = { PATH: process.env.PATH, TMPDIR: folder };
      const { status, stdout } = spawnSync(process.execPath, [program, '--help'], {
        cwd: ROOT,
        env,
        encoding: 'utf8',
      });
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`^usage: npm run ${name}\\b`));
      assert.deepEqual(readdirSync(folder), []);
    });

  it('npm run cluster refuses an argument that it does not know', () => {
    const args = ['cluster/run.ts', '--nodes', '5'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^unknown argument "--nodes"$[\s\S]*usage: npm run cluster/m);
  });
});
