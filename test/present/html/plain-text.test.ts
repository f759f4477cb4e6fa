import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from '../../../src/present/html/markdown.ts';
import { htmlToText, joinLines } from '../../../src/present/html/plain-text.ts';
import { hasNestedLinks, misread } from '../../../support/content/plain-text.ts';
import { anyMarkdown } from './any-markdown.ts';

const textOf = (markdown: string) => htmlToText(renderMarkdown(markdown));

describe('lines', () => {
  it('the lines of a paragraph are joined, but not code or lines that end on purpose', () => {
    const markdown = 'a\nb *c\nd*  \ne\n\n- f\n  g\n\n      h\n      i\n\n早く\nなる。\nx';
    assert.equal(
      htmlToText(joinLines(renderMarkdown(markdown))),
      'a b c d\ne\n\n- f g\n\n      h\n      i\n\n早くなる。 x',
    );
    assert.equal(htmlToText(joinLines('<pre>&lt;a\nb</pre>')), '<a\nb');
  });
});

describe('Markdown without markup', () => {
  for (const [promise, markdown, text] of [
    ['emphasis and code lose their marks', '**a** *b* ~~c~~ `d` \\*e\\* &lt;', 'a b c d *e* <'],
    ['raw HTML is text, as on pages', '<kbd>F1</kbd>', '<kbd>F1</kbd>'],
    [
      'a link is its text and its URL',
      'See [it](https://a.example/x_(y)).',
      'See it (https://a.example/x_(y)).',
    ],
    ['a link without text is its URL', '[](x.md)', 'x.md'],
    ['a link to a forbidden target is no link, as on pages', '[a](javascript:b)', '[a](javascript:b)'],
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
    ['tables are lines with columns', '| a | b |\n|--|--:|\n| cc | `d` |\n| | e |', 'a   b\ncc  d\n    e'],
    ['control characters are visible', 'a\u001b[2J\u0085', 'a\\x1b[2J\\x85'],
  ] as const)
    it(promise, () => assert.equal(textOf(markdown), text));

  it('long cells do not widen their column', () => {
    const long = 'x'.repeat(31);
    assert.equal(textOf(`| a | b |\n|--|--|\n| ${long} | c |`), `a  b\n${long}  c`);
  });

  it('a text too complex to render stays as written', () => {
    const text = '*'.repeat(20_001);
    assert.equal(textOf(text), text);
  });

  it('nothing is lost but markup, and nothing is left of it, whatever the text', () => {
    fc.assert(
      fc.property(anyMarkdown(), (markdown) => {
        fc.pre(!hasNestedLinks(markdown));
        assert.equal(misread(markdown, textOf(markdown)), null, textOf(markdown));
      }),
      { numRuns: 2_000 },
    );
  });
});
