import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import MarkdownIt, { type Token } from 'markdown-it';
import { renderMarkdown } from '../../../src/present/html/markdown.ts';
import { writeHtml } from '../../../src/present/html/token-html.ts';

const PAIRED = 'p|blockquote|pre|code|em|strong|s|a|ul|ol|li|h[1-6]|table|thead|tbody|tr|th|td';
const VALUE = '"[^"<>]*"';
/** Everything that may be written, with attributes in their only order. */
const ALLOWED = new RegExp(
  `^</?(?:${PAIRED.replace('a|', '')})>$|^<[bh]r />$|^</a>$` +
    `|^<a(?: href=${VALUE})?(?: title=${VALUE})? rel="noopener nofollow">$` +
    `|^<img(?: src=${VALUE})? alt=${VALUE}(?: title=${VALUE})? />$` +
    `|^<ol start=${VALUE}>$|^<t[hd] style="text-align:(?:left|center|right)">$`,
);

const HOSTILE = '"><script>alert(1)</script>\'&';
const TAGS = [
  'p',
  'a',
  'img',
  'ol',
  'td',
  'th',
  'script',
  'svg',
  'iframe',
  'p onclick=x',
  'P',
  '',
  '__proto__',
  'a href=x',
];
const ATTRIBUTES: Record<string, readonly string[]> = {
  ...{
    href: [HOSTILE, 'javascript:alert(1)'],
    src: ['java\tscript:alert(1)', '//a.example'],
    title: [HOSTILE],
  },
  ...{ style: ['text-align:left;background:url(x)', 'text-align:left\n'], start: [HOSTILE], alt: [HOSTILE] },
  ...{ onclick: ['alert(1)'], class: ['x'], id: ['x'], srcdoc: [HOSTILE], [HOSTILE]: [HOSTILE] },
};

/** Every type of token that the parser can make, read from its source, and every type that its own renderer handles. */
const TYPES = [
  ...readFileSync(fileURLToPath(import.meta.resolve('markdown-it')), 'utf8').matchAll(
    /(?:\.push\(|\.type = (?:isStrong \? "\w+" : )?|Token\()"(\w+)"/g,
  ),
].flatMap(([, type]) => type ?? []);
const ALL_TYPES = [
  ...new Set([...TYPES, ...Object.keys(new MarkdownIt().renderer.rules), 'unknown', 'toString']),
];

describe('Markdown tokens', () => {
  it('no token of any type, tag, attribute or content writes anything but allowed tags and attributes', () => {
    assert.ok(ALL_TYPES.length > 45, ALL_TYPES.join(' '));
    for (const type of ALL_TYPES) {
      for (const tag of TAGS) {
        for (const nesting of [-1, 0, 1] as const) {
          const token = hostileToken(type, tag, nesting);
          for (const tokens of [[token], [inlineOf([token])], [inlineOf([imageOf([token])])]])
            assertAllowed(writeHtml(tokens));
        }
      }
    }
  });

  it('only listed tags and attributes are written', () => {
    const html = renderMarkdown(
      '# a\n> b\n\n1. c\n5. d\n\n7) e\n- f\n\n|g|h|\n|:-|-|\n|i|j|\n\n```x\nk\n```\n    l\n\n***\n*m* **n** ~~o~~ `p`  \n' +
        '[q](r "s") ![t](u "v") <w:x> [y](z:)\n===',
    );
    assertAllowed(html);
    const written = new Set([...html.matchAll(/<(\w+)/g)].map(([, name]) => name));
    const all = 'p br hr blockquote pre code em strong s a img ul ol li h1 table thead tbody tr th td';
    assert.deepEqual([...written].sort(), all.split(' ').sort());
  });

  it('links and images keep only targets that are relative or have an allowed scheme', () => {
    const kept = [
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
    ];
    const dropped = [
      'ftp://a',
      'tel:1',
      'x+y.z-1:a',
      '//a',
      '///a',
      'data:image/png;base64,AA',
      'View-Source:a',
      'blob:a',
    ];
    for (const target of [...kept, ...dropped]) {
      const isKept = kept.includes(target);
      const [link, image] = [renderMarkdown(`[x](${target})`), renderMarkdown(`![x](${target})`)];
      assert.equal(link, `<p><a${isKept ? ` href="${target}"` : ''} rel="noopener nofollow">x</a></p>`);
      assert.equal(image, `<p><img${isKept ? ` src="${target}"` : ''} alt="x" /></p>`);
    }
  });

  it('a link ends where another starts directly inside it, and one deeper inside is text', () => {
    const link = (target: string, text: string) => `<a href="${target}" rel="noopener nofollow">${text}</a>`;
    const autolink = link('https://b', 'https://b');
    assert.equal(renderMarkdown('[x <https://b> y](a) z'), `<p>${link('a', 'x ')}${autolink} y z</p>`);
    assert.equal(
      renderMarkdown('[<https://b><https://b>](a)'),
      `<p>${link('a', '')}${autolink}${autolink}</p>`,
    );
    assert.equal(renderMarkdown('[*<https://b>*](a)'), `<p>${link('a', '<em>https://b</em>')}</p>`);
  });
});

function hostileToken(type: string, tag: string, nesting: -1 | 0 | 1): Token {
  const token = new MarkdownIt.Token(type, tag, nesting);
  token.content = HOSTILE;
  token.info = HOSTILE;
  token.markup = HOSTILE;
  token.block = true;
  token.attrs = Object.entries(ATTRIBUTES).flatMap(([name, values]) =>
    values.map((value) => [name, value] as [string, string]),
  );
  return token;
}

function inlineOf(children: Token[]): Token {
  return Object.assign(new MarkdownIt.Token('inline', '', 0), { children });
}

function imageOf(children: Token[]): Token {
  return Object.assign(hostileToken('image', 'img', 0), { children });
}

function assertAllowed(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) assert.match(tag, ALLOWED);
  assert.doesNotMatch(html.replaceAll(/<[^>]*>/g, ''), /[<>]|&(?!amp;|lt;|gt;)/);
  for (const [, target] of html.matchAll(/ (?:href|src)="([^"]*)"/g))
    assert.doesNotMatch(target ?? '', /script:/);
}
