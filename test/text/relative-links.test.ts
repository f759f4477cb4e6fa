import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withoutRelativeLinks } from '../../src/text/links.ts';
import { parseText } from '../../src/text/parse.ts';
import { writePlain } from '../../src/text/plain.ts';
import { anyHtml, anyMarkdown } from '../../support/content/any-texts.ts';
import { renderMarkdown } from '../../support/content/texts.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';

const BASE = 'https://rocket.example/docs/guide.html';
const TARGETS = /<(?:a href|img src)="([^"]*)"/g;

const targetsIn = (html: string) => [...html.matchAll(TARGETS)].map(([, target]) => target);
const resolve = (text: string, linkBase: string | null = BASE) => renderMarkdown(text, { linkBase });
const anyText = () => fc.oneof(anyMarkdown(), anyHtml());

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
      assert.deepEqual(targetsIn(resolve(`[a](${written})`)), [expected], written);
    assert.equal(
      resolve('[![Stage](img/1.png "One")](stages.md "All")'),
      '<p><a href="https://rocket.example/docs/stages.md" title="All" rel="noopener nofollow">' +
        '<img src="https://rocket.example/docs/img/1.png" alt="Stage" title="One"></a></p>',
    );
  });

  it('absolute links, code and text stay as written', () => {
    for (const text of [
      '[a](https://a.example/?a=1&b=2) [b](http://a.example) <mailto:a@b.example>',
      '`<a href="x">` \\<a href="x"> ![](data:image/png;base64,AA) [c](//a.example)',
      '![<a href="x"](https://a.example/x.png "<img src=\'x\'")',
    ])
      assert.equal(resolve(text), renderMarkdown(text));
  });

  it('a text with very many links stays as written if a long base would multiply its length', () => {
    const base = `https://rocket.example/${'docs/'.repeat(100)}`;
    const text = `[a]: b\n\n${'[a] '.repeat(1_000)}`;
    assert.equal(resolve(text, base), renderMarkdown(text));
    assert.ok(resolve(text, 'https://rocket.example/docs/').includes('"https://rocket.example/docs/b"'));
    assert.ok(resolve('[a](b)', base).includes(`"${base}b"`));
  });

  it('texts stay as written without a base, and with one that is not a web URL', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const base of [
          null,
          '',
          'docs',
          'javascript:alert(1)//',
          'data:text/html,',
          'mailto:a@b.example',
        ])
          assert.equal(resolve(text, base), renderMarkdown(text));
      }),
    );
  });

  it('no text becomes an unsafe link, and no link stays relative', () => {
    const check = (text: string) => {
      for (const target of targetsIn(resolve(text))) assert.match(target as string, /^(?:https?:|mailto:)/);
    };
    fc.assert(fc.property(anyText(), check), { numRuns: 300 });
    PAYLOADS.forEach(check);
  });

  it('only targets change', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.equal(resolve(text).replaceAll(TARGETS, ''), renderMarkdown(text).replaceAll(TARGETS, ''));
      }),
      { numRuns: 300 },
    );
  });

  it('where there is no server for them, only their text is left', () => {
    const without = (text: string) => writePlain(withoutRelativeLinks(parseText(text)));
    assert.equal(
      without(
        '[a *b*](c) [d](https://e.example) ![f](g.png) [![h](i.png)](j) [![k](https://l.example/m.png)](n)',
      ),
      'a b d (https://e.example) f h k (https://l.example/m.png)',
    );
    fc.assert(
      fc.property(anyText(), (text) => {
        const { nodes } = withoutRelativeLinks(parseText(text));
        assert.doesNotMatch(JSON.stringify(nodes), /"(?:href|src)":"(?!https?:|mailto:)/i);
      }),
      { numRuns: 300 },
    );
  });
});
