import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { renderMarkdown } from '../../support/content/texts.ts';

const link = (url: string, text = url) => `<a href="${url}" rel="noopener nofollow">${text}</a>`;
const A = link('https://a.example');

/** `URL` stands for a bare URL in the text, and for its link in the HTML. */
const LINKED: Readonly<Record<string, string>> = {
  URL: 'URL',
  'See URL.': 'See URL.',
  'URL, URL; and (URL)!': 'URL, URL; and (URL)!',
  '"URL", \'URL\': URL?!.,:': '"URL", \'URL\': URL?!.,:',
  '*URL* __URL__ ~~URL~~ **URL**:': '<em>URL</em> <strong>URL</strong> <s>URL</s> <strong>URL</strong>:',
  '[URL] URL[b](c)': `[URL] URL${link('c', 'b')}`,
  'URL`b` URL<b>c</b>': 'URL<code>b</code> URL<b>c</b>',
  'URL&lt;b URL&gt;. URL&amp;&quot;)': 'URL&lt;b URL&gt;. URL&amp;")',
  'URL\\\nb\nURL  \nc': 'URL<br>\nb\nURL<br>\nc',
  '（URL）「URL」🚀URL🚀 URL\u202eb': '（URL）「URL」🚀URL🚀 URL\u202eb',
  'x:URL javascript:URL /URL -URL': 'x:URL javascript:URL /URL -URL',
  '[b](URL c)': '[b](URL c)',
};

/** Each text is a link as a whole. */
const WHOLE = [
  ...[
    'http://localhost:3000/a?b#c',
    'HTTPS://A.example',
    'https://a.example/b_(c)_d(e)',
    'https://a.example/*b*c',
  ],
  ...["https://a.example/~b/c'd,e;f:g!h@i$j=k+l", 'https://a_b.example/_c_d'],
  ...['https://user@a.example:1/', 'https://1.2.3.4', 'https://a.example/compare/v1.0.0...v2.0.0'],
];

const UNLINKED = [
  ...[
    'xhttps://a.example',
    '1http://a.example',
    'éhttp://a.example',
    '𝒜http://a.example',
    'httpſ://a.example',
  ],
  ...['\\https://a.example', '&#104;ttps://a.example', 'https:/a.example', 'https//a.example', 'https:// a'],
  ...[
    'https://',
    'http://.',
    'https://…',
    'https://-a',
    'http:///a',
    'https://<a>',
    'https://[a]',
    'https://\\a',
  ],
  ...['a.example', 'www.a.example', 'a@b.example', 'mailto:a@b.example', 'ftp://a.example', '//a.example'],
];

describe('bare URLs', () => {
  it('are links, without trailing punctuation and unbalanced parentheses', () => {
    for (const [text, html] of Object.entries(LINKED))
      assert.equal(
        renderMarkdown(text.replaceAll('URL', 'https://a.example')),
        `<p>${html.replaceAll('URL', A)}</p>`,
      );
    for (const url of WHOLE)
      for (const text of [url, `${url}.`, `(${url}) a`])
        assert.ok(renderMarkdown(text).includes(link(url)), `${text}: ${renderMarkdown(text)}`);
  });

  it('link to the intended URL and keep their text', () => {
    for (const [text, url, shown] of [
      ['https://a.example/?b=1&amp;c=2&d', 'https://a.example/?b=1&amp;c=2&amp;d', undefined],
      ['https://a.example/b\\_c\\*', 'https://a.example/b_c*', undefined],
      ['https://a.example?b[]=1&c[0][d]=2', 'https://a.example?b%5B%5D=1&amp;c%5B0%5D%5Bd%5D=2', undefined],
      ['https://é.example/ü', 'https://xn--9ca.example/%C3%BC', 'https://é.example/ü'],
      ['https://a.example/%C3%BC%', 'https://a.example/%C3%BC%25', 'https://a.example/%C3%BC%'],
    ] as const) {
      const found = /^<p><a href="([^"]*)" rel="noopener nofollow">(.*)<\/a>\*?<\/p>$/.exec(
        renderMarkdown(text),
      );
      assert.equal(found?.[1], url.replace(/\*$/, ''), text);
      if (shown !== undefined) assert.equal(found?.[2], shown);
    }
  });

  it('stay text inside words, in code, with another scheme and without a host', () => {
    for (const text of UNLINKED) assert.doesNotMatch(renderMarkdown(text), /<a/, text);
    for (const text of ['`https://a.example`', '    https://a.example', '```\nhttps://a.example\n```'])
      assert.doesNotMatch(renderMarkdown(text), /<a/, text);
  });

  it('are not links inside a link or an image', () => {
    assert.equal(renderMarkdown('[https://a.example](b)'), `<p>${link('b', 'https://a.example')}</p>`);
    assert.equal(
      renderMarkdown('[b https://a.example/c d](e)'),
      `<p>${link('e', 'b https://a.example/c d')}</p>`,
    );
    assert.equal(
      renderMarkdown('[https://a.example][b]\n\n[b]: c'),
      `<p>${link('c', 'https://a.example')}</p>`,
    );
    assert.equal(renderMarkdown('<https://a.example>'), `<p>${A}</p>`);
    assert.equal(renderMarkdown('![https://a.example](b)'), '<p><img src="b" alt="https://a.example"></p>');
  });

  it('are links in every kind of block', () => {
    for (const text of [
      '# URL',
      '> URL',
      '- URL',
      '1. a\n\n   URL',
      '|URL|\n|-|\n|a|',
      '|a|\n|-|\n|URL|',
      'URL\n=',
    ])
      assert.ok(renderMarkdown(text.replace('URL', 'https://a.example')).includes(A), text);
  });

  it('show the same text as without a link', () => {
    const without = new MarkdownIt({ html: true, linkify: false, maxNesting: 24 });
    const textOf = (html: string) =>
      html
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&quot;', '"')
        .trim();
    const pieces = [
      ...[
        'https://',
        'http://',
        'a.b',
        'h',
        '\\',
        '&amp;',
        '&',
        '&#104;',
        'ttps://c',
        '[',
        ']',
        '(',
        ')',
        '](d)',
      ],
      ...[
        ' ',
        '\n',
        '<',
        '>',
        '`',
        '"',
        "'",
        '.',
        ';',
        '![',
        '\u202e',
        'é',
        '<https://e.f>',
        '1',
        '\\\n',
        '[g]',
      ],
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 });
    fc.assert(
      fc.property(texts, (drawn) => {
        const text = `[g]: https://h.i\n\n${drawn.join('')}`;
        // markdown-it copies them as they are.
        fc.pre(!without.parse(text, {}).some(({ type }) => type === 'html_block'));
        const html = renderMarkdown(text);
        assert.equal(textOf(html), textOf(without.render(text)));
        assert.doesNotMatch(html, /<a[^>]*>(?:(?!<\/a>).)*<a/s);
      }),
      { numRuns: 2_000 },
    );
  });
});
