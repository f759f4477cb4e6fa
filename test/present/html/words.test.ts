import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderSanitised } from '../../../proofs/html/sanitised.ts';
import { renderWords } from '../../../src/present/html/words.ts';

const LATIN = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
const SPACES = [...'\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\ud800\udc00'];
const MARKS = LATIN.filter((character) => /[\s!-@[-`{-~]/.test(character));

describe('lines of words', () => {
  it('ordinary sentences need no parser, and are escaped', () => {
    assert.equal(renderWords('It’s faster: 10% (as "before")!'), '<p>It’s faster: 10% (as "before")!</p>');
    assert.equal(
      renderWords('a > b | c = d + e - f @g #1 $h {i} ]j'),
      '<p>a &gt; b | c = d + e - f @g #1 $h {i} ]j</p>',
    );
  });

  it('texts with any syntax, outer spaces or several lines are left to the parser', () => {
    for (const mark of ['*', '_', '`', '~', '[', '<', '&', '\\', '\n', '\r', '\0'])
      for (const text of [mark, `${mark}a`, `a${mark}`, `a ${mark} b`])
        assert.equal(renderWords(text), null, text);
    for (const text of ['', ' ', ' a', 'a ', '\ta', 'a\u00a0', '# a', '> a', '- a', '+ a', '1. a', '2) a'])
      assert.equal(renderWords(text), null, text);
  });

  it('every character, at the start, in between and at the end, gives the same HTML as the parser', () => {
    const single = [...LATIN, ...SPACES].flatMap((character) => [
      ...[character, `${character}a`, `a${character}`, `a${character}b`],
      ...[`a ${character} b`, `a ${character}${character}b`, `a${character}${character}${character}`],
    ]);
    const pairs = MARKS.flatMap((first) => MARKS.map((second) => `${first}${second} a`));
    const taken = [...single, ...pairs].filter((text) => {
      const html = renderWords(text);
      if (html !== null) assert.equal(html, renderSanitised(text), JSON.stringify(text));
      return html !== null;
    });
    assert.ok(taken.length > 1_000, String(taken.length));
  });
});
