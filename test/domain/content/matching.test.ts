import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resolveChanges } from '../../../src/domain/content/matching.ts';

describe('the ids of changes', () => {
  const change = (text: string, id?: string) => ({
    type: 'added' as const,
    text,
    breaking: false,
    ...(id && { id }),
  });
  const existing = [change('a', 'chg_a'), change('b', 'chg_b'), change('c', 'chg_c')] as (ReturnType<
    typeof change
  > & { id: string })[];
  const idsFor = (...wanted: ReturnType<typeof change>[]) =>
    resolveChanges(existing, wanted).map(({ id }) => id);

  it('change ids follow the text when the order changes', () => {
    assert.deepEqual(idsFor(change('c'), change('a'), change('b')), ['chg_c', 'chg_a', 'chg_b']);
  });

  it('change ids keep their position when the text is edited', () => {
    assert.deepEqual(idsFor(change('a'), change('B!'), change('c')), ['chg_a', 'chg_b', 'chg_c']);
  });

  it('new changes get new ids', () => {
    assert.deepEqual(idsFor(change('new'), change('a'), change('b'), change('c')), [
      null,
      'chg_a',
      'chg_b',
      'chg_c',
    ]);
    assert.deepEqual(idsFor(change('a'), change('b'), change('c'), change('new')), [
      'chg_a',
      'chg_b',
      'chg_c',
      null,
    ]);
  });

  it('given change ids are kept and never assigned twice', () => {
    assert.deepEqual(idsFor(change('x', 'chg_b'), change('b')), ['chg_b', null]);
    assert.deepEqual(idsFor(change('a'), change('a'), change('a')), ['chg_a', 'chg_b', 'chg_c']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (texts) => {
        const ids = idsFor(...texts.map((text) => change(text))).filter((id) => id !== null);
        assert.equal(new Set(ids).size, ids.length);
      }),
    );
  });
});
