import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { documentTextFor, imageFor } from '../../src/present/texts.ts';
import { parseText } from '../../src/text/parse.ts';
import { anyHtml, anyMarkdown } from '../../support/content/any-texts.ts';
import { renderForPage, renderMarkdown, TEXT_HEAD } from '../../support/content/texts.ts';
import { readWritten } from '../../support/content/written-html.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';

const IMAGE_ATTRIBUTES = 'loading="lazy" decoding="async" referrerpolicy="no-referrer"';

const show = (text: string, level = 3) => renderForPage(text, {}, { level }).html;
const anyText = () => fc.oneof(anyMarkdown(), anyHtml());

describe('headings of authored texts on a page', () => {
  it('the top level becomes the given one, and others follow without a gap', () => {
    assert.equal(show('# a\n## b\n# c'), '<h3>a</h3>\n<h4>b</h4>\n<h3>c</h3>');
    assert.equal(show('## a\n#### b\n##### c\n## d'), '<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h3>d</h3>');
    assert.equal(show('### a\n# b\n### c'), '<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>');
  });

  it('no heading is below h6', () => {
    assert.equal(show('# a\n## b\n### c', 5), '<h5>a</h5>\n<h6>b</h6>\n<h6>c</h6>');
  });

  it('a heading without text is dropped', () => {
    assert.equal(show('# \n\ntext'), '<p>text</p>');
    assert.equal(
      show('# ![](https://a.example/x.png)'),
      `<p><img src="https://a.example/x.png" alt="" ${IMAGE_ATTRIBUTES}></p>`,
    );
    assert.match(show('# ![A rocket](https://a.example/x.png)'), /^<h3><img .*<\/h3>$/);
  });
});

describe('details of authored texts on a page', () => {
  it('have a summary in the words of the page if the author wrote none', () => {
    const folded = (summary: string) => `<details>\n<summary>${summary}</summary>\n<p>b</p>\n</details>`;
    assert.equal(show('<details><summary>a</summary>\n\nb\n\n</details>'), folded('a'));
    assert.equal(show('<details>\n\nb\n\n</details>'), folded('Read more'));
  });
});

describe('tables and code of authored texts on a page', () => {
  it('code, references and URLs keep their direction from left to right, and do not decide that of a text', () => {
    const hebrew = { language: 'he', repositoryUrl: 'https://git.example/a' };
    const link = (url: string, text: string, dir = ' dir="ltr"') =>
      `<a href="${url}" rel="noopener nofollow"${dir}>${text}</a>`;
    for (const [text, html] of [
      ['`rocket push` הוסרה', '<code dir="ltr">rocket push</code> הוסרה'],
      [
        'ו #412 @anna',
        `ו ${link('https://git.example/a/issues/412', '#412')} ${link('https://git.example/anna', '@anna')}`,
      ],
      ['<https://a.example/>', link('https://a.example/', 'https://a.example/')],
      ['[שלום](x) [#412 שלום](y)', `${link('x', 'שלום', '')} ${link('y', '#412 שלום', '')}`],
    ] as const)
      for (const written of [renderForPage(text, hebrew).html, renderMarkdown(text, hebrew)])
        assert.equal(written, `<p>${html}</p>`);
  });

  it('a table can be scrolled by keyboard, its header cells have a scope, and its alignment is a class', () => {
    assert.equal(
      show('|a|b||\n|:-|-|:-:|\n|1|2|3|').replaceAll('\n', ''),
      [
        '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr>',
        '<th scope="col" class="left">a</th><th scope="col">b</th><td class="center"></td></tr></thead>',
        '<tbody><tr><td class="left">1</td><td>2</td><td class="center">3</td></tr></tbody></table></div>',
      ].join(''),
    );
  });

  it('code can be scrolled by keyboard', () => {
    assert.equal(show('```\n<pre>\n```'), '<pre tabindex="0"><code>&lt;pre&gt;\n</code></pre>');
  });

  it('void elements have no slash', () => {
    assert.equal(show('a  \nb\n\n---'), '<p>a<br>\nb</p>\n<hr>');
  });
});

