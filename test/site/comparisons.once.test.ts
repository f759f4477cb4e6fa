import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparisonsOf } from '../../src/site/comparisons.ts';

type Labels = string | readonly (readonly [label: string, changeCount: number])[];

/** As `1.0 to 2.0: 2.0, 2.0-rc`, those with a predecessor first. `after 1.0` is up to the newest version. */
function compare(labels: Labels): string[] {
  const versions =
    typeof labels === 'string'
      ? labels.split(' ').map((label) => ({ label, changeCount: 1 }))
      : labels.map(([label, changeCount]) => ({ label, changeCount }));
  return [...comparisonsOf(versions)].map(({ from, to, versions: compared }) => {
    const name = to === null ? `after ${from.label}` : `${from.label} to ${to.label}`;
    return `${name}: ${compared.map(({ label }) => label).join(', ')}`;
  });
}

describe('a static site compares', () => {
  it('each version with the one before it, and with the newest', () => {
    assert.deepEqual(compare('3.0.0 2.0.0 1.0.0'), [
      '1.0.0 to 2.0.0: 2.0.0',
      '2.0.0 to 3.0.0: 3.0.0',
      'after 2.0.0: 3.0.0',
      'after 1.0.0: 3.0.0, 2.0.0',
    ]);
  });

  it('a stable version with the last stable one, and a prerelease with whatever is before it', () => {
    const found = compare('2.0.0 2.0.0-rc.2 2.0.0-rc.1 1.0.0');
    assert.deepEqual(found.slice(0, 3), [
      '1.0.0 to 2.0.0-rc.1: 2.0.0-rc.1',
      '2.0.0-rc.1 to 2.0.0-rc.2: 2.0.0-rc.2',
      '1.0.0 to 2.0.0: 2.0.0, 2.0.0-rc.2, 2.0.0-rc.1',
    ]);
    assert.deepEqual(compare('2.0.0 1.0.0-rc.1').slice(0, 1), ['1.0.0-rc.1 to 2.0.0: 2.0.0']);
  });

  it('by the order of versions, and lists them in the order of the changelog', () => {
    assert.deepEqual(compare('1.1.0 2.0.0 1.0.0'), [
      '1.0.0 to 1.1.0: 1.1.0',
      '1.1.0 to 2.0.0: 2.0.0',
      'after 1.1.0: 2.0.0',
      'after 1.0.0: 1.1.0, 2.0.0',
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
    assert.deepEqual(compare('v2.0.0 2.0.0+b 1.0.0 v1'), [
      '1.0.0 to v2.0.0: v2.0.0, 2.0.0+b',
      '1.0.0 to 2.0.0+b: v2.0.0, 2.0.0+b',
      'after 1.0.0: v2.0.0, 2.0.0+b',
      'after v1: v2.0.0, 2.0.0+b',
    ]);
    assert.deepEqual(compare('1.0.0 v1 1'), []);
  });

  it('at most 1,000 changes and 500 versions', () => {
    const found = compare([
      ['4', 1],
      ['3', 999],
      ['2', 1],
      ['1', 1_001],
      ['0', 1],
    ]);
    assert.deepEqual(found, ['1 to 2: 2', '2 to 3: 3', '3 to 4: 4', 'after 3: 4', 'after 2: 4, 3']);
    const many = Array.from({ length: 502 }, (_, number): [string, number] => [`${502 - number}.0`, 0]);
    const after = compare(many).filter((name) => name.startsWith('after'));
    assert.equal(after.length, 500);
    assert.match(after.at(-1) ?? '', /^after 2\.0: /);
  });
});
