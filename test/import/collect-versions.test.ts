import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VERSIONS_MAX } from '../../src/domain/content/content.ts';
import type { ImportedVersion } from '../../src/import/changelog.ts';
import { collectVersions, warnOfMerged } from '../../src/import/collect-versions.ts';

const APART = { name: 'CHANGELOG.md', merging: false };

describe('the versions of a source', () => {
  it('duplicate labels are rejected together, with their lines, up to ten of them', () => {
    const versions = ['2.0', '1.0', '1.0', '1'].map((label, index) => version(label, null, index + 1));
    assert.throws(
      () => collectVersions(versions, APART),
      /^Refusal: CHANGELOG\.md:3: duplicate version "1\.0" \(also on line 2\); rename one of them or use --merge-duplicates\.$/,
    );
    for (let line = 5; line < 17; line++) versions.push(version('2.0', null, line));
    assert.throws(
      () => collectVersions(versions, APART),
      /:3: duplicate version "1\.0" \(also on line 2\), "2\.0" \(also on line 1\) on line 5, .* on line 13, … and 3 more; rename one of each or use --merge-duplicates\.$/,
    );
  });

  it('sections of what is not released yet are merged into one draft, with a warning', () => {
    const versions = ['a', 'b', 'c'].map((text, index) => draft('Unreleased', text, index + 1));
    versions.push(draft('WIP', null, 4));
    assert.deepEqual(
      collectVersions(versions, APART).map(({ content }) => content.description),
      ['a\n\nb\n\nc', null],
    );
    assert.deepEqual(warnOfMerged(versions, 'CHANGELOG.md'), [
      'CHANGELOG.md:1: 3 sections are named "Unreleased"; they were merged into one draft.',
    ]);
    for (const line of [5, 6]) versions.push(draft('2.0', null, line));
    assert.throws(() => collectVersions(versions, APART), /:6: duplicate version "2\.0"/);
  });

  it('of merged versions, a dated one wins over one without a date', () => {
    const publishedAt = '2026-05-04T00:00:00.000Z';
    const late = draft('1.0', 'b', 2);
    const dated = { ...late, content: { ...late.content, status: 'published' as const, publishedAt } };
    const [merged] = collectVersions([version('1.0', 'a', 1), dated], { ...APART, merging: true });
    assert.deepEqual(
      [merged?.content.status, merged?.content.publishedAt, merged?.isDated],
      [dated.content.status, dated.content.publishedAt, dated.isDated],
    );
    assert.equal(merged?.content.description, 'a\n\nb');
  });

  it('of merged versions, the first comparison is kept, and another is part of the description', () => {
    const compared = (line: number, compare?: string) => {
      const one = version('1.0', null, line);
      return { ...one, content: { ...one.content, ...(compare !== undefined && { links: { compare } }) } };
    };
    const versions = [
      compared(1),
      ...['https://a/1..2', 'https://a/0..2', 'https://a/1..2'].map((url, at) => compared(at + 2, url)),
    ];
    const [merged] = collectVersions(versions, { ...APART, merging: true });
    assert.deepEqual(merged?.content.links, { compare: 'https://a/1..2' });
    assert.equal(merged?.content.description, '[Full changelog](https://a/0..2)');
  });

  it('more than 100,000 versions are refused, with the line of the first beyond them', () => {
    const versions = Array.from({ length: VERSIONS_MAX + 1 }, (_, index) => version(`${index}`, null, index));
    assert.equal(collectVersions(versions.slice(1), APART).length, VERSIONS_MAX);
    assert.throws(() => collectVersions(versions, APART), {
      message: 'CHANGELOG.md:100000: 100,001 versions; a changelog may have at most 100,000.',
    });
  });

  it('thirty thousand versions with the same label are merged in a moment', () => {
    const change = (index: number) => ({ type: 'added', text: `${index % 1_000}`, breaking: false }) as const;
    const versions = Array.from({ length: 30_000 }, (_, index) => {
      const one = version('1.0', `${index % 2}`, index + 1);
      return { ...one, content: { ...one.content, changes: [change(index)] } };
    });
    const [merged, ...others] = collectVersions(versions, { ...APART, merging: true });
    assert.deepEqual(others, []);
    assert.equal(merged?.content.changes.length, 1_000);
    assert.equal(merged?.content.description?.length, 30_000 + 29_999 * 2);
  });
});

function draft(label: string, description: string | null, line: number): ImportedVersion {
  return { ...version(label, description, line), isDated: true };
}

function version(label: string, description: string | null, line: number): ImportedVersion {
  const content = { title: '', status: 'draft', publishedAt: null, yanked: false, changes: [] } as const;
  return { content: { ...content, version: label, description }, isDated: false, line };
}
