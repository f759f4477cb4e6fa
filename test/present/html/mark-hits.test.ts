import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseWords } from '../../../src/domain/feed-query.ts';
import { unescapeHtml } from '../../../src/present/html/escape.ts';
import { hasHit, markHits, markText } from '../../../src/present/html/mark-hits.ts';
import { unicodeText } from '../../support/unicode-text.ts';

const marked = (html: string, q: string) => markHits(html, parseWords(q));
const unmarked = (html: string) => html.replaceAll(/<\/?mark>/g, '');

describe('hits of a search', () => {
  it('are words that begin with one of the words, whatever their case', () => {
    assert.equal(
      marked('<p>The Proxy, a reproxy and PROXIES.</p>', 'prox the'),
      '<p><mark>The</mark> <mark>Proxy</mark>, a reproxy and <mark>PROXIES</mark>.</p>',
    );
    assert.equal(
      marked('ΛΟΓΟΣ café cafe', 'λόγος λογος caf'),
      '<mark>ΛΟΓΟΣ</mark> <mark>café</mark> <mark>cafe</mark>',
    );
    assert.equal(marked('cafe café', 'café'), 'cafe <mark>café</mark>');
  });

  it('are adjacent words, the last by its beginning', () => {
    assert.equal(
      marked('2.1.0, 2.10, 12.1, 2 (1)', '2.1'),
      '<mark>2.1</mark>.0, <mark>2.10</mark>, 12.1, <mark>2 (1</mark>)',
    );
    assert.equal(marked('rocket 新 toml', 'rocket.toml'), 'rocket 新 toml');
    assert.equal(
      marked('<b>rocket</b>.<i>toml</i>', 'rocket.toml'),
      '<b><mark>rocket</mark></b>.<i><mark>toml</mark></i>',
    );
  });

  it('are parts of words in scripts without capitals', () => {
    assert.equal(marked('<p>打ち上げと打ち</p>', '打ち'), '<p><mark>打ち</mark>上げと<mark>打ち</mark></p>');
    assert.equal(marked('新しいAPIs', '新しい api'), '<mark>新しい</mark><mark>APIs</mark>');
  });

  it('are never in tags, attributes or references', () => {
    const html = `<a href="/amp?a=1&amp;b" title='打 > amp'>R&amp;D &#39;amp</a><amp`;
    assert.equal(
      marked(html, 'amp a b 打 href 39'),
      `<a href="/amp?a=1&amp;b" title='打 > amp'>R&amp;D &#39;<mark>amp</mark></a><amp`,
    );
  });

  it('are marked in a text that is not HTML yet', () => {
    assert.equal(
      markText('<b> & Proxy', parseWords('prox b')),
      '&lt;<mark>b</mark>&gt; &amp; <mark>Proxy</mark>',
    );
    assert.equal(markText('<b>', null), '&lt;b&gt;');
  });

  it('leave everything else as it is, and are there if hasHit says so', () => {
    const words = fc.oneof(
      unicodeText({ maxLength: 10 }),
      fc.constantFrom('a', 'a.b', 'amp', '新', 'lt', 'p'),
    );
    const parts = fc.oneof(
      words,
      fc.constantFrom('<p>', '</p>', '<a title="a">', '</a>', ' ', '.', '&', "'", '<'),
    );
    fc.assert(
      fc.property(
        fc.array(parts).map((all) => all.join('')),
        words,
        (text, typed) => {
          const q = parseWords(typed);
          const plain = markText(text, q);
          assert.equal(unescapeHtml(unmarked(plain)), unmarked(text));
          assert.equal(unmarked(markHits(text, q)), unmarked(text));
          assert.equal(markHits(text, q) !== text, hasHit(text, q));
          assert.equal(markHits(`— ${text}`, q), `— ${markHits(text, q)}`, 'ASCII is read in another way');
          const tags = (html: string) => html.match(/<(?:[^"'>]|"[^"]*(?:"|$)|'[^']*(?:'|$))*(?:>|$)/g) ?? [];
          assert.deepEqual(
            tags(markHits(text, q)).filter((tag) => !/^<\/?mark>$/.test(tag)),
            tags(text),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are found in time that grows with the text, also if tags are not closed', () => {
    for (const part of ['<', '<"', 'a ', '<a>', '新'])
      assert.equal(unmarked(marked(part.repeat(100_000), 'a.a 新新')), part.repeat(100_000));
  });
});
