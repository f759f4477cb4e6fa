import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ImportedVersion } from '../../src/import/changelog.ts';
import { VersionCollector } from '../../src/import/version-collector.ts';

describe('the versions of a source', () => {
  it('duplicate labels are rejected together, with their lines, up to ten of them', () => {
    const collector = new VersionCollector({ name: 'CHANGELOG.md', merging: false });
    for (const [index, label] of ['2.0', '1.0', '1.0', '1'].entries())
      collector.add(version(label, null, index + 1));
    assert.throws(
      () => collector.finish(),
      /^Refusal: CHANGELOG\.md:3: duplicate version "1\.0" \(also on line 2\); rename one of them or use --merge-duplicates\.$/,
    );
    for (let line = 5; line < 17; line++) collector.add(version('2.0', null, line));
    assert.throws(
      () => collector.finish(),
      /:3: duplicate version "1\.0" \(also on line 2\), "2\.0" \(also on line 1\) on line 5, .* on line 13, … and 3 more; rename one of each or use --merge-duplicates\.$/,
    );
  });

  it('sections of what is not released yet are merged into one draft, with a warning', () => {
    const collector = new VersionCollector({ name: 'CHANGELOG.md', merging: false });
    for (const [index, text] of ['a', 'b', 'c'].entries())
      collector.add({ ...version('Unreleased', text, index + 1), isDated: true });
    collector.add({ ...version('WIP', null, 4), isDated: true });
    assert.deepEqual(
      collector.finish().map(({ content }) => content.description),
      ['a\n\nb\n\nc', null],
    );
    assert.deepEqual(collector.warnings(), [
      'CHANGELOG.md:1: 3 sections are named "Unreleased"; they were merged into one draft.',
    ]);
    for (const line of [5, 6]) collector.add({ ...version('2.0', null, line), isDated: true });
    assert.throws(() => collector.finish(), /:6: duplicate version "2\.0"/);
  });
});

function version(label: string, description: string | null, line = 3): ImportedVersion {
  const content = { title: '', status: 'draft', publishedAt: null, yanked: false, changes: [] } as const;
  return { content: { ...content, version: label, description }, isDated: false, line };
}
