import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseWords } from '../../src/domain/feed-query.ts';
import { markText } from '../../src/present/texts.ts';
import { markHits } from '../../src/text/hits.ts';
import { parseText } from '../../src/text/parse.ts';
import { elementOf, isElement, type Node, textsIn } from '../../src/text/tree.ts';
import { anyMarkdown } from '../../support/content/any-texts.ts';
import { renderForPage } from '../../support/content/texts.ts';
import { asRead } from '../../support/content/written-html.ts';
import { deadline } from '../../support/processes/busy.ts';
import { threadCpuMs } from '../../support/processes/usage.ts';
import { unicodeText } from '../support/unicode-text.ts';

const marked = (text: string, q: string) =>
  renderForPage(text, {}, { searched: parseWords(q) }).html.replace(/^<p>(.*)<\/p>$/, '$1');

describe('hits of a search', () => {
  it('are words that begin with one of the words, whatever their case', () => {
    assert.equal(
      marked('The Proxy, a reproxy and PROXIES.', 'prox the'),
      '<mark>The</mark> <mark>Proxy</mark>, a reproxy and <mark>PROXIES</mark>.',
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
      marked('**rocket**.*toml*', 'rocket.toml'),
      '<strong><mark>rocket</mark></strong><mark>.</mark><em><mark>toml</mark></em>',
    );
  });

  it('are parts of words in scripts without capitals', () => {
    assert.equal(marked('打ち上げと打ち', '打ち'), '<mark>打ち</mark>上げと<mark>打ち</mark>');
    assert.equal(marked('新しいAPIs', '新しい api'), '<mark>新しい</mark><mark>APIs</mark>');
  });

  it('are never in tags, attributes or references', () => {
    assert.equal(
      marked(`[R&D ' amp](/amp?a=1&b '打 > amp')`, 'amp a b 打 href 39'),
      `<a href="/amp?a=1&amp;b" title="打 &gt; amp" rel="noopener nofollow">R&amp;D ' <mark>amp</mark></a>`,
    );
  });

  it('are marked in a text that has no markup', () => {
    assert.equal(
      markText('<b> & Proxy', parseWords('prox b')),
      '&lt;<mark>b</mark>&gt; &amp; <mark>Proxy</mark>',
    );
    assert.equal(markText('<b>', null), '&lt;b&gt;');
  });

  it('leave everything else as it is, and a text without hits the same', () => {
    const words = fc.oneof(
      unicodeText({ maxLength: 10 }),
      fc.constantFrom('a', 'a.b', 'amp', '新', 'lt', 'p', ' ', '.', '&', '<'),
    );
    const check = (nodes: readonly Node[], typed: string) => {
      const q = parseWords(typed);
      const found = markHits(nodes, q);
      assert.deepEqual(withoutMarks(found), nodes);
      assert.equal(found === nodes, !hasMark(found));
      const longer = markHits(['— ', elementOf('p', ...nodes)], q);
      assert.deepEqual(longer, ['— ', elementOf('p', ...found)], 'ASCII is read in another way');
    };
    const texts = fc.array(words, { minLength: 1 }).map((all) => all.join(''));
    const inline = fc.array(texts.filter((text) => text !== '').map((text) => elementOf('b', text)));
    fc.assert(fc.property(inline, words, check), { numRuns: 500 });
    fc.assert(
      fc.property(anyMarkdown(), words, (text, typed) => check(parseText(text).nodes, typed)),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(texts, words, (text, typed) => {
        const plain = markText(text, parseWords(typed));
        assert.equal(asRead(plain.replaceAll(/<\/?mark>/g, '')), text.trim().replaceAll(/\r\n?/g, '\n'));
      }),
    );
  });

  it('are found in time that grows with the text, in one text and in many', () => {
    for (const part of ['a ', '新', 'a.', 'é ']) {
      const text = part.repeat(100_000);
      for (const nodes of [[text], Array.from({ length: 20_000 }, () => elementOf('b', part))]) {
        let found: readonly Node[] = [];
        const ms = threadCpuMs(() => {
          found = markHits(nodes, parseWords('a.a 新新'));
        });
        assert.equal(textsIn(found).join(''), textsIn(nodes).join(''));
        assert.ok(ms < deadline(500), `${part}: ${Math.round(ms)} ms`);
      }
    }
  });
});

const hasMark = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => isElement(node) && (node.tag === 'mark' || hasMark(node.children)));

/** With texts that a mark has parted in one again. */
function withoutMarks(nodes: readonly Node[]): Node[] {
  const whole: Node[] = [];
  for (const node of nodes) {
    const isText = !isElement(node) || node.tag === 'mark';
    const last = whole.at(-1);
    if (!isText) whole.push({ ...node, children: withoutMarks(node.children) });
    else if (isElement(last) || last === undefined) whole.push(textsIn([node]).join(''));
    else whole[whole.length - 1] = last + textsIn([node]).join('');
  }
  return whole;
}
