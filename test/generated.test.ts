import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { GENERATED } from '../scripts/generated.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

describe('generated files', () => {
  for (const [name, { file, write }] of Object.entries(GENERATED)) {
    it(`${file} is up to date`, () => {
      const isCurrent = readFileSync(path.join(ROOT, file), 'utf8') === write();
      assert.ok(isCurrent, `${file} is not current: run \`npm run generate ${name}\``);
    });
  }
});
