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

  it('duplicate labels are rejected together, with their lines, up to ten of them', (t) => {
    const imports = new SpooledImports({ name: 'CHANGELOG.md', quota: new SpoolQuota(100), merging: false });
    t.after(() => imports.close());
    for (const [index, label] of ['2.0', '1.0', '1.0', '1'].entries())
      imports.add(version(label, null, index + 1));
    assert.throws(
      () => imports.requireNoDuplicates(),
      /^Refusal: CHANGELOG\.md:3: duplicate version "1\.0" \(also on line 2\); rename one of them or use --merge-duplicates\.$/,
    );
    for (let line = 5; line < 17; line++) imports.add(version('2.0', null, line));
    assert.throws(
      () => imports.requireNoDuplicates(),
      /:3: duplicate version "1\.0" \(also on line 2\), "2\.0" \(also on line 1\) on line 5, .* on line 13, … and 3 more; rename one of each or use --merge-duplicates\.$/,
    );
  });

  it('sections of what is not released yet are merged into one draft, with a warning', (t) => {
    const imports = new SpooledImports({ name: 'CHANGELOG.md', quota: new SpoolQuota(100), merging: false });
    t.after(() => imports.close());
    for (const [index, text] of ['a', 'b', 'c'].entries())
      imports.add({ ...version('Unreleased', text, index + 1), isDated: true });
    imports.add({ ...version('WIP', null, 4), isDated: true });
    imports.requireNoDuplicates();
    assert.deepEqual(
      [...imports].map(({ content }) => content.description),
      ['a\n\nb\n\nc', null],
    );
    assert.deepEqual(imports.warnings(), [
      'CHANGELOG.md:1: 3 sections are named "Unreleased"; they were merged into one draft.',
    ]);
    for (const line of [5, 6]) imports.add({ ...version('2.0', null, line), isDated: true });
    assert.throws(() => imports.requireNoDuplicates(), /:6: duplicate version "2\.0"/);
  });
});

function version(label: string, description: string | null, line = 3): ImportedVersion {
  const content = { title: '', status: 'draft', publishedAt: null, yanked: false, changes: [] } as const;
  return { content: { ...content, version: label, description }, isDated: false, line };
}
