import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENGLISH } from '../../src/present/words/locale.ts';
import { writeHtml } from '../../src/text/html.ts';
import { ALERTS, BLOCKS, type Element, INLINE, type Node, PARTS } from '../../src/text/tree.ts';
import { renderMarkdown } from '../../support/content/texts.ts';
import { readWritten } from '../../support/content/written-html.ts';

const HOSTILE = '"><script>alert(1)</script>\'&amp;<!--';
const { alerts } = ENGLISH.words;
const page = {
  level: 3,
  table: HOSTILE,
  details: HOSTILE,
  isShown: (src: string) => src.startsWith('https:'),
};
const link = (target: string, text: string) => `<a href="${target}" rel="noopener nofollow">${text}</a>`;

describe('HTML that is written', () => {
  it('has allowed tags and attributes only, whatever their values and texts', () => {
    const attributes = { title: HOSTILE, alt: HOSTILE };
    for (const target of [HOSTILE, 'https://a.example/?a&b"c']) {
      const inLine = [...INLINE].map(
        (tag): Element => ({
          tag,
          attributes: {
            ...attributes,
            ...(tag === 'a' && { href: target }),
            ...(tag === 'img' && { src: target, width: '1', height: '2' }),
          },
          children: [HOSTILE],
        }),
      );
      const children: Node[] = [HOSTILE, ...inLine];
      const element = (tag: string, ...inside: Node[]): Element => ({ tag, attributes, children: inside });
      const row = (tag: string) => element('tr', element('th', ...children), element(tag, ...children));
      const nodes = [
        ...[...BLOCKS]
          .filter((tag) => /^(?:h\d|p|pre|hr)$/.test(tag))
          .map((tag) => element(tag, ...children)),
        element('ul', element('li', ...children)),
        { ...element('ol', element('li', element('p', ...children))), attributes: { start: '7' } },
        element('dl', element('dt', ...children), element('dd', ...children)),
        element(
          'table',
          element('caption', HOSTILE),
          element('thead', row('th')),
          element('tbody', row('td')),
        ),
        ...ALERTS.map((alert) => ({
          ...element('blockquote', element('p', HOSTILE)),
          attributes: { alert },
        })),
        { ...element('details', element('summary', HOSTILE)), attributes: { isOpen: true as const } },
      ];
      for (const place of ['field', 'page'] as const) {
        const html = writeHtml(nodes, { alerts, ...(place === 'page' && { page }) });
        assert.ok(html.length > 5_000);
        readWritten(html, place);
      }
    }
  });

  it('has each element that a text may have', () => {
    const html = renderMarkdown(
      '# a\n> b\n\n1. c\n5. d\n\n7) e\n- f\n\n|g|h|\n|:-|-|\n|i|j|\n\n```x\nk\n```\n    l\n\n***\n*m* **n** ~~o~~ `p`  \n' +
        '[q](r "s") ![t](u "v") <w:x> [y](z:)\n===\n\n' +
        [...INLINE].map((tag) => `<${tag} href=x src=x>y</${tag}>`).join('') +
        '\n<dl><dt>a<dd>b</dl><details><summary>c</summary></details><table><caption>d<tfoot><tr><td>e</table>' +
        '<h2>f</h2><h3>g</h3><h4>h</h4><h5>i</h5><h6>j</h6>',
    );
    readWritten(html);
    const written = new Set([...html.matchAll(/<(\w+)/g)].map(([, name]) => name));
    assert.deepEqual([...written].sort(), [...INLINE, ...BLOCKS, ...Object.keys(PARTS)].sort());
  });

  it('links and images have only targets that are relative or have an allowed scheme, and others are text', () => {
    const kept = [
      ...[
        'https://a',
        'HTTP:a',
        'mailto:a@b',
        'a',
        '/a',
        './javascript:x',
        '?a:b',
        '#a:b',
        '1a:b',
        ':a',
        '/%09/a',
      ],
    ];
    const dropped = [
      ...[
        'ftp://a',
        'tel:1',
        'x+y.z-1:a',
        '//a',
        '///a',
        'data:image/png;base64,AA',
        'View-Source:a',
        'blob:a',
      ],
    ];
    for (const target of [...kept, ...dropped]) {
      const isKept = kept.includes(target);
      assert.equal(renderMarkdown(`[x](${target})`), `<p>${isKept ? link(target, 'x') : 'x'}</p>`);
      assert.equal(
        renderMarkdown(`![x](${target})`),
        `<p>${isKept ? `<img src="${target}" alt="x">` : 'x'}</p>`,
      );
    }
  });

  it('a link inside a link is text, however deep', () => {
    assert.equal(renderMarkdown('[x <https://b> y](a) z'), `<p>${link('a', 'x https://b y')} z</p>`);
    assert.equal(renderMarkdown('[*<https://b>*](a)'), `<p>${link('a', '<em>https://b</em>')}</p>`);
    for (const inner of ['~~<a@b.example>~~', '**_<https://b.example>_**', '<a href=y>z</a>'])
      assert.equal(renderMarkdown(`[${inner}](/x)`).match(/<a /g)?.length, 1, inner);
  });

  it('is at most 50 times as long as its text, or the text is shown as written', () => {
    const table = `|${'a|'.repeat(1_000)}\n|${':-:|'.repeat(1_000)}\n${'|\n'.repeat(17)}`.slice(0, 4_900);
    assert.ok(renderMarkdown(table).length <= 50 * table.length);
    for (const definition of [`[a]: https://b.c/${'d'.repeat(5_000)}`, `[a]: b "${'d'.repeat(5_000)}"`]) {
      const text = `${definition}\n\n${'[a]'.repeat(2_000)}`.slice(0, definition.length + 4_500);
      assert.match(renderMarkdown(text), /^<pre>\[a\]: /);
      const ordinary = `${definition}\n\n${'[a] and '.repeat(10)}`;
      assert.match(renderMarkdown(ordinary), /^<p>(?:<a href="[^>]*>a<\/a> and ?){10}<\/p>$/);
    }
  });
});
