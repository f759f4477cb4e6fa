// The proofs are there: each is a script that can be run, and each has a short form that `npm test` runs.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { PROOFS } from '../proofs/table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

describe('every proof', () => {
  it('has a name and a promise of its own', () => {
    for (const field of ['name', 'promise', 'script'] as const)
      assert.equal(new Set(PROOFS.map((proof) => proof[field])).size, PROOFS.length, field);
  });

  it('is a script that is described for contributors', () => {
    const contributing = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    for (const { script } of PROOFS) {
      assert.ok(script in scripts, `npm run ${script}`);
      assert.match(contributing, new RegExp(`^\\| \`npm run ${script}\\b`, 'm'));
    }
  });

  it('has its promise, its command and what it found on the page about reliability', () => {
    const page = readFileSync(path.join(ROOT, 'docs/reliability.md'), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| \*\*\w+\.\*\* /.test(line));
    const found = rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    assert.deepEqual(
      found.map(([, promise, command]) => `${promise?.replace(/^\*\*\w+\.\*\* /, '')} ${command}`).sort(),
      PROOFS.map(({ promise, script, full }) => {
        const command = full.length === 0 ? script : `${script} -- ${full.join(' ')}`;
        return `${promise} \`npm run ${command}\``;
      }).sort(),
    );
    for (const [, promise, , outcome = ''] of found) assert.match(outcome, /\d/, promise);
  });

  it('has a short form among the tests', () => {
    for (const { name, shortTest } of PROOFS)
      assert.ok(
        shortTest.endsWith('.test.ts') && existsSync(path.join(ROOT, shortTest)),
        `${name}: ${shortTest}`,
      );
  });
});
