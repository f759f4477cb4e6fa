import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { listVersion } from '../../src/import/changelog.ts';
import { readChangelog } from '../../src/import/read.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('a chosen version', () => {
  for (const name of globSync('proofs/imports/samples/*', { cwd: ROOT }))
    it(`is read as it is with all others: ${name}`, () => {
      const input = { name, bytes: readFileSync(path.join(ROOT, name)) };
      const all = readChangelog(input, { format: 'auto' }).versions;
      assert.ok(all.length > 0);
      for (const version of all) {
        const { version: label } = version.content;
        const { versions } = readChangelog(input, {
          format: 'auto',
          choose: (listed) => {
            assert.deepEqual(listed, all.map(listVersion));
            return new Set([label]);
          },
        });
        assert.deepEqual(versions.map(listVersion), all.map(listVersion));
        assert.deepEqual(
          versions.find(({ content }) => content.version === label),
          version,
        );
      }
    });

  it('comes without the texts of the others', () => {
    const input = {
      name: 'a.md',
      bytes: Buffer.from('## 2.0.0 - 2026-02-01\n\n- B.\n\n## 1.0.0 - 2026-01-01\n\n- A.\n'),
    };
    const { versions } = readChangelog(input, { format: 'auto', choose: () => new Set(['1.0.0']) });
    assert.deepEqual(
      versions.map(({ content }) => content.changes.length),
      [0, 1],
    );
  });
});
