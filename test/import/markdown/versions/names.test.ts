import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPartOf, keyOf } from '../../../../src/import/markdown/versions/names.ts';
import { namesIn, partsOf } from './headings.ts';

describe('groups of headings', () => {
  it('headings of one level with the same words are a group, in any case', () => {
    const groups = [
      ...namesIn(['## Rocket 1.1.0', '## ROCKET 1.0.0', '### Rocket 1.0.0', '## 0.9.0']).groups,
    ];
    assert.deepEqual(
      groups.map(({ level, before, count, hasOtherLabels }) => [level, before, count, hasOtherLabels]),
      [
        [2, 'Rocket', 2, true],
        [3, 'Rocket', 1, false],
        [2, '', 1, false],
      ],
    );
  });

  it('groups clash if a label is in both', () => {
    const clashing = (...headings: string[]) =>
      [...namesIn(headings).groups].filter(({ clashes }) => clashes).map(({ before }) => before);
    assert.deepEqual(clashing('## Tank 1.0.0', '## Fuse 1.0.0'), ['Tank', 'Fuse']);
    assert.deepEqual(clashing('## 1.0.0', '## Fuse v1.0.0'), ['Fuse']);
    assert.deepEqual(clashing('## Tank 1.0.0', '## Fuse 2.0.0', '### Tank 2.0.0'), []);
  });

  it('a heading below a version is a part of it only with its words', () => {
    const isPart = (part: string, whole: string) => isPartOf(partsOf(part), partsOf(whole));
    assert.equal(isPart('v1.9.0 (2021-12-31) Changes', 'v1.9.0'), true);
    assert.equal(isPart('1.9.0', 'Rocket v1.9.0'), true);
    assert.equal(isPart('TypeScript 1.9.0', 'v1.9.0'), false);
    assert.equal(isPart('1.9.1', '1.9.0'), false);
  });

  it('`1.2.0` and `v1.2.0` are the same version', () => {
    assert.deepEqual(['v1.2.0', 'V. 1.2.0', '1.2.0', 'Venus'].map(keyOf), [
      '1.2.0',
      '1.2.0',
      '1.2.0',
      'venus',
    ]);
  });
});
