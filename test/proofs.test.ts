// Every proof is a program, and has a short form.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { PROOFS, programOf } from '../proofs/table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

describe('every proof', () => {
  it('every proof has a unique name and promise', () => {
    for (const field of ['name', 'promise'] as const)
      assert.equal(new Set(PROOFS.map((proof) => proof[field])).size, PROOFS.length, field);
  });

  it('every proof is a program, and every program is in the table', () => {
    assert.deepEqual(globSync('proofs/**/run-*.ts', { cwd: ROOT }).sort(), PROOFS.map(programOf).sort());
  });

  it('docs/reliability.md has the promise, the command and the result of every proof', () => {
    const page = readFileSync(path.join(ROOT, 'docs/reliability.md'), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| \*\*\w+\.\*\* /.test(line));
    const found = rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    assert.deepEqual(
      found.map(([, promise, command]) => `${promise?.replace(/^\*\*\w+\.\*\* /, '')} ${command}`).sort(),
      PROOFS.map(
        ({ promise, name, full }) => `${promise} \`${['npm run prove', name, ...full].join(' ')}\``,
      ).sort(),
    );
    for (const [, promise, , outcome = ''] of found) assert.match(outcome, /\d/, promise);
  });

  it('every proof has a short form among the tests', () => {
    for (const { name, shortTest } of PROOFS)
      assert.ok(
        shortTest.endsWith('.test.ts') && existsSync(path.join(ROOT, shortTest)),
        `${name}: ${shortTest}`,
      );
  });
});

describe('npm run prove', () => {
  it('npm run prove lists every proof with its promise and duration', () => {
    const { status, stdout } = prove();
    assert.equal(status, 0);
    const lines = stdout.split('\n');
    for (const { name, promise, duration } of PROOFS)
      assert.ok(
        lines.some((line) => line.startsWith(`${name} `) && line.endsWith(` ${promise} (${duration})`)),
        name,
      );
  });

  it('npm run prove --short runs the short form of a proof', () => {
    const { status, stdout } = prove('clients', '--short');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^ℹ pass [1-9]/m);
  });

  it('npm run prove exits with 2 for an unknown name, and suggests the nearest one', () => {
    const { status, stdout, stderr } = prove('qeries');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^unknown proof "qeries"; did you mean "queries"\?\n/);
    for (const { promise } of PROOFS) assert.ok(stderr.includes(promise));
  });

  it('npm run prove exits with 2 for invalid arguments, and prints the usage', () => {
    const { status, stdout, stderr } = prove('kills', 'many');
    assert.deepEqual([status, stdout, stderr], [2, '', 'usage: npm run prove kills ROUNDS\n']);
    assert.equal(prove('all', '10').status, 2);
    assert.equal(prove('--sort').status, 2);
  });
});

function prove(...args: string[]) {
  // With this variable set, a nested test runner would run no tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['proofs/run.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' });
}
