import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { GENERATED } from '../scripts/generated.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

describe('a generated file is what the code writes today', () => {
  for (const [name, { file, write }] of Object.entries(GENERATED)) {
    it(file, () => {
      const isCurrent = readFileSync(path.join(ROOT, file), 'utf8') === write();
      assert.ok(isCurrent, `${file} is not current: run \`npm run generate ${name}\``);
    });
  }
});
