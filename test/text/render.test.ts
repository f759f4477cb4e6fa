import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlFor } from '../../src/present/texts.ts';
import { renderAtOnce } from '../../src/text/parse.ts';
import { openRenderer, type Writer } from '../../src/text/render.ts';
import { renderMarkdown, TEXT_HEAD } from '../../support/content/texts.ts';

const HTML = htmlFor(TEXT_HEAD);
const HOSTILE = '[a* '.repeat(1_600);

describe('the renderer', () => {
  it('each text is written as if it were alone, whether it is cached or new', async () => {
    const texts = ['*a*', '', '<b>', 'a\n\nb', '*a*', HOSTILE];
    const many = Array.from({ length: 300 }, (_, number) => `**${number}** ${'word '.repeat(number * 10)}`);
    for (const cacheMb of [0, 1, 100]) {
      const render = openRenderer(cacheMb);
      assert.deepEqual(await render([], HTML), []);
      for (const all of [texts, texts, many, many.toReversed()])
        assert.deepEqual(
          await render(all, HTML),
          all.map((text) => renderMarkdown(text)),
        );
    }
    assert.deepEqual(
      renderAtOnce(texts, HTML),
      texts.map((text) => renderMarkdown(text)),
    );
  });

  it('many texts let other requests run in between', async () => {
    const texts = Array.from({ length: 60 }, (_, number) => `${number} ${HOSTILE}`);
    let ticks = 0;
    const counting = setInterval(() => ticks++);
    const html = await openRenderer(0)(texts, HTML);
    clearInterval(counting);
    assert.equal(html.length, texts.length);
    assert.ok(ticks > 5, `${ticks} ticks`);
  });
});

describe('the cache of the renderer', () => {
  /** Counts how often it writes. */
  function counting(key: string | null) {
    const counted = { writer: null as unknown as Writer<{ text: string }>, writes: 0 };
    counted.writer = {
      key,
      write: ({ source }) => {
        counted.writes++;
        return { text: source };
      },
    };
    return counted;
  }

  it('keeps what a writer has written, by its key and the text', async () => {
    const render = openRenderer(1);
    const [one, other, none] = [counting('one'), counting('other'), counting(null)];
    for (const { writer } of [one, one, other, none, none])
      assert.deepEqual(await render(['a', 'b', 'a'], writer), [{ text: 'a' }, { text: 'b' }, { text: 'a' }]);
    assert.deepEqual([one.writes, other.writes, none.writes], [2, 2, 6]);
  });

  it('keeps no more than its share, and the newest', async () => {
    const render = openRenderer(16);
    const large = Array.from({ length: 40 }, (_, number) => `${number} `.padEnd(40_000, 'x'));
    const { writer, ...counted } = counting('large');
    const count = async (texts: readonly string[]) => {
      const written = counting('large');
      await render(texts, written.writer);
      return written.writes;
    };
    assert.equal(counted.writes, 0);
    await render(large, writer);
    assert.equal(await count(large.slice(-5)), 0);
    assert.equal(await count(large.slice(0, 5)), 5);
    assert.equal(await count(['y'.repeat(190_000)]), 1);
  });
});
