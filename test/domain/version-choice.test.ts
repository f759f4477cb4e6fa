import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chooseRange,
  chooseVersions,
  findLatest,
  type ListedVersion,
  nearestLabels,
} from '../../src/domain/version-choice.ts';
import { LATEST_WORLDS, recommended } from '../decisions/latest-worlds.ts';

/** `2.0.0 2026-01-02`, `2.0.0`, `3.0.0 draft`, and `yanked` at the end. */
function listed(...lines: string[]): ListedVersion[] {
  return lines.map((line) => {
    const [label = '', date = ''] = line.split(' ');
    const publishedAt = /\d/.test(date) ? date : null;
    return { label, publishedAt, isDraft: date === 'draft', yanked: line.endsWith('yanked') };
  });
}

const labelsOf = (choice: { versions: readonly ListedVersion[] } | undefined) =>
  choice?.versions.map(({ label }) => label).join(' ');

describe('the latest version of a file', () => {
  const cases: [why: string, lines: string[], latest: string | undefined][] = [
    [
      'is the highest, not a backport that is newer',
      ['1.4.2 2026-03-20', '2.1.0 2026-03-01', '2.0.0 2026-01-01'],
      '2.1.0',
    ],
    ['is no draft', ['3.0.0 draft', '2.0.0 2026-01-01'], '2.0.0'],
    ['is no prerelease', ['2.0.0-rc.1 2026-02-01', '1.0.0 2026-01-01'], '1.0.0'],
    [
      'is a prerelease if there is nothing else',
      ['2.0.0-rc.1 2026-01-01', '2.0.0-rc.2 2026-02-01'],
      '2.0.0-rc.2',
    ],
    ['may lack a date', ['1.9.0', '1.10.0', '1.2.0'], '1.10.0'],
    [
      'is the newest if labels are not semantic versions',
      ['2026-01-01 2026-01-01', '2026-02-01 2026-02-01'],
      '2026-02-01',
    ],
    ['is the first if there are no dates either', ['summer', 'spring'], 'summer'],
    ['is missing if nothing is released', ['Unreleased draft'], undefined],
    [
      'is a withdrawn one if only drafts are not',
      ['3.0.0 draft', '2.0.0 2026-02-01 yanked', '1.0.0 2026-01-01 yanked'],
      '2.0.0',
    ],
    ['is not withdrawn if another has no date', ['2.0.0 2026-02-01 yanked', '1.0.0'], '1.0.0'],
  ];
  for (const [why, lines, latest] of cases)
    it(why, () => assert.equal(findLatest(listed(...lines))?.label, latest));

  it('is that of the service, for every small changelog there can be (R31)', () => {
    for (const { versions } of LATEST_WORLDS) {
      const file = versions.map((version) => ({
        ...version,
        publishedAt: `2026-05-0${version.day}`,
        isDraft: false,
      }));
      const told = file.map(({ label, yanked }) => label + (yanked ? ' (yanked)' : '')).join(', ');
      assert.equal(findLatest(file)?.label, recommended(versions)?.label, told);
    }
  });
});

describe('a version of a file by name', () => {
  const file = listed('Unreleased draft', '3.0.0 draft', 'v2.1.0 2026-02-01', '2.1.0 2026-01-02', '1.0.0');
  const cases: [name: string, labels: string | undefined][] = [
    ['2.1.0', '2.1.0'],
    ['v2.1.0', 'v2.1.0'],
    ['v1.0.0', '1.0.0'],
    ['unreleased', 'Unreleased 3.0.0'],
    ['Unreleased', 'Unreleased'],
    ['UNRELEASED', 'Unreleased 3.0.0'],
    ['3.0.0', '3.0.0'],
    ['1.0', undefined],
  ];
  for (const [name, labels] of cases)
    it(`${name} is ${labels ?? 'missing'}`, () => assert.equal(labelsOf(chooseVersions(file, name)), labels));

  it('says whether it is one', () => {
    assert.equal(chooseVersions(file, '3.0.0')?.isOne, true);
    assert.equal(chooseVersions(file, 'unreleased')?.isOne, false);
    assert.equal(chooseVersions(file.slice(1), 'unreleased')?.isOne, true);
  });
});

describe('a range of a file', () => {
  const SEMANTIC = [
    'Unreleased draft',
    '1.4.2 2026-03-20',
    '2.1.0 2026-03-01',
    '2.1.0-rc.1 2026-02-01',
    '2.0.0 2026-01-01',
    '1.4.1 2025-01-01',
  ];
  const cases: [lines: string[], from: string, to: string, labels: string | undefined][] = [
    [SEMANTIC, '1.4.1', 'latest', '1.4.2 2.1.0 2.1.0-rc.1 2.0.0'],
    [SEMANTIC, '1.9', 'latest', '2.1.0 2.1.0-rc.1 2.0.0'],
    [SEMANTIC, 'v1.4.2', '2.0.0', '2.0.0'],
    [SEMANTIC, '2.0.0', 'unreleased', 'Unreleased 2.1.0 2.1.0-rc.1'],
    [SEMANTIC, '2.1.0', 'latest', ''],
    [SEMANTIC, 'spring', 'latest', undefined],
    [['1.2.0', '1.10.0', '1.1.0'], '1.1.0', 'latest', '1.10.0 1.2.0'],
    [['winter', 'autumn', 'summer'], 'summer', 'latest', 'winter autumn'],
    [['winter', 'autumn', 'summer'], 'summer', 'autumn', 'autumn'],
    [['winter', 'autumn', 'summer'], '1.0.0', 'latest', undefined],
    [['a 2026-01-01', 'c 2026-03-01', 'b 2026-02-01'], 'a', 'latest', 'c b'],
  ];
  for (const [lines, from, to, labels] of cases)
    it(`of ${lines.join(', ')} after ${from} up to ${to} is ${labels ?? 'unknown'}`, () => {
      const versions = listed(...lines);
      const chosen = chooseVersions(versions, to);
      assert.ok(chosen);
      assert.equal(labelsOf(chooseRange(versions, from, chosen)), labels);
    });
});

describe('the labels nearest to one that is missing', () => {
  const file = listed('3.0.0', '2.1.0', '2.0.0', 'v1.4.0', 'spring');
  const cases: [name: string, labels: string][] = [
    ['2.1', '2.1.0 3.0.0 2.0.0'],
    ['2.0.5', '2.1.0 2.0.0'],
    ['9.0.0', '3.0.0'],
    ['srping', 'spring'],
    ['nothing', '3.0.0 2.1.0 2.0.0'],
  ];
  for (const [name, labels] of cases)
    it(`${name}: ${labels}`, () => assert.equal(nearestLabels(file, name).join(' '), labels));
});
