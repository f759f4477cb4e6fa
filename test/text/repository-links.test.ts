import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { referencesIn } from '../../src/text/links.ts';
import { anyHtml, anyMarkdown } from '../../support/content/any-texts.ts';
import { renderMarkdown } from '../../support/content/texts.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';

const REPOSITORY = 'https://github.com/acme/rocket';
const LINK = /<a href="([^"]*)" rel="noopener nofollow">([^<]*)<\/a>/g;

const linked = (text: string, repositoryUrl: string | null = REPOSITORY) =>
  renderMarkdown(text, { repositoryUrl });
/** What is linked, and where to. */
const linksIn = (text: string, repository = REPOSITORY) =>
  [...linked(text, repository).matchAll(LINK)].map(([, url, name]) => [name, url]);

describe('links to a repository', () => {
  it('issues, people and commits are linked', () => {
    assert.deepEqual(linksIn('Fixes #412 (abc1234) by @ada-l, see (#7).'), [
      ['#412', `${REPOSITORY}/issues/412`],
      ['abc1234', `${REPOSITORY}/commit/abc1234`],
      ['@ada-l', 'https://github.com/ada-l'],
      ['#7', `${REPOSITORY}/issues/7`],
    ]);
    for (const text of [
      '#1',
      '#1234567',
      '**#1**',
      '- #1',
      'a\n#1',
      '#1: a',
      '#1, a',
      '"#1"',
      '修复#1。',
      '#1–#',
    ])
      assert.equal(linksIn(text).length, 1, text);
    for (const text of ['@a', '@a.', '@a, b', '(@a)', '@a: b', '@A1-b', `@${'a'.repeat(39)}`, '*@a*', '@a…'])
      assert.equal(linksIn(text).length, 1, text);
    for (const text of ['0123abc', '`a` a1b2c3d.', `(${'a1'.repeat(20)})`, 'a1b2c3d, b'])
      assert.equal(linksIn(text).length, 1, text);
  });

  it('each host has its own URLs', () => {
    for (const [repository, ...urls] of [
      ['https://codeberg.org/acme/rocket/', 'https://codeberg.org/acme/rocket/issues/1', '/commit/a1b2c3d'],
      ['https://git.acme.example/r.git', 'https://git.acme.example/r/issues/1', '/r/commit/a1b2c3d'],
      ['https://gitlab.com/a/b/c', 'https://gitlab.com/a/b/c/-/issues/1', '/a/b/c/-/commit/a1b2c3d'],
      ['https://gitlab.acme.example/a/b', 'https://gitlab.acme.example/a/b/-/issues/1', '/-/commit/a1b2c3d'],
      ['https://bitbucket.org/a/b', 'https://bitbucket.org/a/b/issues/1', '/a/b/commits/a1b2c3d'],
    ] as const) {
      const found = linksIn('#1 a1b2c3d @ada', repository).map(([, url]) => url as string);
      for (const [index, url] of [...urls, `${new URL(repository).origin}/ada`].entries())
        assert.ok(found[index]?.endsWith(url), `${found[index]} ${url}`);
    }
  });

  it('what only looks like a reference stays as written', () => {
    for (const text of [
      ...[
        '#fff',
        '#0',
        '#012',
        '#12345678',
        '#12ab',
        'C#',
        'C#1',
        'a#1',
        '\\##1',
        'a/#1',
        'acme/rocket#1',
        '#1_',
      ],
      ...[
        'a@b.c',
        'a@b',
        '@acme/rocket',
        '@acme.example',
        '@a_b',
        '@-a',
        '@a--b',
        '@a@b.example',
        `@${'a'.repeat(40)}`,
      ],
      ...[
        '@é',
        '@aé',
        'é@a',
        '1234567',
        'deadbeef',
        'abc123',
        'A1B2C3D',
        `${'a1'.repeat(20)}b`,
        '0x1234abcd',
      ],
      ...[
        '550e8400-e29b-41d4-a716-446655440000',
        '1.0.0-a1b2c3d',
        'a1b2c3d.tar',
        'x/a1b2c3d',
        '#a1b2c3d',
        'a1b2c3dé',
      ],
      ...[
        "it's &#39; &amp;#39; \\&#39; & < >",
        '&#8203;1',
        '`#1 @a a1b2c3d`',
        '```\n#1 @a\n```',
        '    #1 @a',
      ],
    ])
      assert.equal(linked(text), renderMarkdown(text), text);
  });

  it('existing links, images and URLs stay as written', () => {
    for (const text of [
      '[#1](https://a.example) [@a](b "#2") [](#3)',
      'https://a.example/#1 https://a.example/@a/a1b2c3d <https://a.example/@a>',
      '![#1](https://a.example/@a "@b a1b2c3d") [**#1** `@a`](c)',
    ])
      assert.equal(linked(text), renderMarkdown(text), text);
    assert.deepEqual(
      linksIn('[a](b) #1 `#2` [#3](c) #4').map(([name]) => name),
      ['a', '#1', '#3', '#4'],
    );
  });

  it('nothing is linked without a repository, nor to one that SQL has made unsafe', () => {
    for (const repository of [
      ...['', 'acme/rocket', 'http://git.example/a', 'javascript:alert(1)//', '//git.example/a', 'https://'],
      ...[
        'https://a:b@git.example/a',
        'https://git.example/a\n',
        ' https://git.example/a',
        'data:text/html,a',
      ],
    ]) {
      assert.equal(linked('#1 @a a1b2c3d', repository), '<p>#1 @a a1b2c3d</p>', repository);
      assert.deepEqual(referencesIn('#1', repository), []);
    }
    assert.equal(linked('#1', null), '<p>#1</p>');
    const hostile = `https://git.example/"><script>alert(1)</script>&'`;
    assert.equal(/["<>]/.test(linksIn('#1', hostile)[0]?.[1] ?? '"'), false);
    assert.equal(linked('#1', hostile).includes('<script'), false);
  });

  it('keep their own direction among words from right to left', () => {
    assert.equal(
      renderMarkdown('תוקן (#412)', { repositoryUrl: 'https://git.example/a', language: 'he' }),
      '<p>תוקן (<a href="https://git.example/a/issues/412" rel="noopener nofollow" dir="ltr">#412</a>)</p>',
    );
    assert.doesNotMatch(linked('#412'), /dir=/);
  });

  it('only adds links: without them, any text is as written', () => {
    const pieces = ['#1', ' #1', ' @a', ' a1b2c3d ', '`', '[', '](b)', '<', '&', ' <a>', '</a>', '<code>'];
    const dense = fc.array(fc.constantFrom(...pieces)).map((some) => some.join(''));
    const check = (text: string) => {
      const html = renderMarkdown(text);
      const link = /<a href="https:\/\/github.com\/[^"]*" rel="noopener nofollow">(.*?)<\/a>/g;
      assert.equal(linked(text).replaceAll(link, '$1'), html);
    };
    fc.assert(fc.property(fc.oneof(anyMarkdown(), anyHtml()), check), { numRuns: 300 });
    fc.assert(fc.property(dense, check), { numRuns: 300 });
    PAYLOADS.forEach(check);
  });

  it('a text of nothing but references stays as written if a long URL would multiply its length', () => {
    const long = `https://git.example/${'a'.repeat(500)}`;
    for (const piece of ['#1 ', '@a ', 'a1b2c3d ']) {
      const text = piece.repeat(4_000);
      assert.equal(linked(text, long).length > 200 * text.length, false, piece);
    }
    assert.match(linked('#1', long), /<a /);
    assert.match(linked('#1 '.repeat(1_000)), /<a /);
  });
});
