import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rememberRecent } from '../../../src/present/html/render.ts';

it('texts that were just rendered are not rendered again, and no others are taken for them', async () => {
  const asked: string[] = [];
  const render = rememberRecent((texts) => {
    asked.push(texts.join());
    return texts.map((text) => `<p>${text}</p>`);
  });
  for (const texts of [['a'], ['b', 'c'], ['a'], ['b', 'c'], ['b'], ['b', 'd']])
    assert.deepEqual(
      await render(texts),
      texts.map((text) => `<p>${text}</p>`),
    );
  assert.deepEqual(asked, ['a', 'b,c', 'b', 'b,d']);
});
