// HTML in Markdown (R71).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseText } from '../../src/text/parse.ts';
import { isElement, type Node, textsIn } from '../../src/text/tree.ts';
import { anyHtml } from '../../support/content/any-texts.ts';
import { renderForPage, renderMarkdown } from '../../support/content/texts.ts';
import { readWritten } from '../../support/content/written-html.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';

const link = (url: string, text = url) => `<a href="${url}" rel="noopener nofollow">${text}</a>`;
const IN_LINE = 'b strong i em s del ins mark small sub sup kbd samp var abbr code'.split(' ');

const KEPT: Readonly<Record<string, readonly (readonly [text: string, html: string])[]>> = {
  'elements in a line, without their attributes': [
    ...IN_LINE.map(
      (tag) => [`A <${tag} class=x onclick="y">b</${tag}>.`, `<p>A <${tag}>b</${tag}>.</p>`] as const,
    ),
    ['a<br>b<BR/>c<br class="x" />d', '<p>a<br>\nb<br>\nc<br>\nd</p>'],
    ['<B>*a*</B>', '<p><b><em>a</em></b></p>'],
  ],
  'blocks, with Markdown between blank lines': [
    ['<p align="center"><b>a</b></p>', '<p><b>a</b></p>'],
    ['<blockquote>a</blockquote>', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['<hr class="x"/>', '<hr>'],
    ['<pre><code class="x">a\n\n*b*</code></pre>', '<pre><code>a\n\n*b*</code></pre>'],
    ['<ul><li>a<li>b</ul>', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['<ol start="3" type="a"><li value="7">a</ol>', '<ol>\n<li>a</li>\n</ol>'],
    ['<dl><dt>a<dd>b</dl>', '<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>'],
    [
      '<details>\n<summary>a *b*</summary>\n\nc *d*\n\n</details>\n\ne',
      '<details>\n<summary>a *b*</summary>\n<p>c <em>d</em></p>\n</details>\n<p>e</p>',
    ],
    ['<details open class="x">a</details>', '<details open>\n<p>a</p>\n</details>'],
    [
      '<details>a<summary>b</summary></details><details><summary>c</summary><summary>d</summary>',
      '<details>\n<p>ab</p>\n</details>\n<details>\n<summary>c</summary>\n<p>d</p>\n</details>',
    ],
    [
      '<table><tr><td>a</tr><caption>b</caption></table>',
      '<table>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
  ],
  'tables and their parts': [
    [
      '<table width="1"><caption>a</caption><colgroup><col></colgroup><tr><th scope="row">b<td colspan="2">c</table>',
      '<table>\n<caption>a</caption>\n<tbody>\n<tr>\n<th>b</th>\n<td>c</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody><tfoot><tr><td>c</td></tr></tfoot></table>',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n' +
        '<tfoot>\n<tr>\n<td>c</td>\n</tr>\n</tfoot>\n</table>',
    ],
  ],
  'links and images, with the targets of Markdown': [
    ['<a href="x?a&amp;b" title="c" target="_blank">d</a>', `<p>${link('x?a&amp;b', 'd')}</p>`],
    ['<a name="x">a</a> <a href>b</a>', '<p>a b</p>'],
    [
      '<a href="javascript:x">a</a> <a href=" java\nscript:x">b</a> <a href="&#106;avascript:x">c</a>',
      '<p>a b c</p>',
    ],
    ['<a href="x" href="javascript:y">z</a>', `<p>${link('x', 'z')}</p>`],
    [
      '<img src="x.png" alt="A &quot;b&quot;" title="c" width="10" height=" 20px " onerror="d">',
      '<p><img src="x.png" alt="A &quot;b&quot;" width="10" height="20"></p>',
    ],
    ['<img src=x width=100% height=1e5>', '<p><img src="x" alt=""></p>'],
    ['<img alt="a"> <img src="data:x" alt="b"> <img src="//c.example" alt="d">', '<p>a b d</p>'],
    [
      '<picture><source srcset="d.png"><img src="l.png" alt="a"></picture>',
      '<p><img src="l.png" alt="a"></p>',
    ],
    ['<video src="https://a.example/b.mp4" controls></video>', `<p>${link('https://a.example/b.mp4')}</p>`],
    ['<video><source src="a.mp4"></video>', `<p>${link('a.mp4')}</p>`],
    ['<video src="javascript:x">a</video>', '<p>a</p>'],
  ],
  'the text of every other element': [
    ['<div align=center>\n\n# a\n\n</div>', '<h1>a</h1>'],
    ['<font color=red>a</font> <T> <x-y z>b</x-y> <svg><title>c</title></svg>', '<p>a  b c</p>'],
    ['<textarea><b>a</textarea> <iframe src=x>b</iframe>', '<p><b>a b</b></p>'],
  ],
  'nothing of scripts, styles and comments': [
    ['a <script>alert(1)</script> b <style>c{}</style> d', '<p>a  b  d</p>'],
    ['<script src="x">\n\nalert(1)\n</script>\n\na', '<p>a</p>'],
    ['<div><SCRIPT>a</SCRIPT\n>b</div>', '<p>b</p>'],
    ['<style>a', ''],
    ['a <!-- b --> c <!DOCTYPE d> e <?f?> g <![CDATA[h]]> i', '<p>a  c  e  g  i</p>'],
    ['<!--\na\n\nb\n-->\n\nc', '<p>c</p>'],
  ],
  'the nesting that browsers would make of it': [
    ['<p>a<p>b', '<p>a</p>\n<p>b</p>'],
    ['<b>a<p>b</p>c</b>', '<p><b>a</b></p>\n<p>b</p>\n<p>c</p>'],
    ['**<b>a**</b> *b*', '<p><strong><b>a</b></strong> <em>b</em></p>'],
    ['- <b>a\n- b</b>', '<ul>\n<li><b>a</b></li>\n<li>b</li>\n</ul>'],
    [
      '<table>a<tr>b',
      '<table>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['<li>a <td>b <summary>c', '<p>a b c</p>'],
    ['<a href=x>[a](y) <a href=z>b</a></a>', `<p>${link('x', 'a b')}</p>`],
    ['</b></table></p>a', '<p>a</p>'],
  ],
};

describe('HTML in Markdown', () => {
  for (const [what, cases] of Object.entries(KEPT))
    it(`has ${what}`, () => {
      for (const [text, html] of cases) assert.equal(renderMarkdown(text), html, text);
    });

  it('has character references, and no escapes of Markdown', () => {
    assert.equal(renderMarkdown('<p>&lt;b&gt; &copy; &amp;amp; \\*</p>'), '<p>&lt;b&gt; © &amp;amp; \\*</p>');
  });

  it('has headings below those of the page', () => {
    assert.equal(renderForPage('<h1>a</h1>\n\n<h4>b</h4>\n\n# c').html, '<h3>a</h3>\n<h4>b</h4>\n<h3>c</h3>');
  });

  it('is text in code, in an image and where it is escaped', () => {
    for (const text of ['`<b>`', '\\<b>', '&lt;b&gt;', '    <b>'])
      assert.match(renderMarkdown(text), /&lt;b&gt;/, text);
    assert.equal(renderMarkdown('![a <b>b</b>](c)'), '<p><img src="c" alt="a b"></p>');
  });

  it('targets are encoded as in Markdown', () => {
    assert.equal(renderMarkdown('<a href="é<!-- a -->">b</a>'), `<p>${link('%C3%A9%3C!--a--%3E', 'b')}</p>`);
  });

  it('what begins or ends inside of a script is not there, and what is around it stays as it is', () => {
    for (const [text, html] of [
      ['a <script> *b </script> c* d', '<p>a  c d</p>'],
      ['*a <script> b* </script> c', '<p><em>a </em> c</p>'],
      ['*a <style> b* **c </style> d** e', '<p><em>a </em> d e</p>'],
      ['a <script>[b</script>c](d) e', '<p>a c e</p>'],
    ] as const)
      assert.equal(renderMarkdown(text), html);
  });

  it('names what it drops', () => {
    const droppedIn = (text: string) => [...parseText(text).dropped];
    assert.deepEqual(droppedIn('<b>a</b> <picture><img src=x></picture> <video src=x>'), []);
    assert.deepEqual(droppedIn('<div>\n<span>a</span><!-- b --></div>'), ['div', 'span', '!--']);
    assert.deepEqual(droppedIn('a <script>b</script> List<T>'), ['script', 'T']);
    assert.deepEqual(droppedIn('<style>\nb'), ['style']);
  });
});

describe('any HTML in Markdown', () => {
  it('becomes allowed elements with allowed attributes, nested as in a browser', () => {
    const check = (text: string) => {
      readWritten(renderMarkdown(text));
      readWritten(renderForPage(text).html, 'page');
    };
    fc.assert(fc.property(anyHtml(), check), { numRuns: 2_000 });
    PAYLOADS.forEach(check);
  });

  it('loses no word but those of scripts, styles and comments', () => {
    const words = fc.constantFrom('one', 'two', 'three', 'four');
    const tags = fc.constantFrom(
      ...[
        'b',
        'p',
        'ul',
        'li',
        'table',
        'tr',
        'td',
        'caption',
        'details',
        'summary',
        'pre',
        'dl',
        'dt',
        'div',
        'a',
      ],
    );
    const tag = fc.tuple(fc.constantFrom('', '/'), tags).map(([slash, name]) => `<${slash}${name}>`);
    const glue = fc.constantFrom(' ', '\n', '\n\n', '> ', '- ', '*', '**', '<br>');
    const texts = fc.array(fc.oneof(words, tag, glue), { maxLength: 15 }).map((pieces) => pieces.join(' '));
    const wordsIn = (text: string) => text.match(/\b(?:one|two|three|four)\b/g) ?? [];
    fc.assert(
      fc.property(texts, (text) => {
        const shown = textsIn(parseText(text).nodes).join(' ');
        assert.deepEqual(wordsIn(shown), wordsIn(text), shown);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is at most 110 elements deep', () => {
    for (const tag of ['b', 'blockquote', 'ul', 'table', 'details', 'dl', 'b><table', 'details><dl'])
      for (const before of ['', '<b>', '> > > ', '- - - *a ', '<div>\n'])
        assert.ok(depthOf(parseText(`${before}${`<${tag}>`.repeat(400)}a`).nodes) <= 110, before + tag);
  });
});

function depthOf(nodes: readonly Node[]): number {
  return nodes.reduce((depth, node) => Math.max(depth, isElement(node) ? 1 + depthOf(node.children) : 0), 0);
}
