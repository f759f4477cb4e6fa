import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  FEED_PARAMETERS,
  FormError,
  type Parameters,
  parseQuery,
  RANGE_PARAMETERS,
} from '../../../src/http/query.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';

/** The name in the 400 that a query with this name gets; null if the name is ignored. */
function suggestionFor(name: string, parameters: Parameters = FEED_PARAMETERS): string | null {
  try {
    const { text } = parseQuery(`?${new URLSearchParams([[name, 'x']])}`, parameters);
    assert.equal(text, '', name);
    return null;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    assert.equal(code, 'bad_request');
    const [, suggested] = /^The query has an unknown parameter\. Did you mean (\w+)\?$/.exec(message) ?? [];
    return suggested ?? assert.fail(message);
  }
}

const KNOWN = Object.keys(FEED_PARAMETERS);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz_1';

/** All names one slip away. */
function slipsOf(name: string): Set<string> {
  const slips = new Set<string>();
  for (let at = 0; at <= name.length; at++) {
    const [before, after] = [name.slice(0, at), name.slice(at)];
    for (const letter of LETTERS) {
      slips.add(before + letter + after);
      if (after !== '') slips.add(before + letter + after.slice(1));
    }
    if (after !== '') slips.add(before + after.slice(1));
    if (after.length > 1) slips.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
  }
  slips.delete(name);
  return slips;
}

/** The fewest letters added, removed, replaced or swapped with a neighbour (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let column = 1; column <= other.length; column++) (table[0] as number[])[column] = column;
  for (let row = 1; row <= one.length; row++)
    for (let column = 1; column <= other.length; column++) {
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      (table[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return at(one.length, other.length);
}

const isKnown = (name: string) => name in FEED_PARAMETERS;

describe('near misses of parameter names (R47)', () => {
  it('one slip in a name of four or more letters is 400 and names the parameter; in shorter names it is ignored', () => {
    for (const known of KNOWN)
      for (const slip of slipsOf(known)) {
        const isPlural = slip === `${known}s`;
        assert.equal(suggestionFor(slip), known.length >= 4 || isPlural ? known : null, slip);
      }
  });

  it('a different letter case or a plural s is 400, however short the name', () => {
    for (const known of KNOWN)
      for (const given of [known.toUpperCase(), known[0]?.toUpperCase() + known.slice(1), `${known}s`])
        assert.equal(suggestionFor(given), known, given);
    assert.equal(suggestionFor('FrOm'), 'from');
  });

  it('a name further away is ignored', () => {
    const fromKnown = fc.tuple(fc.constantFrom(...KNOWN), fc.nat(), fc.nat()).map(([known, one, other]) => {
      const first = [...slipsOf(known)];
      const second = [...slipsOf(first[one % first.length] as string)];
      return second[other % second.length] as string;
    });
    fc.assert(
      fc.property(fc.oneof(fromKnown, fc.string({ unit: 'grapheme', maxLength: 12 })), (name) => {
        if (isKnown(name)) return;
        const near = KNOWN.filter(
          (known) =>
            name.toLowerCase() === known ||
            name === `${known}s` ||
            (known.length >= 4 && distanceOf(name, known) === 1),
        );
        assert.equal(suggestionFor(name) !== null, near.length > 0, name);
      }),
      { numRuns: 3_000 },
    );
  });

  it('names that other APIs use are ignored, and so are parameters of other routes', () => {
    const others = [
      'utm_source',
      'v',
      '_',
      't',
      'page',
      'format',
      'lang',
      'too',
      'qq',
      'p',
      'sort',
      'fields',
      '',
    ];
    for (const name of [...others, 'a[b]', 'limit[]', 'foo[]', 'type[a]', 'x'.repeat(5_000)])
      assert.equal(suggestionFor(name), null, name);
    for (const name of ['limt', 'Limit', 'limits', 'cursr', 'includes', 'Q'])
      assert.equal(suggestionFor(name, RANGE_PARAMETERS), null, name);
    for (const name of ['tpye', 'From']) assert.equal(suggestionFor(name, {}), null, name);
  });

  it('type[] and type[n] mean type, with brackets encoded or not, and share its text', () => {
    const textOf = (query: string) => parseQuery(query, FEED_PARAMETERS).text;
    for (const query of [
      '?type[]=added&type[]=fixed',
      '?type[0]=fixed&type%5B1%5D=added',
      '?type%5b%5d=added&type=fixed',
    ])
      assert.equal(textOf(query), textOf('?type=added&type=fixed'), query);
    assert.throws(() => textOf('?type[]=x'), /The query parameter type must be added/);
    for (const given of ['types[]', 'Type[0]', 'tpye[]']) assert.equal(suggestionFor(given), 'type');
    assert.equal(suggestionFor('type[]', { limit: FEED_PARAMETERS.limit }), null);
  });

  it('on a page, the message is above the form, which keeps its values; empty fields are absent', () => {
    const parse = (query: string) =>
      parseQuery(`/changelog/acme/rocket${query}`, FEED_PARAMETERS, { isForm: true });
    assert.deepEqual(parse('?tpye=&q=two&Limit=+'), parse('?q=two'));
    assert.deepEqual(parse('?type[]=fixed&type[1]=added'), parse('?type=added&type=fixed'));
    assert.throws(
      () => parse('?tpye=<b>&q=two&from=nothing'),
      (error) => {
        assert.ok(error instanceof FormError);
        const problems = Object.entries(error.form.problems).map(([name, say]) => [name, say(ENGLISH)]);
        assert.deepEqual(Object.fromEntries(problems), {
          '': 'The query has an unknown parameter. Did you mean type?',
          from: 'Enter a semantic version, such as 1.4.0.',
        });
        assert.deepEqual(error.form.values.q, ['two']);
        return true;
      },
    );
  });
});
