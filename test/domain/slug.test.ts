import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSlug } from '../../src/domain/model.ts';
import { slugOf } from '../../src/domain/slug.ts';

describe('the slug of a name', () => {
  it('a slug is made of the letters and digits of the name', () => {
    for (const [name, slug] of [
      ['Rocket Engine', 'rocket-engine'],
      ['@acme/rocket_core', 'acme-rocket-core'],
      ['Café Zürich!', 'cafe-zurich'],
      ['日本', ''],
    ] as const)
      assert.equal(slugOf(name), slug);
  });

  it('a slug of a long name is valid', () => {
    for (const length of [63, 64, 65, 200]) assert.ok(isSlug(slugOf(`${'a'.repeat(length - 1)} b`)));
  });
});
