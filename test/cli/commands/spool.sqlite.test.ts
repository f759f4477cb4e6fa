// What is too large for memory goes to temporary files: within a bound, and without a trace, however the command ends.
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
import { documentOf, workplaceOf } from '../helpers.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../src/main.ts');
const ENDLESS = { apply: '# nothing but a comment\n', import: '- A change.\n' };
const COMMANDS = { apply: ['apply'], import: ['import', 'acme/rocket'] };
type Name = keyof typeof COMMANDS;
const NAMES = Object.keys(COMMANDS) as Name[];

/** A place whose temporary files are its own. */
function placeOf(t: TestContext, environment: Record<string, string> = {}) {
  const workplace = workplaceOf(t);
  const temporary = path.join(workplace.folder, 'temporary');
  mkdirSync(temporary);
  return {
    workplace,
    temporary,
    start: (args: readonly string[]) =>
      spawnProgram(t, workplace, args, { TMPDIR: temporary, ...environment }),
  };
}

/** Writes the same line until nobody takes it any more. */
function writeWithoutEnd(line: string, to: Writable): void {
  to.on('error', () => {});
  const chunk = line.repeat(4_000);
  Readable.from(
    (function* () {
      for (;;) yield chunk;
    })(),
  ).pipe(to);
}

async function refused(program: Awaited<ReturnType<ReturnType<typeof placeOf>['start']>>): Promise<string> {
  assert.deepEqual(await program.exited, { code: 1, signal: null }, program.output().stderr);
  assert.equal(program.output().stdout, '');
  assert.match(program.output().stderr, /^changelog: [^\n]+\n$/);
  return program.output().stderr;
}

describe('temporary files', () => {
  for (const name of NAMES) {
    it(`are not made by \`${name} /dev/zero\`: a NUL byte ends it`, async (t) => {
      const { start, temporary, workplace } = placeOf(t);
      const message = await refused(await start([...COMMANDS[name], '/dev/zero']));
      assert.match(message, /\/dev\/zero:1: not text: it contains a NUL byte/);
      assert.deepEqual(readdirSync(temporary), []);
      assert.ok(!existsSync(path.join(workplace.folder, 'data')));
    });

    it(`of \`${name} -\` end at SPOOL_MAX_MB, which the refusal names`, async (t) => {
      const { start, temporary } = placeOf(t, { SPOOL_MAX_MB: '3' });
      const program = await start([...COMMANDS[name], '-']);
      writeWithoutEnd(ENDLESS[name], program.child.stdin);
      assert.match(
        await refused(program),
        /standard input needs more than 3 MB of temporary files; .* SPOOL_MAX_MB\. Nothing was written\./,
      );
      assert.deepEqual(readdirSync(temporary), []);
    });
  }

  it('end at the same bound for a FIFO, and a NUL far into it is refused with its line', async (t) => {
    const { start, workplace } = placeOf(t, { SPOOL_MAX_MB: '3' });
    const fifo = path.join(workplace.folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const endless = await start(['apply', 'fifo']);
    writeWithoutEnd(ENDLESS.apply, createWriteStream(fifo));
    assert.match(await refused(endless), /fifo needs more than 3 MB/);
    const lines = 2 ** 17;
    const { code, stderr } = await run(workplace, ['apply', '-'], `${'# 12345678901\n'.repeat(lines)}\0`);
    assert.deepEqual([code, /standard input:(\d+): .*NUL byte/.exec(stderr)?.[1]], [1, `${lines + 1}`]);
  });

  it('count also the versions of a large document in a file', async (t) => {
    const { workplace } = placeOf(t);
    const text = 'x'.repeat(100_000);
    const document = documentOf(
      Array.from({ length: 30 }, (_, at) => ({ version: `1.${at}.0`, title: '', description: text })),
    );
    const less = { ...workplace, environment: { SPOOL_MAX_MB: '5' } };
    const { code, stderr } = await run(less, ['apply', '-'], JSON.stringify(document));
    assert.equal(code, 1);
    assert.match(stderr, /needs more than 5 MB of temporary files/);
    assert.equal((await run(workplace, ['apply', '-'], JSON.stringify(document))).code, 0);
  });

  it('are gone with a process that is killed', async (t) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const { start, temporary } = placeOf(t);
      const { child, exited } = await start(['apply', '-']);
      writeWithoutEnd(ENDLESS.apply, child.stdin);
      await until('it spools', () => isHolding(child.pid, temporary));
      child.kill(signal);
      assert.equal((await exited).signal, signal);
      assert.deepEqual(readdirSync(temporary), []);
    }
  });

  it('say so when the disk is full, and when there is no place for them', async (t) => {
    const { workplace, temporary } = placeOf(t);
    const environment = { ...(await environmentOf(workplace)), PATH: process.env.PATH, TMPDIR: temporary };
    // A limit on the size of a file is a disk that anybody can fill. It is in blocks of 512 bytes.
    const limited = ['-c', 'ulimit -f 4096; exec "$0" "$@"', process.execPath, MAIN, 'apply', '-'];
    const child = spawn('/bin/sh', limited, { cwd: workplace.folder, env: environment });
    const told = child.stderr.toArray();
    writeWithoutEnd(ENDLESS.apply, child.stdin);
    assert.deepEqual(await once(child, 'exit'), [1, null]);
    assert.match(
      Buffer.concat(await told).toString(),
      /^changelog: the disk for temporary files is full \(.*, EFBIG\); .*TMPDIR.* Nothing .* was written\.\n$/,
    );
    assert.deepEqual(readdirSync(temporary), []);
    const nowhere = path.join(temporary, 'none');
    const program = await spawnProgram(t, workplace, ['apply', '-'], { TMPDIR: nowhere });
    writeWithoutEnd(ENDLESS.apply, program.child.stdin);
    assert.match(await refused(program), /cannot create temporary files in .*none \(ENOENT\); set TMPDIR/);
  });
});

/** Has the process a file of that folder open? Its name is gone, but the system remembers it. */
function isHolding(pid: number | undefined, folder: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((each) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${each}`).startsWith(folder);
    } catch {
      return false;
    }
  });
}
