import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from '../../../src/present/html/markdown.ts';
import { adaptForPage } from '../../../src/present/html/page-html.ts';
import { ENGLISH, localeFor } from '../../../src/present/words/locale.ts';
import { PAYLOADS } from '../../../support/content/xss-payloads.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { threadCpuMs } from '../../../support/processes/usage.ts';
import { anyMarkdown } from './any-markdown.ts';

const NAMES = 'p|br|hr|blockquote|pre|code|em|strong|s|a|img|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td|div';
const ATTRIBUTES =
  'href|title|rel|src|alt|start|class|scope|tabindex|role|aria-label|loading|decoding|referrerpolicy';
const ALLOWED_TAG = new RegExp(`^</?(?:${NAMES})(?: (?:${ATTRIBUTES})="[^"<>]*")*>$`);
const VOID = /^(?:br|hr|img)$/;
const IMAGE_ATTRIBUTES = 'loading="lazy" decoding="async" referrerpolicy="no-referrer"';

const adapt = (text: string, level = 3) => adaptForPage(renderMarkdown(text), { level, locale: ENGLISH });

describe('headings of authored texts on a page', () => {
  it('the top level becomes the given one, and others follow without a gap', () => {
    assert.equal(adapt('# a\n## b\n# c'), '<h3>a</h3>\n<h4>b</h4>\n<h3>c</h3>');
    assert.equal(adapt('## a\n#### b\n##### c\n## d'), '<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h3>d</h3>');
    assert.equal(adapt('### a\n# b\n### c'), '<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>');
  });

  it('no heading is below h6', () => {
    assert.equal(adapt('# a\n## b\n### c', 5), '<h5>a</h5>\n<h6>b</h6>\n<h6>c</h6>');
  });

  it('a heading without text is dropped', () => {
    assert.equal(adapt('# \n\ntext'), '\n<p>text</p>');
    assert.equal(
      adapt('# ![](https://a.example/x.png)'),
      `<p><img src="https://a.example/x.png" alt="" ${IMAGE_ATTRIBUTES}></p>`,
    );
    assert.match(adapt('# ![A rocket](https://a.example/x.png)'), /^<h3><img .*<\/h3>$/);
  });
});

describe('tables and code of authored texts on a page', () => {
  it('code keeps its direction from left to right, and does not decide that of a text', () => {
    const html = adaptForPage(renderMarkdown('`rocket push` הוסרה'), { level: 3, locale: localeFor('he') });
    assert.equal(html, '<p><code dir="ltr">rocket push</code> הוסרה</p>');
  });

  it('references and URLs in links keep theirs, too, and words do not', () => {
    const adaptHebrew = (content: string) =>
      adaptForPage(`<p><a href="https://a.example/" rel="noopener nofollow">${content}</a> ו</p>`, {
        level: 3,
        locale: localeFor('he'),
      });
    for (const content of ['#412', '@anna', 'https://a.example/'])
      assert.match(adaptHebrew(content), / rel="noopener nofollow" dir="ltr">/, content);
    for (const content of ['שלום', '#412 שלום']) assert.doesNotMatch(adaptHebrew(content), /dir=/, content);
  });

  it('a table can be scrolled by keyboard, its header cells have a scope, and its alignment is a class', () => {
    assert.equal(
      adapt('|a|b||\n|:-|-|:-:|\n|1|2|3|').replaceAll('\n', ''),
      [
        '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr>',
        '<th scope="col" class="left">a</th><th scope="col">b</th><td class="center"></td></tr></thead>',
        '<tbody><tr><td class="left">1</td><td>2</td><td class="center">3</td></tr></tbody></table></div>',
      ].join(''),
    );
  });

  it('code can be scrolled by keyboard', () => {
    assert.equal(adapt('```\n<pre>\n```'), '<pre tabindex="0"><code>&lt;pre&gt;\n</code></pre>');
  });

  it('void elements have no slash', () => {
    assert.equal(adapt('a  \nb\n\n---'), '<p>a<br>\nb</p>\n<hr>');
  });
});

