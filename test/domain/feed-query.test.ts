import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchesChange, parseWords } from '../../src/domain/feed-query.ts';

it('a change matches a filter by its type and by being breaking', () => {
  const breaking = { type: 'removed', breaking: 1 } as const;
  const fixed = { type: 'fixed', breaking: 0 } as const;
  const matches = (types: readonly ('fixed' | 'removed')[], isBreaking: boolean) =>
    [breaking, fixed].map((change) => matchesChange({ types, isBreaking }, change));
  assert.deepEqual(matches([], false), [true, true]);
  assert.deepEqual(matches([], true), [true, false]);
  assert.deepEqual(matches(['fixed'], false), [false, true]);
  assert.deepEqual(matches(['fixed'], true), [false, false]);
  assert.deepEqual(matches(['fixed', 'removed'], true), [true, false]);
});

describe('search words', () => {
  it('search words are phrases, and parts of words in scripts without capitals', () => {
    assert.deepEqual(parseWords('Faster 2.1.0 新しいAPI faster!'), {
      phrases: [['2', '1', '0'], ['api'], ['faster']],
      within: ['新しい'],
    });
  });
});
