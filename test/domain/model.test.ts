import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSlug } from '../../src/domain/model.ts';

describe('a slug (R15)', () => {
  it('a slug is 1 to 64 of a-z, 0-9 and -, with no - at either end', () => {
    for (const slug of ['a', '0', 'a-b', 'a--b', 'a'.repeat(64)]) assert.ok(isSlug(slug), slug);
    for (const slug of ['', '-', 'a-', '-a', 'A', 'a_b', 'a b', 'ä', 'a\n', 'a'.repeat(65)])
      assert.ok(!isSlug(slug), slug);
  });
});
