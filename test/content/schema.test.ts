import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SCHEMA = path.join(ROOT, 'schema/content.schema.json');

describe('schema/content.schema.json', () => {
  it('is a valid JSON Schema, which the program takes for granted', () => {
    const ajv = new Ajv();
    assert.ok(ajv.validateSchema(JSON.parse(readFileSync(SCHEMA, 'utf8'))), ajv.errorsText());
  });

  it('the demo documents name the schema for editors', () => {
    const documents = globSync('demo/*.yaml', { cwd: ROOT });
    assert.equal(documents.length, 2);
    for (const file of documents) {
      const [, named = ''] =
        /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(path.join(ROOT, file), 'utf8')) ?? [];
      assert.equal(path.resolve(ROOT, 'demo', named), SCHEMA);
    }
  });
});
