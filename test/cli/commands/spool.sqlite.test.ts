// Input that is too large for memory is spooled to temporary files, which are limited in size and always removed.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { environmentOf } from '../../../support/databases/engine.ts';
import { until } from '../../../support/processes/poll.ts';
import { run } from '../../../support/program/command.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { documentOf, sandboxOf } from '../helpers.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../src/main.ts');
const ENDLESS = { apply: '# nothing but a comment\n', import: '- A change.\n' };
const COMMANDS = { apply: ['apply'], import: ['import', 'acme/rocket'] };
type Name = keyof typeof COMMANDS;
const NAMES = Object.keys(COMMANDS) as Name[];

/** With a separate folder for temporary files. */
function spoolSandbox(t: TestContext, environment: Record<string, string> = {}) {
  const sandbox = sandboxOf(t);
  const temporary = path.join(sandbox.folder, 'temporary');
  mkdirSync(temporary);
  return {
    sandbox,
    temporary,
    start: (args: readonly string[], more: Record<string, string> = {}) =>
      spawnProgram(t, sandbox, args, { TMPDIR: temporary, ...environment, ...more }),
  };
}

/** Writes the same line until the reader closes the pipe. */
function writeWithoutEnd(line: string, to: Writable): void {
  to.on('error', () => {});
  const chunk = line.repeat(4_000);
  Readable.from(
    (function* () {
      for (;;) yield chunk;
    })(),
  ).pipe(to);
}

async function fails(
  program: Awaited<ReturnType<ReturnType<typeof spoolSandbox>['start']>>,
): Promise<string> {
  assert.deepEqual(await program.exited, { code: 1, signal: null }, program.output().stderr);
  assert.equal(program.output().stdout, '');
  assert.match(program.output().stderr, /^changelog: [^\n]+\n$/);
  return program.output().stderr;
}

describe('temporary files', () => {
  for (const name of NAMES) {
    it(`\`${name} /dev/zero\` stops at the first NUL byte, without a temporary file`, async (t) => {
      const { start, temporary, sandbox } = spoolSandbox(t);
      const message = await fails(await start([...COMMANDS[name], '/dev/zero']));
      assert.match(message, /\/dev\/zero:1: not text: it contains a NUL byte/);
      assert.deepEqual(readdirSync(temporary), []);
      assert.ok(!existsSync(path.join(sandbox.folder, 'data')));
    });

    it(`\`${name} -\` stops at SPOOL_MAX_MB, which the error names`, async (t) => {
      const { start, temporary } = spoolSandbox(t, { SPOOL_MAX_MB: '3' });
      const program = await start([...COMMANDS[name], '-']);
      writeWithoutEnd(ENDLESS[name], program.child.stdin);
      assert.match(
        await fails(program),
        /standard input needs more than 3 MB of temporary files; .* SPOOL_MAX_MB\. Nothing was written\./,
      );
      assert.deepEqual(readdirSync(temporary), []);
    });
  }

  it('a FIFO has the same limit, and a NUL byte far into it is reported with its line', async (t) => {
    const { start, sandbox } = spoolSandbox(t, { SPOOL_MAX_MB: '3' });
    const fifo = path.join(sandbox.folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const endless = await start(['apply', 'fifo']);
    writeWithoutEnd(ENDLESS.apply, createWriteStream(fifo));
    assert.match(await fails(endless), /fifo needs more than 3 MB/);
    const lines = 2 ** 17;
    const { code, stderr } = await run(sandbox, ['apply', '-'], `${'# 12345678901\n'.repeat(lines)}\0`);
    assert.deepEqual([code, /standard input:(\d+): .*NUL byte/.exec(stderr)?.[1]], [1, `${lines + 1}`]);
  });

  it('the limit of temporary files includes the versions of a large document', async (t) => {
    const { sandbox } = spoolSandbox(t);
    const text = 'x'.repeat(100_000);
    const document = documentOf(
      Array.from({ length: 30 }, (_, at) => ({ version: `1.${at}.0`, title: '', description: text })),
    );
    const less = { ...sandbox, environment: { SPOOL_MAX_MB: '5' } };
    const { code, stderr } = await run(less, ['apply', '-'], JSON.stringify(document));
    assert.equal(code, 1);
    assert.match(stderr, /needs more than 5 MB of temporary files/);
    assert.equal((await run(sandbox, ['apply', '-'], JSON.stringify(document))).code, 0);
  });

  it('temporary files are removed when the process is killed', async (t) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const { start, temporary } = spoolSandbox(t);
      const { child, exited } = await start(['apply', '-']);
      writeWithoutEnd(ENDLESS.apply, child.stdin);
      await until('it spools', () => isHolding(child.pid, temporary));
      child.kill(signal);
      assert.equal((await exited).signal, signal);
      assert.deepEqual(readdirSync(temporary), []);
    }
  });

  it('a full disk for temporary files is reported', async (t) => {
    const { sandbox, temporary } = spoolSandbox(t);
    const environment = { ...(await environmentOf(sandbox)), PATH: process.env.PATH, TMPDIR: temporary };
    // `ulimit -f`, in blocks of 512 bytes, stands in for a full disk.
    const limited = ['-c', 'ulimit -f 4096; exec "$0" "$@"', process.execPath, MAIN, 'apply', '-'];
    const child = spawn('/bin/sh', limited, { cwd: sandbox.folder, env: environment });
    const told = child.stderr.toArray();
    writeWithoutEnd(ENDLESS.apply, child.stdin);
    assert.deepEqual(await once(child, 'exit'), [1, null]);
    assert.match(
      Buffer.concat(await told).toString(),
      /^changelog: the disk for temporary files is full \(.*, EFBIG\); .*TMPDIR.* Nothing .* was written\.\n$/,
    );
    assert.deepEqual(readdirSync(temporary), []);
  });

  const UNUSABLE: [what: string, name: Name, folderIn: (folder: string) => string, said: RegExp][] = [
    ['missing', 'apply', (folder) => `${folder}/none`, /none does not exist; create it, or set TMPDIR to/],
    [
      'not a directory',
      'import',
      () => MAIN,
      /main\.ts is not a directory; set TMPDIR to a directory that you/,
    ],
    ['not writable', 'apply', () => '/sys', /\/sys is (?:not writable for this user|read-only); .*, or set /],
  ];
  for (const [what, name, folderIn, said] of UNUSABLE)
    it(`a folder for temporary files that is ${what} is reported`, async (t) => {
      const { start, temporary } = spoolSandbox(t);
      const program = await start([...COMMANDS[name], '-'], { TMPDIR: folderIn(temporary) });
      writeWithoutEnd(ENDLESS[name], program.child.stdin);
      const message = await fails(program);
      assert.match(message, said);
      assert.match(message, /^changelog: cannot create temporary files: .* Nothing .* was written\.\n$/);
      assert.doesNotMatch(message, /mkdtemp|ENOENT|EACCES/);
    });
});

/** Whether the process has a file of that folder open, and the folder is empty. */
function isHolding(pid: number | undefined, folder: string): boolean {
  const isOpen = readdirSync(`/proc/${pid}/fd`).some((each) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${each}`).startsWith(folder);
    } catch {
      return false;
    }
  });
  return isOpen && readdirSync(folder).length === 0;
}
