// Input that is too large, has no end or would take a parser gigabytes is rejected before it is parsed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createWriteStream, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { INPUT_BYTES_MAX } from '../../../src/content/input.ts';
import { run, type Sandbox } from '../../../support/program/command.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { sandboxWithoutDatabase } from '../helpers.ts';

const LINES = { apply: '# nothing but a comment\n', import: '- A change.\n' };
const COMMANDS = { apply: ['apply'], import: ['import', 'acme/rocket'] };
const ADVICE = { apply: 'split it by product', import: 'import it in parts' };
type Name = keyof typeof COMMANDS;

const fill = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length));
const TEAM = 'team: { slug: acme, name: Acme }\n';

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

/** The line on standard error of a command that fails and creates nothing. */
async function fails(
  t: TestContext,
  sandbox: Sandbox,
  args: readonly string[],
  write: (stdin: Writable) => void = () => {},
): Promise<string> {
  const { child, exited, output } = await spawnProgram(t, sandbox, args);
  write(child.stdin);
  assert.deepEqual(await exited, { code: 1, signal: null }, output().stderr);
  assert.equal(output().stdout, '');
  assert.ok(!existsSync(path.join(sandbox.folder, 'data')));
  return output().stderr;
}

describe('input without an end', () => {
  for (const name of Object.keys(COMMANDS) as Name[]) {
    it(`\`${name} /dev/zero\` stops at the first NUL byte`, async (t) => {
      const message = await fails(t, sandboxWithoutDatabase(t), [...COMMANDS[name], '/dev/zero']);
      assert.equal(
        message,
        'changelog: /dev/zero:1: not text: it contains a NUL byte; pass a content document or a changelog.\n',
      );
    });

    it(`\`${name} -\` stops at 64 MiB`, async (t) => {
      const message = await fails(t, sandboxWithoutDatabase(t), [...COMMANDS[name], '-'], (stdin) =>
        writeWithoutEnd(LINES[name], stdin),
      );
      assert.equal(message, `changelog: standard input exceeds 64 MiB; ${ADVICE[name]}.\n`);
    });
  }

  it('a FIFO has the same limit, and a NUL byte far into it is reported with its line', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const fifo = path.join(sandbox.folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const message = await fails(t, sandbox, ['apply', 'fifo'], () =>
      writeWithoutEnd(LINES.apply, createWriteStream(fifo)),
    );
    assert.equal(message, 'changelog: fifo exceeds 64 MiB; split it by product.\n');
    const lines = 2 ** 17;
    const { code, stderr } = await run(sandbox, ['apply', '-'], `${'# 12345678901\n'.repeat(lines)}\0`);
    assert.deepEqual([code, /standard input:(\d+): .*NUL byte/.exec(stderr)?.[1]], [1, `${lines + 1}`]);
  });
});

/** The content of the file, its name, and the expected message. */
const INVALID: readonly (readonly [what: string, file: string, text: () => string, said: RegExp])[] = [
  [
    'JSON of more than 64 MiB',
    'a.json',
    () => fill(' ', INPUT_BYTES_MAX + 1),
    /^changelog: a\.json exceeds 64 MiB; split it by product\.\n$/,
  ],
  [
    'a list of millions in YAML of more than 16 MiB',
    'a.yaml',
    () => `${TEAM}zzz:\n${fill('- 1\n', 31 * 2 ** 20)}`,
    /^changelog: a\.yaml:1: YAML may have at most 16 MiB; split the document by product, or write it as JSON\.\n$/,
  ],
  [
    'a list of millions in YAML of less',
    'a.yaml',
    () => `${TEAM}zzz: [${fill('1,', 16_000_000)}]\n`,
    /a\.yaml:1: too many fields and items for YAML; split the document by product, or write it as JSON\.\n$/,
  ],
  [
    'millions of aliases',
    'a.yaml',
    () => `team: &x { slug: acme, name: Acme }\nzzz: [${fill('*x,', 1_000_000)}]\n`,
    /a\.yaml:2: aliases make the document too large; write it out\.\n$/,
  ],
  [
    'a list of millions in JSON',
    'a.json',
    () => `{"team":{"slug":"acme","name":"Acme"},"zzz":[${fill('1,', 31 * 2 ** 20)}1]}`,
    /a\.json:1: too many fields and items; split the document by product\.\n$/,
  ],
];

describe('a large invalid document', () => {
  for (const [what, file, text, said] of INVALID)
    it(`rejecting a large document takes little memory: ${what}`, async (t) => {
      const sandbox = sandboxWithoutDatabase(t);
      writeFileSync(path.join(sandbox.folder, file), text());
      assert.match(await fails(t, sandbox, ['apply', file]), said);
    });
});