describe('images and links of authored texts on a page', () => {
  it('an image loads lazily, without a referrer', () => {
    assert.equal(
      show('![A "rocket"](https://a.example/x.png "Lift-off")'),
      `<p><img src="https://a.example/x.png" alt="A &quot;rocket&quot;" title="Lift-off" ${IMAGE_ATTRIBUTES}></p>`,
    );
  });

  it('an image that the policy would block becomes a link to it, or only its text in a link', () => {
    const link = (href: string, text: string) =>
      `<p><a href="${href}" rel="noopener nofollow">${text}</a></p>`;
    assert.equal(show('![A rocket](http://a.example/x.png)'), link('http://a.example/x.png', 'A rocket'));
    assert.equal(show('![](x.png)'), link('x.png', 'x.png'));
    assert.equal(show('[![A rocket](x.png)](https://b.example)'), link('https://b.example', 'A rocket'));
    assert.equal(show('![A rocket](data:image/png;base64,AA)'), '<p>A rocket</p>');
  });

  it('a link without text shows its title or target', () => {
    const link = (content: string, title = '', label = '') =>
      `<p><a href="x?a&amp;b"${title} rel="noopener nofollow"${label}>${content}</a></p>`;
    for (const blank of ['', ' ', '&nbsp;', '&#8203;', '` `', '![](y.png)'])
      assert.equal(show(`[${blank}](x?a&b)`), link('x?a&amp;b'), blank);
    assert.equal(show('[](x?a&b "The *docs*")'), link('The *docs*', ' title="The *docs*"'));
    assert.equal(
      show('[![](https://a.example/x.png)](x?a&b)'),
      link(`<img src="https://a.example/x.png" alt="" ${IMAGE_ATTRIBUTES}>`, '', ' aria-label="x?a&amp;b"'),
    );
  });

  it('knows the images that it shows, each once', () => {
    const text =
      '![](https://a.example/1.png) ![](https://a.example/1.png) [![](https://b.example/2.png)](x) ![](http://c.example/3.png) ![](d.png)';
    assert.deepEqual(renderForPage(text).images, ['https://a.example/1.png', 'https://b.example/2.png']);
    assert.deepEqual(renderForPage('![](4.png)', { linkBase: 'https://e.example/' }).images, [
      'https://e.example/4.png',
    ]);
  });

  it('the first picture of a text is that of its version, unless it needs another base', () => {
    const firstIn = (text: string, linkBase: string | null = null) =>
      imageFor({ ...TEXT_HEAD, linkBase }).write(parseText(text));
    assert.equal(
      firstIn('a ![](http://a.example/1.png)\n\n- <img src="https://b.example/2.png">'),
      'https://b.example/2.png',
    );
    assert.equal(firstIn('![](3.png)'), null);
    assert.equal(firstIn('![](3.png)', 'https://c.example/d/'), 'https://c.example/d/3.png');
  });

  it('a document that loads nothing has them as links', () => {
    const html = documentTextFor(TEXT_HEAD, 3).write(parseText('# a\n\n![b](https://a.example/c.png)'));
    assert.equal(html, '<h3>a</h3>\n<p><a href="https://a.example/c.png" rel="noopener nofollow">b</a></p>');
  });
});

describe('any authored text on a page', () => {
  it('any text has only allowed tags and attributes, and no style', () => {
    const check = (text: string) => void readWritten(show(text), 'page');
    fc.assert(fc.property(anyText(), check), { numRuns: 300 });
    PAYLOADS.forEach(check);
  });

  it('every link, heading and header cell of any text shows something', () => {
    fc.assert(
      fc.property(anyText(), (text) => assert.doesNotMatch(show(text), /<(a|h\d|th)\b[^>]*>\s*<\/\1>/)),
      { numRuns: 1_000 },
    );
  });
});
