// `npm test` itself, with a few small test files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '../support/processes/scope.ts';

const RUN = path.resolve(import.meta.dirname, 'run.ts');
/** PostgreSQL is not used, so none is started. */
const ENVIRONMENT = { ...process.env, TEST_POSTGRES_URL: 'postgres://127.0.0.1:1', TEST_ENGINE: 'sqlite' };

const GREEN = `
import { describe, it } from 'node:test';
describe('a suite', () => {
  for (let index = 0; index < 300; index++) it('test ' + index, () => console.log('chatter'));
});
`;
const RED = `
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
describe('the outer suite', () => {
  describe('the inner suite', () => {
    it('a test that passes', () => {});
    it('a test that fails', () => assert.deepEqual({ found: 'this' }, { found: 'that' }));
  });
});
describe('a suite whose hook fails', () => {
  before(() => { throw new Error('no database'); });
  it('a test without its hook', () => {});
});
`;
const CRASH = `process.exit(7);`;

/** Runs `npm test -- FILE…` on files with these texts. */
function runTests(t: TestContext, texts: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder(t);
  const files = texts.map((text, index) => {
    const file = path.join(folder, `${index}.test.mjs`);
    writeFileSync(file, text);
    return file;
  });
  const options = { env: { ...ENVIRONMENT, ...environment }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, ...files], options);
  assert.equal(stderr, '');
  return { status, lines: stdout.split('\n') };
}

/** The lines from the totals to the end. */
function closingOf(lines: readonly string[]): string {
  return lines.slice(lines.findLastIndex((line) => line.startsWith('ℹ tests'))).join('\n');
}

describe('npm test', () => {
  it('a run without failures prints a line for each process and the totals, on both engines', (t) => {
    const { status, lines } = runTests(t, [GREEN], { TEST_ENGINE: undefined });
    assert.equal(status, 0, lines.join('\n'));
    assert.ok(lines.length < 20, `${lines.length} lines`);
    for (const engine of ['sqlite', 'postgres'])
      assert.equal(lines.filter((line) => line.startsWith(`✔ 300 tests on ${engine} in `)).length, 1);
    assert.match(
      closingOf(lines),
      /^ℹ tests 600\nℹ suites 2\nℹ pass 600\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms \d+\n$/,
    );
  });

  it('a run with failures prints each error, and at its end the tests that failed and their files', (t) => {
    const { status, lines } = runTests(t, [GREEN, RED]);
    const text = lines.join('\n');
    assert.equal(status, 1, text);
    assert.match(text, /AssertionError.*\n.*\n.*\n.*\{\n.*\+ {3}found: 'this'\n.*- {3}found: 'that'/);
    assert.match(text, /Error: no database\n +at .*1\.test\.mjs:11:/);
    const closing = closingOf(lines);
    assert.match(closing, /^ℹ tests 303$/m);
    assert.match(closing, /^ℹ fail 1$/m);
    assert.match(
      closing,
      /\n✖ failed:\n✖ the outer suite › the inner suite › a test that fails\n {2}on sqlite, \S+1\.test\.mjs:7\n/,
    );
    assert.match(closing, /^✖ a suite whose hook fails\n {2}on sqlite, \S+1\.test\.mjs:10$/m);
    assert.ok(!text.includes('a test that passes'), text);
  });

  it('a process that exits without a result is a failure that names its files', (t) => {
    const { status, lines } = runTests(t, [CRASH]);
    assert.equal(status, 1);
    assert.match(
      closingOf(lines),
      /^ℹ fail 1$[\s\S]*✖ the process of these files exited with 7\n {2}on sqlite, \S+0\.test\.mjs\n$/m,
    );
  });
});
