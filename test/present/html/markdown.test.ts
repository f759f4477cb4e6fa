import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentDocument } from '../../../src/domain/content/content.ts';
import { renderMarkdown } from '../../../src/present/html/markdown.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { threadCpuMs } from '../../../support/processes/usage.ts';

const RENDERED_MS_MAX = 1_000;
const TEXT_CHARACTERS_MAX = longestText(ContentDocument);
/** The maximum of rendered syntax. */
const SIGNS = 20_000;
const SHOWN = 5;

/** Each is repeated up to the longest allowed text. */
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

/** The slowest per character, of each kind. */
const SLOW = [
  ...[
    'a  \n',
    '\0',
    '[',
    '![',
    '[a] [',
    '[a](b)',
    '![a](b)',
    '*_',
    '*a_ ',
    '**x',
    '***a**b',
    '`a` ',
    '```\n',
  ],
  ...['http://a ', 'http://é ', '[http://a', '*http://a', 'http://a\\_'],
  ...['* a\n  ', '1. a\n\n', '&', '<', '<http://a>', '<a@b.c>', '<![CDATA[', '# a\n', '|a|\n|-|\n', '\\\n'],
];

/** Repeated up to the maximum of rendered syntax. */
const NESTED: Record<string, string> = {
  'a table with aligned columns': `|a|b|\n|:-|-:|\n${fill('|x|y|\n')}`,
  'a table with many columns': `|${'a|'.repeat(4_000)}\n|${'-|'.repeat(4_000)}\n|${'b|'.repeat(4_000)}`,
  'rows that are filled up': `|${'a|'.repeat(4_000)}\n|${'-|'.repeat(4_000)}\n${fill('|\n')}`,
  'a header without rows': `|${'a|'.repeat(4_500)}\n|${'-|'.repeat(4_500)}`,
  'quotes without end': `${'> '.repeat(38)}a\n${fill('b\n')}`,
  'quotes within quotes': fill(`${'> '.repeat(38)}a\n`),
  'lists without end': `${'- '.repeat(18)}a\n${fill('b\n')}`,
  'lists within lists': fill(`${'- '.repeat(18)}a\n`),
  'lists by indentation': fill(
    Array.from({ length: 18 }, (_, level) => `${'  '.repeat(level)}- a\n`).join(''),
  ),
  'emphasis within emphasis': `${'*'.repeat(9_000)}a${'*'.repeat(9_000)}`,
  'emphasis that opens and closes': '*a '.repeat(9_000) + 'a* '.repeat(9_000),
  'links within links': `${'['.repeat(4_000)}a${'](b)'.repeat(4_000)}`,
  'images within images': `${'!['.repeat(3_000)}a${'](b)'.repeat(3_000)}`,
  'code of ever more backticks': Array.from({ length: 240 }, (_, count) => '`'.repeat(count + 1)).join(' a '),
  'a list of references': Array.from({ length: 4_500 }, (_, index) => `[r${index}]: /u`).join('\n'),
  'one reference, used often': `[a]: /u\n\n${fill('[a]')}`,
  'one long URL, used often': `[a]: https://b.c/${'d'.repeat(TEXT_CHARACTERS_MAX / 2)}\n\n${fill('[a]')}`,
  'one long bare URL': `https://a/${'b'.repeat(TEXT_CHARACTERS_MAX - 10)}`,
  'one long bare URL of other letters': `https://a/${'é'.repeat(TEXT_CHARACTERS_MAX - 10)}`,
  'a bare URL before many parentheses': `https://a/${'('.repeat(9_000)}${')'.repeat(9_000)}`,
  'a title without end': `[a](b "${'x'.repeat(TEXT_CHARACTERS_MAX - 7)}`,
  'a title over many lines': `[a]: b "${fill('x\n')}`,
  'a target of parentheses': `[a](${fill('(')}`,
  'a link before much space': `[a](${' '.repeat(TEXT_CHARACTERS_MAX - 4)}`,
};

describe('pathological Markdown', () => {
  const times: { what: string; ms: number }[] = [];

  function assertQuick(what: string, text: string): void {
    let html: unknown;
    const ms = threadCpuMs(() => {
      html = renderMarkdown(text);
    });
    times.push({ what, ms });
    assert.equal(typeof html, 'string');
    assert.ok(ms < deadline(RENDERED_MS_MAX), `${what}: ${Math.round(ms)} ms`);
  }

  it(`${TEXT_CHARACTERS_MAX} characters of pathological Markdown take less than a second`, () => {
    assert.equal(TEXT_CHARACTERS_MAX, 100_000);
    for (const piece of REPEATED)
      assertQuick(`${JSON.stringify(piece)} to the end`, repeat(piece, TEXT_CHARACTERS_MAX));
    for (const [what, text] of Object.entries(NESTED))
      assertQuick(`${what}, to the end`, repeat(`${text}\n\n`, TEXT_CHARACTERS_MAX));
  });

  it('has no link within a link, however deep', () => {
    for (const inner of ['~~<a@b.example>~~', '**_<https://b.example>_**'])
      assert.equal(renderMarkdown(`[${inner}](/x)`).match(/<a /g)?.length, 1, inner);
  });

  it('the maximum of rendered syntax takes less than a second', (t) => {
    for (const piece of SLOW) assertQuick(JSON.stringify(piece), fill(piece));
    for (const [what, text] of Object.entries(NESTED)) assertQuick(what, upToSigns(text));
    times.sort((a, b) => b.ms - a.ms);
    for (const { what, ms } of times.slice(0, SHOWN)) t.diagnostic(`${what}: ${Math.round(ms)} ms`);
  });
});