describe('images and links of authored texts on a page', () => {
  it('an image loads lazily, without a referrer', () => {
    assert.equal(
      adapt('![A "rocket"](https://a.example/x.png "Lift-off")'),
      `<p><img src="https://a.example/x.png" alt="A &quot;rocket&quot;" title="Lift-off" ${IMAGE_ATTRIBUTES}></p>`,
    );
  });

  it('an image that the policy would block becomes a link to it, or only its text in a link', () => {
    const link = (href: string, text: string) =>
      `<p><a href="${href}" rel="noopener nofollow">${text}</a></p>`;
    assert.equal(adapt('![A rocket](http://a.example/x.png)'), link('http://a.example/x.png', 'A rocket'));
    assert.equal(adapt('![](x.png)'), link('x.png', 'x.png'));
    assert.equal(adapt('[![A rocket](x.png)](https://b.example)'), link('https://b.example', 'A rocket'));
    assert.equal(adapt('![A rocket](data:image/png;base64,AA)'), '<p>A rocket</p>');
  });

  it('a link without text shows its title or target', () => {
    const link = (content: string, title = '') =>
      `<p><a href="x?a&amp;b"${title} rel="noopener nofollow">${content}</a></p>`;
    for (const blank of ['', ' ', '&nbsp;', '&#8203;', '` `', '![](y.png)'])
      assert.equal(adapt(`[${blank}](x?a&b)`), link('x?a&amp;b'), blank);
    assert.equal(adapt('[](x?a&b "The *docs*")'), link('The *docs*', ' title="The *docs*"'));
    assert.equal(
      adapt('[![](https://a.example/x.png)](x?a&b)'),
      link(`<img src="https://a.example/x.png" alt="x?a&amp;b" ${IMAGE_ATTRIBUTES}>`),
    );
  });

  it('a link that lost its target becomes text', () => {
    assert.equal(adapt('[a **b**](ftp://a.example "t")'), '<p>a <strong>b</strong></p>');
  });
});

describe('any authored text on a page', () => {
  it('any text has only allowed tags and attributes, and no style', () => {
    const check = (text: string) => assertAllowed(adapt(text));
    fc.assert(fc.property(anyMarkdown(), check), { numRuns: 300 });
    PAYLOADS.forEach(check);
  });

  it('every link, heading and header cell of any text shows something', () => {
    fc.assert(
      fc.property(anyMarkdown(), (text) => {
        const html = adapt(text);
        assert.doesNotMatch(html, /<(a|h\d|th)\b[^>]*>\s*<\/\1>/);
        assert.doesNotMatch(html, /<img (?!src="https:)|<a (?!href=")/);
      }),
      { numRuns: 300 },
    );
  });

  it('100,000 characters of any piece are adapted in less than 100 ms of CPU time', () => {
    for (const piece of [
      '<a href="',
      '<img src="x" alt="',
      '[](x)',
      '![](x)',
      '# \n',
      '|a|\n|-|\n',
      '<h1>',
      '&quot;',
    ]) {
      const html = renderMarkdown(piece.repeat(100_000 / piece.length));
      const ms = threadCpuMs(() => adaptForPage(html, { level: 3, locale: ENGLISH }));
      assert.ok(ms < deadline(100), `${piece}: ${Math.round(ms)} ms`);
    }
  });
});

/** All tags are allowed, and closed in order. */
function assertAllowed(html: string): void {
  const open: string[] = [];
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) {
    assert.match(tag, ALLOWED_TAG);
    const name = /\w+/.exec(tag)?.[0] as string;
    if (tag.startsWith('</')) assert.equal(open.pop(), name, html);
    else if (!VOID.test(name)) open.push(name);
  }
  assert.deepEqual(open, [], html);
}
