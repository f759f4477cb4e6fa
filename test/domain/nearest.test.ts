import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from '../../src/domain/nearest.ts';

describe('the nearest candidate', () => {
  const cases: [wanted: string, candidates: string[], meant: string | undefined][] = [
    ['roket', ['bare', 'rocket'], 'rocket'],
    ['rokcet', ['bare', 'rocket'], 'rocket'],
    ['rockets', ['bare', 'rocket'], 'rocket'],
    ['Rocket', ['rocket'], 'rocket'],
    ['acm', ['acne', 'acme'], 'acme'],
    ['v1.2.0', ['1.2.1', '1.2.0'], '1.2.0'],
    ['1.2.0', ['1.2.1', 'V1.2.0'], 'V1.2.0'],
    ['1.2', ['2.0.0', '1.2.7', '1.2.6'], '1.2.7'],
    ['5.0.0', ['2.0.0', '1.0.0'], undefined],
    ['3.0.0', ['2.0.0', 'v3.0.0-rc.1'], 'v3.0.0-rc.1'],
    ['1.1.0', ['2.1.0', '1.10.0'], '1.10.0'],
    ['2.0.0-rc1', ['2.0.0', '2.0.0-rc.1'], '2.0.0-rc.1'],
  ];
  for (const [wanted, candidates, meant] of cases)
    it(`the nearest candidate to ${wanted} is ${meant}`, () =>
      assert.equal(nearest(wanted, candidates), meant));

  it('there is no nearest candidate if all are too different or there are none', () => {
    assert.equal(nearest('x', ['y', 'xylophone']), undefined);
    assert.equal(nearest('9', ['1', '2.0.0']), undefined);
    assert.equal(nearest('rocket', ['racer', 'bucket-list']), undefined);
    assert.equal(nearest('', ['a', 'ab']), undefined);
    assert.equal(nearest('rocket', []), undefined);
  });

  it('fewer mistakes are allowed where the wanted one may be another word', () => {
    const strict = { charactersPerMistake: 5, isBeginningEnough: false };
    assert.equal(nearest('Addde', ['Changed', 'Added'], strict), 'Added');
    assert.equal(nearest('Fixtures', ['Features'], strict), undefined);
    assert.equal(nearest('Perform', ['Performance'], strict), undefined);
  });

  it('the nearest candidate is found quickly among many long ones', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `${'long '.repeat(25)}${index}`);
    assert.equal(nearest(`${'long '.repeat(25)}x`, ['rocket', ...many]), `${'long '.repeat(25)}0`);
  });
});
