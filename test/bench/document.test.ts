import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CORE_SCHEMA, load } from 'js-yaml';
import { writeDocument } from '../../bench/data/document.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { runOk } from '../../support/program/command.ts';

describe('a generated document', () => {
  it('a generated document is the same in JSON and YAML, and can be applied', async (t) => {
    const folder = temporaryFolder(t);
    const [json, yaml] = (['json', 'yaml'] as const).map((format) => {
      const file = path.join(folder, `document.${format}`);
      writeDocument(file, 45, format);
      return file;
    }) as [string, string];
    assert.deepEqual(
      load(readFileSync(yaml, 'utf8'), { schema: CORE_SCHEMA }),
      JSON.parse(readFileSync(json, 'utf8')),
    );
    assert.match(await runOk({ folder }, ['apply', json]), /^Done: /m);
    assert.match(await runOk({ folder }, ['apply', yaml]), /^Nothing to do: /m);
  });
});
