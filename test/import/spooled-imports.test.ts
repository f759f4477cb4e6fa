import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ImportedVersion } from '../../src/import/changelog.ts';
import { SpooledImports } from '../../src/import/spooled-imports.ts';

describe('versions that wait', () => {
  it('come back in their order, as often as wanted, also those that are in the file already', (t) => {
    const waiting = new SpooledImports({ expectsRepeated: false });
    t.after(() => waiting.close());
    const versions = Array.from({ length: 600 }, (_, index) =>
      version(`1.${index}`, 'x\n\u2028 '.repeat(200)),
    );
    for (const one of versions) waiting.write(one);
    assert.equal(waiting.length, 600);
    assert.deepEqual([...waiting], versions);
    assert.deepEqual([...waiting], versions);
  });

  it('are found by their label', (t) => {
    const waiting = new SpooledImports({ expectsRepeated: false });
    t.after(() => waiting.close());
    for (const label of ['2.0', '1.0']) waiting.write(version(label, null));
    assert.deepEqual(waiting.find('1.0'), version('1.0', null));
    assert.equal(waiting.find('1'), undefined);
  });
});

function version(label: string, description: string | null): ImportedVersion {
  const content = { title: '', status: 'draft', publishedAt: null, yanked: false, changes: [] } as const;
  return { content: { ...content, version: label, description }, isDated: false, line: 3 };
}
