import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextPageQuery, parseQuery } from '../../../src/http/query/query.ts';

const NAMES = ['limit', 'q'] as const;

describe('the query of the next page', () => {
  it('has the same filter, whatever the words', () => {
    const long = Array.from(
      { length: 166 },
      (_, index) => `${index % 10}a${String.fromCodePoint(0x4e00 + index)}`,
    );
    const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map((text) => `a${text}`);
    fc.assert(
      fc.property(words, (q) => {
        const asked = parseQuery(`?${new URLSearchParams({ limit: '1', q })}`, NAMES);
        assert.equal(parseQuery(nextPageQuery(asked, 'x'), NAMES).filterText, asked.filterText);
      }),
      { numRuns: 2_000, examples: [['J\u030c'], ['ΜΑΪ\u0301'], [long.join('')]] },
    );
  });
});
