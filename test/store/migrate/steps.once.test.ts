// Users' databases were created with the released steps, so a step never changes after its release.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { STEPS, type Step } from '../../../src/store/migrate/migrate.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../src/store/migrate');
const FILES = globSync('[0-9]*{.ts,/*.ts}', { cwd: FOLDER }).sort();

/** Checksums of the name and the SQL of both engines; comments may change. */
const RELEASED: readonly (readonly [name: string, checksum: string])[] = [];

function checksumOf({ name, sqlite, postgres }: Step): string {
  return createHash('sha256')
    .update(JSON.stringify([name, sqlite, postgres]))
    .digest('hex');
}

describe('schema steps', () => {
  it('released schema steps are unchanged and in order', () => {
    for (const [index, [name, checksum]] of RELEASED.entries()) {
      const step = STEPS[index];
      assert.ok(
        step?.name === name && checksumOf(step) === checksum,
        `${name} has changed since its release; restore it and add a new step (see CONTRIBUTING.md)`,
      );
    }
    // The first step is not released: it becomes part of RELEASED with the first version on a registry.
    assert.ok(STEPS.length <= RELEASED.length + 1, 'add the released steps to RELEASED in this test');
  });

  it('each schema step is in a file or a folder with its name and number', () => {
    assert.deepEqual(
      [...new Set(FILES.map((file) => file.split(/[./]/)[0]))],
      STEPS.map(({ name }) => name.replaceAll('_', '-')),
    );
    for (const [index, { name }] of STEPS.entries())
      assert.equal(name.slice(0, 5), `${String(index + 1).padStart(4, '0')}_`);
  });

  for (const file of FILES) {
    it(`${file} depends on nothing but files of its own step and of earlier ones`, () => {
      const text = readFileSync(path.join(FOLDER, file), 'utf8');
      const imported = [...text.matchAll(/\b(?:from|import)\b\s*\(?\s*'(.*?)'/g)].map(([, name = '']) =>
        path.join(path.dirname(file), name),
      );
      const [step = ''] = file.split(/[./]/);
      for (const name of imported)
        assert.ok(/^\d{4}-/.test(name) && path.dirname(name) <= step, `${file} imports ${name}`);
      assert.doesNotMatch(text, /\b(?:process|Date|Math|globalThis)\b/);
    });
  }
});
