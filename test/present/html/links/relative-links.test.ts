import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resolveLinks, withLinkBase } from '../../../../src/present/html/links/relative-links.ts';
import { renderMarkdown } from '../../../../src/present/html/markdown.ts';
import { PAYLOADS } from '../../../../support/content/xss-payloads.ts';
import { anyMarkdown } from '../any-markdown.ts';

const BASE = 'https://rocket.example/docs/guide.html';
const TARGETS = /<(?:a href|img src)="([^"]*)"/g;

const targetsIn = (html: string) => [...html.matchAll(TARGETS)].map(([, target]) => target);
const resolved = (target: string, base = BASE) =>
  targetsIn(resolveLinks(renderMarkdown(`[a](${target})`), base))[0];

describe('relative links', () => {
  it('relative links and images resolve against the base', () => {
    for (const [written, expected] of [
      ['setup.md', 'https://rocket.example/docs/setup.md'],
      ['./a/../b.md', 'https://rocket.example/docs/b.md'],
      ['../../../x', 'https://rocket.example/x'],
      ['/x', 'https://rocket.example/x'],
      ['#part', 'https://rocket.example/docs/guide.html#part'],
      ['?a=1&b=2', 'https://rocket.example/docs/guide.html?a=1&amp;b=2'],
      ['<a b "c".md>', 'https://rocket.example/docs/a%20b%20%22c%22.md'],
      ['é.md', 'https://rocket.example/docs/%C3%A9.md'],
      ['./javascript:x', 'https://rocket.example/docs/javascript:x'],
    ] as const)
      assert.equal(resolved(written), expected, written);
    assert.equal(
      resolveLinks(renderMarkdown('[![Stage](img/1.png "One")](stages.md "All")'), BASE),
      '<p><a href="https://rocket.example/docs/stages.md" title="All" rel="noopener nofollow">' +
        '<img src="https://rocket.example/docs/img/1.png" alt="Stage" title="One" /></a></p>',
    );
  });

  it('absolute links, code and text stay as written', () => {
    for (const text of [
      '[a](https://a.example/?a=1&b=2) [b](http://a.example) <mailto:a@b.example>',
      '`<a href="x">` <a href="x"> ![](data:image/png;base64,AA) [c](//a.example)',
      '![<a href="x"](https://a.example/x.png "<img src=\'x\'")',
    ])
      assert.equal(resolveLinks(renderMarkdown(text), BASE), renderMarkdown(text));
  });

  it('a text with very many links stays as written if a long base would multiply its length', () => {
    const base = `https://rocket.example/${'docs/'.repeat(400)}`;
    const html = renderMarkdown(`[a]: b\n\n${'[a] '.repeat(5_000)}`);
    assert.equal(resolveLinks(html, base), html);
    assert.ok(resolveLinks(html, 'https://rocket.example/docs/').includes('"https://rocket.example/docs/b"'));
    assert.ok(resolveLinks(renderMarkdown('[a](b)'), base).includes(`"${base}b"`));
  });

  it('texts stay as written without a base, and with one that is not a web URL', () => {
    fc.assert(
      fc.property(anyMarkdown(), (text) => {
        const html = renderMarkdown(text);
        for (const base of [
          null,
          '',
          'docs',
          'javascript:alert(1)//',
          'data:text/html,',
          'mailto:a@b.example',
        ])
          assert.equal(resolveLinks(html, base), html);
      }),
    );
  });

  it('no text becomes an unsafe link, and no link stays relative', () => {
    const check = (text: string) => {
      for (const target of targetsIn(resolveLinks(renderMarkdown(text), BASE)))
        assert.match(target as string, /^(?:https?:|mailto:)/);
    };
    fc.assert(fc.property(anyMarkdown(), check), { numRuns: 300 });
    PAYLOADS.forEach(check);
  });

  it('only targets change, and resolving them again changes nothing', () => {
    fc.assert(
      fc.property(anyMarkdown(), (text) => {
        const html = renderMarkdown(text);
        const once = resolveLinks(html, BASE);
        assert.equal(once.replaceAll(TARGETS, ''), html.replaceAll(TARGETS, ''));
        assert.equal(resolveLinks(once, BASE), once);
        assert.equal(resolveLinks(once, 'https://other.example'), once);
      }),
      { numRuns: 300 },
    );
  });

  it('rendering with a base resolves links; without one it is the same function', async () => {
    const render = async (texts: readonly string[]) => texts.map(renderMarkdown);
    assert.equal(withLinkBase(render, null), render);
    assert.deepEqual((await withLinkBase(render, BASE)(['[a](x)', 'b'])).flatMap(targetsIn), [
      'https://rocket.example/docs/x',
    ]);
  });
});