describe('a text too complex to render', () => {
  it('a text too complex to render is shown as written, in full', () => {
    assert.equal(
      renderMarkdown('<*>&"'.repeat(10_000)),
      `<pre>${'&lt;*&gt;&amp;&quot;'.repeat(10_000)}</pre>`,
    );
  });

  it('a table with many padded cells is too complex to render', () => {
    const table = `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${'|b|\n'.repeat(50)}`;
    assert.equal(renderMarkdown(table), `<pre>${table}</pre>`);
  });

  it('a text that repeats a long URL or title very often is too complex to render', () => {
    for (const definition of [`[a]: https://b.c/${'d'.repeat(5_000)}`, `[a]: b "${'d'.repeat(5_000)}"`]) {
      const text = `${definition}\n\n${fill('[a]')}`.slice(0, 30_000);
      assert.match(renderMarkdown(text), /^<pre>\[a\]: /);
      const ordinary = `${definition}\n\n${'[a] and '.repeat(10)}`;
      assert.match(renderMarkdown(ordinary), /^<p>(?:<a href="[^>]*>a<\/a> and ?){10}<\/p>$/);
    }
  });

  it('HTML is at most 50 times as long as its text', () => {
    const table = `|${'a|'.repeat(1_000)}\n|${':-:|'.repeat(1_000)}\n${'|\n'.repeat(17)}`;
    assert.equal(renderMarkdown(table), `<pre>${table}</pre>`);
    for (const piece of REPEATED) {
      const text = repeat(piece, 1_000);
      assert.ok(renderMarkdown(text).length <= 50 * text.length, piece);
    }
  });

  it('a deeply nested text is too complex to render', () => {
    const quoted = (levels: number) => `${'> '.repeat(levels)}deep`;
    assert.match(renderMarkdown(quoted(37)), /<blockquote>\n<p>deep<\/p>/);
    assert.equal(renderMarkdown(quoted(200)), `<pre>${'&gt; '.repeat(200)}deep</pre>`);
    assert.match(renderMarkdown(`${'- '.repeat(200)}deep`), /^<pre>(?:- )+deep<\/pre>$/);
  });

  it('100,000 characters of ordinary prose or of plain words are rendered', () => {
    const sentence = 'Launches can be paused between stages, and *inspected* in `rocket abort`.\n\n';
    const html = renderMarkdown(repeat(sentence, TEXT_CHARACTERS_MAX));
    assert.match(html, /^<p>Launches can be paused between stages, and <em>inspected<\/em>/);
    assert.match(renderMarkdown(repeat('plain words ', TEXT_CHARACTERS_MAX)), /^<p>plain words/);
  });
});

describe('rendered Markdown', () => {
  for (const [text, html] of [
    ['A *b* **c** ~~d~~ `e`', '<p>A <em>b</em> <strong>c</strong> <s>d</s> <code>e</code></p>'],
    ['[a](https://b.c "d")', '<p><a href="https://b.c" title="d" rel="noopener nofollow">a</a></p>'],
    ['![a](https://b.c/d.png)', '<p><img src="https://b.c/d.png" alt="a" /></p>'],
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
    ['3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    [
      '|a|b|c|d|\n|:-|:-:|-:|-|',
      '<table>\n<thead>\n<tr>\n<th style="text-align:left">a</th>\n<th style="text-align:center">b</th>\n' +
        '<th style="text-align:right">c</th>\n<th>d</th>\n</tr>\n</thead>\n</table>',
    ],
  ] as const) {
    it(`${JSON.stringify(text)} renders to allowed HTML`, () => {
      assert.equal(renderMarkdown(text), html);
    });
  }
});

function repeat(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function fill(piece: string): string {
  return upToSigns(repeat(piece, Math.min(TEXT_CHARACTERS_MAX, SIGNS * (piece.length + 1))));
}

/** The longest prefix that is still rendered. */
function upToSigns(text: string): string {
  let signs = 0;
  for (const { index } of text.matchAll(/[\n\r!-/:-@[-`{-~]/g))
    if (++signs > SIGNS) return text.slice(0, index);
  return text;
}

/** The limit of the content document for the text of a change. */
function longestText(schema: unknown): number {
  const found = /"text":\{"type":"string","minLength":1,"maxLength":(\d+)/.exec(JSON.stringify(schema));
  return Number(found?.[1]);
}
