import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { START } from '../../src/present/texts.ts';
import { startOf } from '../../src/text/lines.ts';
import { parseText } from '../../src/text/parse.ts';
import { joinLines, writePlain } from '../../src/text/plain.ts';
import { anyHtml, anyMarkdown } from '../../support/content/any-texts.ts';
import { misread } from '../../support/content/plain-text.ts';
import { renderPlain } from '../../support/content/texts.ts';

describe('lines', () => {
  it('the lines of a paragraph are joined, but not code or lines that end on purpose', () => {
    const joined = (markdown: string) => {
      const tree = parseText(markdown);
      return writePlain({ ...tree, nodes: joinLines(tree.nodes) });
    };
    assert.equal(
      joined('a\nb *c\nd*  \ne\n\n- f\n  g\n\n      h\n      i\n\n早く\nなる。\nx'),
      'a b c d\ne\n\n- f g\n\n      h\n      i\n\n早くなる。 x',
    );
    assert.equal(joined('<pre>&lt;a\nb</pre>'), '<a\nb');
  });
});

describe('the start of a text', () => {
  it('is its first words on one line, without URLs', () => {
    for (const [markdown, start] of [
      ['# A `<b>`\n\nSee [it](x), *y*.\n- 1\n- 2\n\n![c](d)', 'A <b> See it, y. 1 2 c'],
      ['a<br>b  \nc', 'a b c'],
      ['|a|b|\n|-|-|\n|1|2|', 'a | b 1 | 2'],
      ['![a](b)', 'a'],
    ] as const)
      assert.equal(START.write(parseText(markdown)), start);
    assert.equal(startOf(parseText('word '.repeat(1_000))), `${'word '.repeat(80).trim()}…`);
  });
});

describe('Markdown without markup', () => {
  for (const [promise, markdown, text] of [
    ['emphasis and code lose their marks', '**a** *b* ~~c~~ `d` \\*e\\* &lt;', 'a b c d *e* <'],
    ['HTML loses its tags', 'a<br>b <kbd>F1</kbd><script>x</script>', 'a\nb F1'],
    ['a summary and what it is of are paragraphs', '<details><summary>a</summary>b</details>', 'a\n\nb'],
    ['a caption is a line', '<table><caption>a</caption><tr><td>b<td>c</table>', 'a\nb  c'],
    ['what HTML leaves empty is not there', '> <b></b>\n\na', 'a'],
    ['an alert has its label', '> [!NOTE]\n> a', '  Note\n\n  a'],
    ['a task has its box', '- [ ] a\n- [x] b', '- ☐ a\n- ☑ b'],
    [
      'a link is its text and its URL',
      'See [it](https://a.example/x_(y)).',
      'See it (https://a.example/x_(y)).',
    ],
    ['a link without text is its URL', '[](x.md)', 'x.md'],
    ['a link to a forbidden target is no link, as on pages', '[a](ftp://b)', 'a'],
    [
      'a URL stays as it is',
      '<https://a.example> https://ä.example/ü.',
      'https://a.example https://ä.example/ü.',
    ],
    ['so does an e-mail address', '<a@b.example>', 'a@b.example'],
    ['an image is its alternative text and its URL', '![a *b*](c.png) ![](d.png)', 'a b (c.png) d.png'],
    ['a badge has both URLs', '[![a](b.svg)](c)', 'a (b.svg) (c)'],
    ['an image that links to itself has one', '[![a](b.svg)](b.svg)', 'a (b.svg)'],
    ['headings are lines', '# a\n\nb\n---\n\nc', 'a\n\nb\n\nc'],
    [
      'line breaks stay, and none is added',
      `a  \nb\nc\\\n${'d '.repeat(200)}e`,
      `a\nb\nc\n${'d '.repeat(200)}e`,
    ],
    ['rules separate only', 'a\n\n***\n\nb', 'a\n\nb'],
    [
      'lists keep marks, numbers and depth',
      '3. a\n4. b\n   - c\n     d\n     - e',
      '3. a\n4. b\n   - c\n     d\n     - e',
    ],
    ['loose lists stay loose', '* a\n\n  b\n* c', '- a\n\n  b\n\n- c'],
    ['quotes are indented', '> a\n> b\n>\n> > c', '  a\n  b\n\n    c'],
    ['code blocks are indented more', '```sh\na\n\n  b\n```', '    a\n\n      b'],
    ['rows of tables are lines', '| a | b |\n|--|--:|\n| cc | `d` |\n| | e |', 'a  b\ncc  d\n  e'],
    ['control characters are visible', 'a\u001b[2J\u0085', 'a\\x1b[2J\\x85'],
  ] as const)
    it(promise, () => assert.equal(renderPlain(markdown), text));

  it('a text too complex to render stays as written', () => {
    const text = '*'.repeat(5_001);
    assert.equal(renderPlain(text), text);
  });

  it('nothing is lost but markup, and nothing is left of it, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(anyMarkdown(), anyHtml()), (markdown) => {
        fc.pre(!/&#13;|\f/.test(markdown));
        assert.equal(misread(markdown, renderPlain(markdown)), null, renderPlain(markdown));
      }),
      { numRuns: 2_000 },
    );
  });
});
