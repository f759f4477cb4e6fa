import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SpoolQuota } from '../../src/content/input/spool.ts';
import type { ImportedVersion } from '../../src/import/changelog.ts';
import { SpooledImports } from '../../src/import/spooled-imports.ts';

describe('spooled imports', () => {
  it('spooled versions can be iterated repeatedly in their order', (t) => {
    const imports = new SpooledImports({ name: 'CHANGELOG.md', quota: new SpoolQuota(100), merging: false });
    t.after(() => imports.close());
    const versions = Array.from({ length: 600 }, (_, index) =>
      version(`1.${index}`, 'x\n\u2028 '.repeat(200)),
    );
    for (const one of versions) imports.add(one);
    assert.equal(imports.length, 600);
    assert.deepEqual([...imports], versions);
    assert.deepEqual([...imports], versions);
  });

  it('a duplicate label is rejected with both lines', (t) => {
    const imports = new SpooledImports({ name: 'CHANGELOG.md', quota: new SpoolQuota(100), merging: false });
    t.after(() => imports.close());
    for (const label of ['2.0', '1.0']) imports.add(version(label, null));
    assert.throws(
      () => imports.add(version('1.0', null)),
      /^Refusal: CHANGELOG\.md:3: duplicate version "1\.0" \(also on line 3\); rename one of them or use --merge-duplicates\.$/,
    );
    imports.add(version('1', null));
  });
});

function version(label: string, description: string | null): ImportedVersion {
  const content = { title: '', status: 'draft', publishedAt: null, yanked: false, changes: [] } as const;
  return { content: { ...content, version: label, description }, isDated: false, line: 3 };
}
