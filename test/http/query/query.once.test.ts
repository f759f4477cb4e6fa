import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FEED_PARAMETERS, olderQuery, parseQuery } from '../../../src/http/query.ts';
import { unicodeText } from '../../support/unicode-text.ts';

const { limit, q } = FEED_PARAMETERS;
const PARAMETERS = { limit, q };
const ENDING = { end: { sortKey: '2026', id: 'a' }, cursorKey: 'key' };

describe('the query of the next page', () => {
  it('has the same filter, whatever the words', () => {
    const long = Array.from(
      { length: 166 },
      (_, index) => `${index % 10}a${String.fromCodePoint(0x4e00 + index)}`,
    );
    const words = unicodeText({ minLength: 1, maxLength: 60 }).map((text) => `a${text}`);
    fc.assert(
      fc.property(words, (q) => {
        const asked = parseQuery(`?${new URLSearchParams({ limit: '1', q })}`, PARAMETERS);
        const older = olderQuery({ path: '/', query: asked }, ENDING) ?? '';
        assert.equal(parseQuery(older, PARAMETERS).filterText, asked.filterText);
      }),
      { numRuns: 2_000, examples: [['J\u030c'], ['ΜΑΪ\u0301'], [long.join('')]] },
    );
  });
});
