import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentDocument } from '../../src/domain/content/content.ts';
import { htmlFor, pageTextFor, plainFor } from '../../src/present/texts.ts';
import { SYNTAX_MAX } from '../../src/text/markdown-it.ts';
import { parseText } from '../../src/text/parse.ts';
import type { Tree } from '../../src/text/tree.ts';
import { renderMarkdown, renderPlain } from '../../support/content/texts.ts';
import { deadline } from '../../support/processes/busy.ts';
import { threadCpuMs } from '../../support/processes/usage.ts';

const MS_MAX = 50;
const ROUNDS = 3;
const TEXT_CHARACTERS_MAX = longestText(ContentDocument);
const SHOWN = 5;
/** Everything that a text can lead to. */
const HEAD = {
  linkBase: 'https://rocket.example/docs/',
  repositoryUrl: 'https://github.com/acme/rocket',
  language: 'he',
};
const WRITERS = { HTML: htmlFor(HEAD), 'page HTML': pageTextFor(HEAD, 3), 'plain text': plainFor(HEAD) };

/** Each is repeated, alone and among words. */
const REPEATED = [
  ...['word ', 'a\n', 'a  \n', '\n', ' ', '\t', '\r', '\0', '\ud800', '😀', 'é', '    a\n', '\t a\n'],
  ...[
    '[',
    ']',
    '![',
    '[[',
    '[]',
    '[a](',
    '[a](b',
    '[a](<b',
    '[a](b "',
    '[a](b (',
    "[a](b '",
    '[a](b)',
    '![a](b)',
  ],
  ...['[a]', '[a][b]', '[a] [', '[a]: ', '[a]:', '[a]: b\n', '![[]', '(', ')', '](', '](b)', '<b](c)'],
  ...[
    '*',
    '_',
    '*_',
    '*a_ ',
    '**x',
    'a**b',
    '*a ',
    'a* ',
    '***a**b',
    '*a **b _c __d ',
    '_a_',
    '~~a',
    '~',
    '~~',
  ],
  ...['`', '`a` ', '`a``b', '`` ` ', '```\n', '~~~\n', '```js\na\n', '` `` ``` '],
  ...[
    '>',
    '> ',
    '>>a\n',
    '> a\n>> b\n',
    '- ',
    '* a\n  ',
    '- a\n',
    '1. ',
    '1. a\n\n',
    '1) a\n',
    '- > 1. ',
    '> - ',
  ],
  ...['&', '&amp;', '&#x0;', '&#1234567;', '&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '<', '<a ', '<b>', '</b>'],
  ...['<http://a>', '<a@b.c>', 'http://a.b ', '<!--', '-->', '<![CDATA[', '<?', '<!A ', '<!-- a -->\n'],
  ...[
    'http://a',
    'https://',
    'http://é',
    'https://a(',
    'https://a)',
    'https://a[',
    'http://a[b]=',
    'http://a&amp;',
  ],
  ...['# a\n', '#', '---\n', '***\n', 'a\n=\n', 'a\n-\n', '|', '|x|y|\n', '|-', ':-', '|a|\n|-|\n'],
  ...['\\', '\\*', '\\\n', '"', "'", '!', '\u202e[x](y)', '\u2028', '\u00a0'],
];

const HTML = [
  ...['<b>', '</b>', '<b></i>', '<i>x', '*<b>', '<b>[x](y)', '<b>\n\n', '<b><p>', '<p><b>', '<i><b><table>'],
  ...[
    '<p>',
    '<h1>',
    '<pre>',
    '<pre><code>',
    '<blockquote>',
    '<dl><dd>',
    '<dt>',
    '<li>',
    '<ul><li>',
    '<li><p>',
  ],
  ...['<table>', '<table><tr><td>', '<tr>', '<td>', '<td>\n\n', '<caption><b>', '<td>|', '|<td>|\n|-|\n'],
  ...[
    '<details>',
    '<summary>',
    '<details><summary>',
    '<details>\n\n',
    '<b><details>',
    '- <table>\n',
    '> <b>\n',
  ],
  ...[
    '<a "',
    '<a href="',
    '<a href=x>',
    '<a href=x>y',
    '<a href=x><p>',
    "<b '",
    '<b a="',
    '<b =',
    '<b a=b ',
    '<b/',
  ],
  ...[
    '<img src=x>',
    '<img src="',
    '<video src=x>',
    '<picture><source src=x>',
    '<br>',
    '<hr>',
    '<ins><del>',
    '<x>',
  ],
  ...['<script>', '<script>x</script>', 'x <script> ', 'x <style> ', '</script>', '<script ', '<style>\n\n'],
  ...['<!-- ', '<!--\n\n', '<?', '<!a', '</', '<a', '<b\n', '<b>&', '<b>\\', '<img alt="&quot;'],
  ...['> [!NOTE]\n', '> [!NOTE]\n> x\n\n', '- [ ] a\n', '- [x] \n', '- [ ] - [ ] ', '[ ] '],
  ...['#1 ', '@a ', 'a1b2c3d ', '#', '@a-', 'a1', '[#1](x) ', '`#1` ', 'https://a.b/#1 '],
  ...['[![](https://a/b)](c)', '# ![](https://a.b/c)\n', '# \n', '# a\n## b\n### c\n', '[](x)', '![](x)'],
];

/** No longer than a text may be, and with no more syntax than a text may have. */
const SHAPES: Readonly<Record<string, string>> = {
  'a table with aligned columns': `|a|b|\n|:-|-:|\n${fill('|x|y|\n')}`,
  'a table with many columns': `|${'a|'.repeat(800)}\n|${'-|'.repeat(800)}\n|${'b|'.repeat(800)}`,
  'rows that are filled up': `|${'a|'.repeat(25)}\n|${'-|'.repeat(25)}\n${fill('|\n')}`,
  'quotes without end': `${'> '.repeat(22)}a\n${fill('b\n')}`,
  'quotes within quotes': `${'> '.repeat(22)}a\n`.repeat(200),
  'lists without end': `${'- '.repeat(10)}a\n${fill('b\n')}`,
  'lists within lists': `${'- '.repeat(10)}a\n`.repeat(450),
  'lists by indentation': Array.from({ length: 10 }, (_, level) => `${'  '.repeat(level)}- a\n`)
    .join('')
    .repeat(250),
  'emphasis within emphasis': `${'*'.repeat(2_500)}a${'*'.repeat(2_500)}`,
  'emphasis that opens and closes': '*a '.repeat(2_500) + 'a* '.repeat(2_500),
  'links within links': `${'['.repeat(1_200)}a${'](b)'.repeat(1_200)}`,
  'images within images': `${'!['.repeat(900)}a${'](b)'.repeat(900)}`,
  'code of ever more backticks': Array.from({ length: 98 }, (_, count) => '`'.repeat(count + 1)).join(' a '),
  'a list of references': Array.from({ length: 1_200 }, (_, index) => `[r${index}]: /u`).join('\n'),
  'one reference, used often': `[a]: /u\n\n${fill('[a]')}`,
  'one long URL, used often': `[a]: https://b.c/${'d'.repeat(TEXT_CHARACTERS_MAX / 2)}\n\n${fill('[a]')}`,
  'one long bare URL': `https://a/${'b'.repeat(TEXT_CHARACTERS_MAX)}`,
  'one long bare URL of other letters': `https://a/${'é'.repeat(TEXT_CHARACTERS_MAX)}`,
  'a bare URL before many parentheses': `https://a/${'('.repeat(2_400)}${')'.repeat(2_400)}`,
  'a title without end': `[a](b "${'x'.repeat(TEXT_CHARACTERS_MAX)}`,
  'a title over many lines': `[a]: b "${fill('x\n')}`,
  'a target of parentheses': `[a](${fill('(')}`,
  'a link before much space': `[a](${' '.repeat(TEXT_CHARACTERS_MAX)}`,
  'HTML tables within tables': `<b>${'<table><tr><td>'.repeat(300)}`,
  'HTML lists around many lines': `${'<ul><li>'.repeat(29)}${fill('x\n')}`,
  'HTML quotes around many lines': `<div>\n${'<blockquote>'.repeat(58)}${fill('x\n')}`,
  'HTML quotes around one long line': `<div>\n${'<blockquote>'.repeat(58)}${'word '.repeat(19_000)}`,
  'inline HTML around one long line': `${'<b>'.repeat(58)}${'word '.repeat(19_000)}`,
  'HTML and emphasis around one long line': `${'*<b>'.repeat(20)}${'word '.repeat(19_000)}`,
  'an HTML table of many cells': `<table><tr>${'<td>a'.repeat(1_600)}`,
  'HTML with many attributes': `<img ${'a '.repeat(45_000)}src=x>`,
  'HTML with one long attribute': `<img a${' '.repeat(45_000)}=${' '.repeat(45_000)}x>`,
  'HTML with spaces in attributes': `<img src="${' '.repeat(90_000)}x" width="${' '.repeat(9_000)}1">`,
  'HTML scripts without end': `<details>\n<script>${`</script${' '.repeat(10)}`.repeat(2_400)}`,
  'HTML comments without end': `<details>\n${'<!--'.repeat(600)}${'-'.repeat(2_000)}`,
};

describe('pathological texts', () => {
  const times: { what: string; ms: number }[] = [];

  /** The quickest of some rounds: the first ones also compile, and collect the garbage of others. */
  function assertQuick(what: string, text: string): void {
    const spent = new Map<string, number>();
    const slowest = () => Math.max(0, ...spent.values());
    for (let round = 0; round < ROUNDS && (round === 0 || slowest() > MS_MAX / 2); round++) {
      let tree: Tree | undefined;
      const note = (name: string, work: () => unknown) =>
        spent.set(name, Math.min(spent.get(name) ?? Infinity, threadCpuMs(work)));
      note('a tree', () => {
        tree = parseText(text);
      });
      for (const [name, { write }] of Object.entries(WRITERS)) note(name, () => write(tree as Tree));
    }
    for (const [name, ms] of spent) {
      times.push({ what: `${what} to ${name}`, ms });
      assert.ok(ms < deadline(MS_MAX), `${what} to ${name}: ${Math.round(ms)} ms`);
    }
  }

  it(`no text of ${TEXT_CHARACTERS_MAX} characters takes more than ${MS_MAX} ms to parse, or to write`, (t) => {
    assert.equal(TEXT_CHARACTERS_MAX, 100_000);
    for (const piece of [...REPEATED, ...HTML]) {
      const name = JSON.stringify(piece);
      assertQuick(name, fill(piece));
      assertQuick(`${name} in HTML`, fill(`<div>\n${piece.repeat(TEXT_CHARACTERS_MAX / piece.length)}`));
      assertQuick(`${name} among words`, fill(`${piece}${'word '.repeat(Math.ceil(3 * piece.length))}`));
    }
    for (const [what, text] of Object.entries(SHAPES)) assertQuick(what, fill(text));
    times.sort((a, b) => b.ms - a.ms);
    for (const { what, ms } of times.slice(0, SHOWN)) t.diagnostic(`${what}: ${Math.round(ms)} ms`);
  });

  it('a text at the limit of syntax and one beyond it are no slower', () => {
    for (const piece of ['*', '[', '<b>', '|']) assertQuick(piece, repeat(piece, TEXT_CHARACTERS_MAX));
  });
});

describe('a text too complex to parse', () => {
  const asWritten = (text: string) =>
    `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</pre>`;

  it('is shown as written, in full', () => {
    for (const text of [
      '<*>&"'.repeat(10_000),
      `${'*'.repeat(SYNTAX_MAX)}.`,
      `${'word '.repeat(40_000)}.`,
      `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}${'\n|b|'.repeat(200)}`,
      `${'> '.repeat(200)}deep`,
      `${'- '.repeat(200)}deep`,
    ]) {
      assert.equal(renderMarkdown(text), asWritten(text), text.slice(0, 20));
      assert.equal(renderPlain(text), text);
    }
    assert.equal(renderMarkdown('*'.repeat(SYNTAX_MAX)), '<hr>');
    assert.match(renderMarkdown(`${'> '.repeat(20)}deep`), /<blockquote>\n<p>deep<\/p>/);
  });

  it('has more than 40,000 characters of prose, and than 100,000 of plain words', () => {
    const sentence = 'Launches can be paused between stages, and *inspected* in `rocket abort`.\n\n';
    const html = renderMarkdown(repeat(sentence, 40_000));
    assert.match(html, /^<p>Launches can be paused between stages, and <em>inspected<\/em>/);
    assert.match(renderMarkdown(repeat('plain words ', TEXT_CHARACTERS_MAX)), /^<p>plain words/);
  });

  it('no text becomes much longer, in HTML or without markup', () => {
    for (const text of [...REPEATED, ...HTML]
      .map((piece) => repeat(piece, 1_000))
      .concat(Object.values(SHAPES).map(fill)))
      for (const [name, { write }] of Object.entries(WRITERS)) {
        const written = write(parseText(text));
        const { length } =
          typeof written === 'string' ? written : 'html' in written ? written.html : written.text;
        assert.ok(length <= 50 * text.length + 250_000, `${text.slice(0, 30)}: ${length} of ${name}`);
      }
  });
});

describe('Markdown', () => {
  for (const [text, html] of [
    ['A *b* **c** ~~d~~ `e`', '<p>A <em>b</em> <strong>c</strong> <s>d</s> <code>e</code></p>'],
    ['[a](https://b.c "d")', '<p><a href="https://b.c" title="d" rel="noopener nofollow">a</a></p>'],
    ['![a](https://b.c/d.png)', '<p><img src="https://b.c/d.png" alt="a"></p>'],
    ['a\\\nb  \nc', '<p>a<br>\nb<br>\nc</p>'],
    ['3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['```js\n<a>\n```\n\n---', '<pre><code>&lt;a&gt;\n</code></pre>\n<hr>'],
    [
      '|a|b|c|d|\n|:-|:-:|-:|-|\n|e| ||',
      '<table>\n<thead>\n<tr>\n<th style="text-align:left">a</th>\n<th style="text-align:center">b</th>\n' +
        '<th style="text-align:right">c</th>\n<th>d</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n' +
        '<td style="text-align:left">e</td>\n<td style="text-align:center"></td>\n' +
        '<td style="text-align:right"></td>\n<td></td>\n</tr>\n</tbody>\n</table>',
    ],
  ] as const)
    it(`${JSON.stringify(text)} has its HTML`, () => assert.equal(renderMarkdown(text), html));

  const quote = (label: string, rest = '') =>
    `<blockquote>\n<p><strong>${label}</strong></p>\n${rest}</blockquote>`;

  it('a quote that begins with the mark of an alert has its label', () => {
    for (const [text, html] of [
      ['> [!NOTE]\n> *a*', quote('Note', '<p><em>a</em></p>\n')],
      ['> [!tip]\n>\n> - a', quote('Tip', '<ul>\n<li>a</li>\n</ul>\n')],
      ['> [!Important]\n> a', quote('Important', '<p>a</p>\n')],
      ['> [!WARNING]', quote('Warning')],
      ['> [!CAUTION]   \n> a', quote('Caution', '<p>a</p>\n')],
      ['> [!NOTE] a', '<blockquote>\n<p>[!NOTE] a</p>\n</blockquote>'],
      ['> [!OTHER]\n> a', '<blockquote>\n<p>[!OTHER]\na</p>\n</blockquote>'],
      ['> a\n> [!NOTE]', '<blockquote>\n<p>a\n[!NOTE]</p>\n</blockquote>'],
      ['[!NOTE]\na', '<p>[!NOTE]\na</p>'],
    ] as const)
      assert.equal(renderMarkdown(text), html, text);
    assert.equal(renderMarkdown('> [!NOTE]', { language: 'de' }), quote('Hinweis'));
  });

  it('an item, or a text, that begins with brackets has a box', () => {
    assert.equal(
      renderMarkdown('- [ ] a\n- [x] b\n- [X]\n  c\n- [y] d\n- [ ]e\n- [x](f) g\n- **[x]** h'),
      '<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n<li>☑\nc</li>\n<li>[y] d</li>\n<li>[ ]e</li>\n' +
        '<li><a href="f" rel="noopener nofollow">x</a> g</li>\n<li><strong>[x]</strong> h</li>\n</ul>',
    );
    assert.match(renderMarkdown('1. [x] a\n\n   b'), /<p>☑ a<\/p>/);
    assert.equal(renderMarkdown('[x] a'), '<p>☑ a</p>');
    assert.equal(renderMarkdown('> [x] a'), '<blockquote>\n<p>[x] a</p>\n</blockquote>');
  });
});

function repeat(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Repeated up to the longest text that is parsed. */
function fill(piece: string): string {
  const text = repeat(piece, TEXT_CHARACTERS_MAX);
  let syntax = 0;
  for (const { index } of text.matchAll(/[\n\r!-/:-@[-`{-~]/g))
    if (++syntax > SYNTAX_MAX) return text.slice(0, index);
  return text;
}

/** The limit of the content document for the text of a change. */
function longestText(schema: unknown): number {
  const found = /"text":\{"type":"string","minLength":1,"maxLength":(\d+)/.exec(JSON.stringify(schema));
  return Number(found?.[1]);
}
