import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { writeForElsewhere } from '../../src/text/elsewhere.ts';
import { hostile } from '../support/hostile-markdown.ts';

const BASE = 'https://rocket.example/docs/';
const REPOSITORY = 'https://github.com/acme/rocket';
const NOTHING = { linkBase: null, repositoryUrl: null };
const write = (text: string, targets = {}) =>
  writeForElsewhere(text, { linkBase: BASE, repositoryUrl: REPOSITORY, ...targets });
const markdown = new MarkdownIt({ html: true });

describe('Markdown for readers elsewhere (R54)', () => {
  it('relative links and images are absolute, and absolute ones stay as written', () => {
    for (const [text, expected] of [
      ['See [the guide](guide.md).', `See [the guide](${BASE}guide.md).`],
      ['[up](../x "A \\"title\\"")', '[up](https://rocket.example/x "A \\"title\\"")'],
      ['[![alt *x*](a.png)](b)', `[![alt *x*](${BASE}a.png)](${BASE}b)`],
      ['[parens](a(b)c)', `[parens](<${BASE}a(b)c>)`],
      ['[x](?a=1&amp;copy;=2)', `[x](${BASE}?a=1&amp;copy;=2)`],
      ['> [wrapped\n> text](a)', `> [wrapped\n> text](${BASE}a)`],
      ['| a |\n|---|\n| [x](y) |', `| a |\n|---|\n| [x](${BASE}y) |`],
      ['[x](https://e.org/a) <https://e.org/b> [y](mailto:a@b.example) [z](//e.org)', null],
      ['[no](javascript:alert(1))', null],
    ] as const)
      assert.equal(write(text, { repositoryUrl: null }), expected ?? text);
    assert.equal(write('[x](y)', NOTHING), '[x](y)');
  });

  it('links by reference have their URL, and the definitions are gone', () => {
    const text =
      '[One][a], [two *b*][], [a], ![pic][a] and [none][x].\n\n[a]: one.md \'Its "title"\'\n[two *b*]:\n  https://e.org/2';
    const url = `(${BASE}one.md "Its \\"title\\"")`;
    assert.equal(
      write(text),
      `[One]${url}, [two *b*](https://e.org/2), [a]${url}, ![pic]${url} and [none][x].\n`,
    );
    assert.equal(write('[a]\n\n[a]: https://e.org', NOTHING), '[a](https://e.org)\n');
  });

  it('numbers, names and hashes are links to the repository, unless they are code, links or escaped', () => {
    assert.equal(
      write('Fixes #12 by @ada in 1a2b3c4.'),
      `Fixes [#12](${REPOSITORY}/issues/12) by [@ada](https://github.com/ada) in [1a2b3c4](${REPOSITORY}/commit/1a2b3c4).`,
    );
    for (const text of [
      '`#12`, \\#12, [see #12](https://e.org), <https://e.org/#12>, https://e.org/?to=@ada',
      '```\n#12\n```',
      'Text.\n\n    #12 [x](y)',
      '~~~\n[x](y)\n~~~',
      '<a href="https://e.org">#12</a>',
      '![#12](https://e.org/a.png)',
    ])
      assert.equal(write(text), text);
    assert.equal(write('Fixes #12.', { repositoryUrl: null }), 'Fixes #12.');
  });

  it('headings are below those of versions, in their order', () => {
    assert.equal(
      write('# A\n\n## B #\n\nC\n=\n\nD\nd\n---', NOTHING),
      '### A\n\n#### B #\n\n### C\n\n#### D d',
    );
    assert.equal(write('### A\n\n###### B', NOTHING), '### A\n\n###### B');
    assert.equal(write('> # A', NOTHING), '> ### A');
    assert.equal(write('# A\n\n###### B', NOTHING), '### A\n\n###### B');
    assert.equal(write('```sh\n# not a heading\n```', NOTHING), '```sh\n# not a heading\n```');
  });

  it('without links, whatever it is, the text is shown as before', () => {
    fc.assert(
      fc.property(hostile(), (text) => {
        // A break in an underlined heading becomes a space.
        fc.pre(!/^[\s>]*(?:=+|-+)\s*$/m.test(text));
        const withoutHeadings = (html: string) => html.replaceAll(/<(\/?)h\d>/g, '<$1h>');
        const written = writeForElsewhere(text, NOTHING);
        assert.equal(
          withoutHeadings(markdown.render(written)).trim(),
          withoutHeadings(markdown.render(text)).trim(),
        );
      }),
    );
  });

  it('very many references to a long URL stay as written', () => {
    const text = `${'[a]'.repeat(600)}\n\n[a]: https://e.org/${'x'.repeat(900)}`;
    assert.equal(write(text), text);
  });
});
