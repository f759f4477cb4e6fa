import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VersionContent } from '../../../src/domain/content/content.ts';
import { differenceOf } from '../../../src/domain/content/version-difference.ts';

const change = (id: string, text: string) => ({ id, type: 'added' as const, text, breaking: false });
const said = (text: string) => ({ type: 'added' as const, text, breaking: false });
const [A, B, C] = [change('chg_a', 'A'), change('chg_b', 'B'), change('chg_c', 'C')];
const BEFORE = {
  version: '1.0.0',
  title: 'One',
  status: 'draft' as const,
  publishedAt: null,
  description: 'First\nsecond\nthird',
  yanked: false,
  changes: [A, B, C],
};
const after = (more: Partial<VersionContent>): VersionContent => ({
  ...BEFORE,
  changes: [said('A'), said('B'), said('C')],
  ...more,
});

describe('the difference between two versions', () => {
  it('equal versions have no difference', () => {
    assert.deepEqual(differenceOf(BEFORE, after({})), {});
  });

  it('the difference contains each changed field', () => {
    const publishedAt = '2026-05-04T00:00:00.000Z';
    assert.deepEqual(
      differenceOf(
        BEFORE,
        after({
          title: 'Uno',
          status: 'published',
          publishedAt,
          yanked: true,
          links: { compare: 'https://a.example' },
        }),
      ),
      {
        title: { from: 'One', to: 'Uno' },
        status: { from: 'draft', to: 'published' },
        publishedAt: { from: null, to: publishedAt },
        yanked: { from: false, to: true },
        compare: { from: null, to: 'https://a.example' },
      },
    );
  });

  it('the difference contains the removed and added lines of the description', () => {
    const lines = (description: string | null) => differenceOf(BEFORE, after({ description })).description;
    assert.deepEqual(lines('First\n2\nthird'), { removed: ['second'], added: ['2'] });
    assert.deepEqual(lines('First\nsecond\nsecond\nthird'), { removed: [], added: ['second'] });
    assert.deepEqual(lines('First'), { removed: ['second', 'third'], added: [] });
    assert.deepEqual(lines(null), { removed: ['First', 'second', 'third'], added: [] });
  });

  it('the difference contains added, removed and edited changes', () => {
    const changes = (...texts: string[]) => differenceOf(BEFORE, after({ changes: texts.map(said) })).changes;
    assert.deepEqual(changes('A', 'B', 'C', 'D'), [{ action: 'added', ...said('D') }]);
    assert.deepEqual(changes('A', 'C'), [{ action: 'removed', ...said('B') }]);
    assert.deepEqual(changes('A', 'b', 'C'), [{ action: 'edited', from: said('B'), to: said('b') }]);
  });

  it('the difference shows if only the order of changes differs', () => {
    assert.deepEqual(differenceOf(BEFORE, after({ changes: [said('B'), said('A'), said('C')] })), {
      isReordered: true,
    });
  });
});
