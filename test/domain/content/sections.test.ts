import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sectionsOf } from '../../../src/domain/model.ts';

const change = (type: string, text: string, breaking: boolean | 0 | 1 = false) => ({ type, text, breaking });

describe('sections', () => {
  it('breaking changes of all types come first, then security, then the types in order and unknown ones', () => {
    const sections = sectionsOf([
      change('fixed', 'a'),
      change('new in 2030', 'b'),
      change('removed', 'c', 1),
      change('added', 'd', 0),
      change('security', 'e'),
      change('added', 'f', true),
      change('added', 'g'),
    ]);
    assert.deepEqual(
      sections.map(({ kind, changes }) => [kind, ...changes.map(({ text }) => text)]),
      [
        ['breaking', 'c', 'f'],
        ['security', 'e'],
        ['added', 'd', 'g'],
        ['fixed', 'a'],
        ['new in 2030', 'b'],
      ],
    );
  });

  it('nothing has no sections', () => {
    assert.deepEqual(sectionsOf([]), []);
  });
});
