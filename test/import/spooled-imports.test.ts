import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpoolQuota } from '../../src/content/input/spool.ts';
import type { ImportedVersion } from '../../src/import/changelog.ts';
import { SpooledImports } from '../../src/import/spooled-imports.ts';

describe('versions that wait', () => {
  it('come back in their order, as often as wanted, also those that are in the file already', (t) => {
    const waiting = new SpooledImports({ name: 'CHANGELOG.md', quota: new SpoolQuota(100), merging: false });
    t.after(() => waiting.close());
    const versions = Array.from({ length: 600 }, (_, index) =>
      version(`1.${index}`, 'x\n\u2028 '.repeat(200)),
    );
    for (const one of versions) waiting.add(one);
    assert.equal(waiting.length, 600);
    assert.deepEqual([...waiting], versions);
    assert.deepEqual([...waiting], versions);
  });

  it('are found by their label', (t) => {
    const waiting = new SpooledImports({ name: 'CHANGELOG.md', quota: new SpoolQuota(100), merging: false });
    t.after(() => waiting.close());
    for (const label of ['2.0', '1.0']) waiting.add(version(label, null));
    assert.throws(
      () => waiting.add(version('1.0', null)),
      /^Refusal: CHANGELOG\.md:3: duplicate version "1\.0" \(also on line 3\); rename one of them or use --merge-duplicates\.$/,
    );
    waiting.add(version('1', null));
  });
});

function version(label: string, description: string | null): ImportedVersion {
  const content = { title: '', status: 'draft', publishedAt: null, yanked: false, changes: [] } as const;
  return { content: { ...content, version: label, description }, isDated: false, line: 3 };
}
