import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleRows } from '../../src/reference/example.ts';
import { comparisonsOf } from '../../src/site/layout.ts';
import { indexOf } from '../../src/store/read/index.ts';

/** As `1.0 to 2.0: 2.0, 2.0-rc`, those with a predecessor first. `after 1.0` is up to the newest version. */
function compare(labels: string | readonly string[], changes = 1): string[] {
  const all = typeof labels === 'string' ? labels.split(' ') : labels;
  const rows = all.map((label, place) => ({
    id: `ver_${place}`,
    label,
    sortKey: new Date(1e12 - place * 1e7).toISOString(),
    yanked: 0 as const,
    changeCount: changes,
    updatedAt: '2026-01-01T00:00:00.000Z',
    changes: [],
  }));
  return comparisonsOf(indexOf(exampleRows().head, rows)).map(({ from, to, versions }) => {
    const name = to === null ? `after ${from.label}` : `${from.label} to ${to.label}`;
    return `${name}: ${versions.map(({ label }) => label).join(', ')}`;
  });
}

describe('a static site compares', () => {
  it('each version with the one before it, and the newest of each older major version with the newest', () => {
    assert.deepEqual(compare('3.0.0 2.1.0 2.0.0 1.0.0'), [
      '2.1.0 to 3.0.0: 3.0.0',
      '2.0.0 to 2.1.0: 2.1.0',
      '1.0.0 to 2.0.0: 2.0.0',
      'after 2.1.0: 3.0.0',
      'after 1.0.0: 3.0.0, 2.1.0, 2.0.0',
    ]);
  });

  it('a stable version with the last stable one, and a prerelease with whatever is before it', () => {
    assert.deepEqual(compare('2.0.0 2.0.0-rc.2 2.0.0-rc.1 1.0.0'), [
      '1.0.0 to 2.0.0: 2.0.0, 2.0.0-rc.2, 2.0.0-rc.1',
      '2.0.0-rc.1 to 2.0.0-rc.2: 2.0.0-rc.2',
      '1.0.0 to 2.0.0-rc.1: 2.0.0-rc.1',
      'after 1.0.0: 2.0.0, 2.0.0-rc.2, 2.0.0-rc.1',
    ]);
    assert.deepEqual(compare('2.0.0 1.0.0-rc.1'), ['after 1.0.0-rc.1: 2.0.0']);
    assert.deepEqual(compare('2.1.0-rc.1 2.0.0'), [
      '2.0.0 to 2.1.0-rc.1: 2.1.0-rc.1',
      'after 2.0.0: 2.1.0-rc.1',
    ]);
  });

  it('by the order of versions, and lists them in the order of the changelog', () => {
    assert.deepEqual(compare('1.1.0 2.0.0 0.9.0'), [
      '0.9.0 to 1.1.0: 1.1.0',
      '1.1.0 to 2.0.0: 2.0.0',
      'after 1.1.0: 2.0.0',
      'after 0.9.0: 1.1.0, 2.0.0',
    ]);
  });

  it('no labels without an order', () => {
    assert.deepEqual(compare('nightly 2.0.0 2026-05-04 1.0.0'), [
      '1.0.0 to 2.0.0: 2.0.0',
      'after 1.0.0: 2.0.0',
    ]);
    for (const labels of ['nightly', 'nightly weekly', '1.0.0', '1.0.0 weekly'])
      assert.deepEqual(compare(labels), []);
    assert.deepEqual(compare([]), []);
  });

  it('labels of the same order together', () => {
    assert.deepEqual(compare('v2.0.0 2.0.0+b 1.0.0'), [
      '1.0.0 to v2.0.0: v2.0.0, 2.0.0+b',
      '1.0.0 to 2.0.0+b: v2.0.0, 2.0.0+b',
      'after 1.0.0: v2.0.0, 2.0.0+b',
    ]);
    assert.deepEqual(compare('1.0.0 v1 1'), []);
  });

  it('with the newest as far as all of them have 500 changes or those of the changelog', () => {
    const after = (changes: number) =>
      compare('5.0.0 4.0.0 3.0.0 2.0.0 1.0.0', changes)
        .filter((name) => name.startsWith('after'))
        .map((name) => name.slice(0, 'after 0'.length));
    assert.deepEqual(after(50), ['after 4', 'after 3', 'after 2', 'after 1']);
    assert.deepEqual(after(1_000), ['after 4', 'after 3']);
  });
});
