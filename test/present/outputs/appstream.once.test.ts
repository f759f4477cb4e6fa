import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { toAppStreamMarkup } from '../../../src/present/outputs/appstream.ts';
import { parseText } from '../../../src/text/parse.ts';
import { HIDDEN, HIDDEN_PATHS, PUBLIC_FEED } from '../../../support/content/world.ts';
import { apply } from '../../../support/program/command.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const written = (markdown: string) => toAppStreamMarkup(parseText(markdown).nodes).replaceAll('\n', '');

/** What AppStream allows, tag by tag: paragraphs and lists of items, and one mark inside them. */
const TEXT = '(?:[^<&]|&(?:amp|lt|gt|quot|#39|#13);|<(em|code)>[^<]+</\\1>)+';
const ALLOWED = new RegExp(
  `^(?:<p>${TEXT}</p>|<([uo]l)>(?:<li>${TEXT.replaceAll('\\1', '\\3')}</li>)+</\\2>)*$`,
);

const CASES: Record<string, readonly [markdown: string, expected: string]> = {
  'paragraphs and headings': ['# Top\n\nOne\ntwo.', '<p><em>Top</em></p><p>One two.</p>'],
  'a flat list of all items of nested ones': [
    '1. one\n   - two\n     1. three\n2. four',
    '<ol><li>one</li><li>two</li><li>three</li><li>four</li></ol>',
  ],
  'the paragraphs of an item as one': ['- one\n\n  two\n\n  > three', '<ul><li>one two three</li></ul>'],
  'one mark at a time': [
    '**bold *and* `code`** and `code`, ~~gone~~',
    '<p><em>bold and </em><code>code</code> and <code>code</code>, gone</p>',
  ],
  'links by their text, and URLs without a scheme': [
    '[guide](https://x.example/g), <https://y.example/a?b=1&c=2> and `curl http://z.example`',
    '<p>guide, y.example/a?b=1&amp;c=2 and <code>curl z.example</code></p>',
  ],
  'images by their alternative text': ['![A *chart*](https://x.example/c.png) ![](x.png)', '<p>A chart</p>'],
  'a line of code as a paragraph': [
    '```sh\na <b>\n\n  c\n```\n\nend',
    '<p><code>a &lt;b&gt;</code></p><p><code> c</code></p><p>end</p>',
  ],
  'code in an item as part of it': [
    '- run\n  ```\n  a\n  b\n  ```',
    '<ul><li>run <code>a</code> <code>b</code></li></ul>',
  ],
  'rows of a table as items': [
    '| a | b |\n|---|---|\n| 1 | |\n| | 2 |',
    '<ul><li><em>a</em> | <em>b</em></li><li>1 |</li><li>2</li></ul>',
  ],
  'HTML as the same marks, and nothing of a script': [
    '<b>a</b> <kbd>b</kbd><br>c<script>alert(1)</script>\n\n<dl><dt>d<dd>e</dl>',
    '<p><em>a</em> <code>b</code></p><p>c</p><p><em>d</em></p><p>e</p>',
  ],
  'nothing for rules, comments of spaces and empty items': ['---\n\n-\n\n&nbsp;\n\n[](x)', ''],
};

describe('the description of an AppStream release (R58)', () => {
  for (const [name, [markdown, expected]] of Object.entries(CASES))
    it(`has ${name}`, () => assert.equal(written(markdown), expected));

  it('has only the markup that AppStream allows, without empty elements, whatever the text', () => {
    const piece = fc.constantFrom(
      ...[
        '- a\n',
        '  - b\n',
        '1. c\n',
        '> ',
        '**',
        '*',
        '`',
        '~~',
        '\n',
        '\n\n',
        '    ',
        '```\n',
        '# ',
        '---\n',
      ],
      ...['| a | b |\n|---|---|\n| 1 | 2 |\n', '![x](y)', '[z](http://w.example)', 'http://u.example'],
      ...[
        '<b>',
        '</b>',
        '<kbd>',
        '<br>',
        '<table><tr><td>',
        '</table>',
        '<ul>',
        '<li>',
        '<details>',
        '<dl><dd>',
      ],
      ...[
        '&amp;',
        '\\',
        '\u0001',
        '\ufffe',
        'תיקון',
        '🚀',
        '\u00a0',
        '\u200b',
        'word ',
        '&#1;',
        '<!-- c -->',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const markup = written(pieces.join(''));
        assert.match(markup, ALLOWED);
        assert.doesNotMatch(markup, /https?:\/\/|<\w+>\s*<\/|\p{Cc}|\ufffe/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('releases.xml (R58)', () => {
  const suite = suiteWithWorld({ BASE_URL: 'https://changes.example.com' });
  const version = (label: string, day: number, changes: object[] = []) => ({
    version: label,
    title: '',
    status: 'published',
    publishedAt: new Date(day * 86_400_000).toISOString(),
    changes,
  });
  const fix = (text: string) => ({ type: 'security', text });
  const product = (slug: string, versions: object[]) => ({
    slug,
    name: slug,
    status: 'published',
    changelog: { status: 'published', versions },
  });
  before(() =>
    apply(suite.sandbox, {
      team: { slug: 'store', name: 'Store', visibility: 'public' },
      products: [
        product('app', [
          version('v1.9.1', 9, [fix('CVE-2026-12345 and cve-2026-0001, again CVE-2026-0001, not CVE-26-1.')]),
          version('2.0.0', 8, [{ type: 'added', text: 'About CVE-2020-1111.' }]),
          version('2.0.0-rc.1', 7),
          version('1.9.0+build-1', 6),
        ]),
        product('named', [version('"winter" & <b>', 3), version('2.0.0', 2), version('autumn', 1)]),
        product(
          'long',
          Array.from({ length: 60 }, (_, index) => version(`1.${index}.0`, index)),
        ),
      ],
    }),
  );

  const read = async (path: string) => {
    const response = await suite.app.inject(path);
    assert.equal(response.statusCode, 200, response.body);
    return response;
  };
  const releasesOf = async (slug: string, query = '') => {
    const { body } = await read(`/api/v1/public/teams/store/products/${slug}/changelog/releases.xml${query}`);
    return [...body.matchAll(/<release ([^>]*)>(.*?)<\/release>/gs)].map(([, head = '', content = '']) => ({
      head,
      content,
    }));
  };
  const versionsIn = (releases: readonly { head: string }[]) =>
    releases.map(({ head }) => /^version="([^"]*)"/.exec(head)?.[1]);

  it('has the version, type, day, page and text of each', async () => {
    const { headers, body } = await read(`${PUBLIC_FEED}/releases.xml`);
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8');
    assert.ok(
      body.startsWith(
        [
          '<?xml version="1.0" encoding="utf-8"?>',
          '<releases>',
          '<release version="2.1.0" type="stable" date="2026-05-04">',
          '<url type="details">https://changes.example.com/changelog/acme/rocket/versions/2.1.0</url>',
          '<description>',
          '<p>Optional <em>Markdown</em>.</p>',
        ].join('\n'),
      ),
      body,
    );
    assert.ok(!body.includes(HIDDEN));
  });

  it('has the highest version first, prereleases as AppStream sorts them', async () => {
    const releases = await releasesOf('app');
    assert.deepEqual(versionsIn(releases), ['2.0.0', '2.0.0~rc.1', '1.9.1', '1.9.0+build-1']);
    assert.deepEqual(
      releases.map(({ head }) => /type="(\w+)"/.exec(head)?.[1]),
      ['stable', 'development', 'stable', 'stable'],
    );
    assert.match(String(releases[2]?.content), /\/versions\/v1\.9\.1</);
  });

  it('keeps labels that are not versions, newest first', async () => {
    assert.deepEqual(versionsIn(await releasesOf('named')), [
      '&quot;winter&quot; &amp; &lt;b&gt;',
      '2.0.0',
      'autumn',
    ]);
  });

  it('security fixes are critical, and name their CVEs', async () => {
    const [stable, , fixed, ...others] = await releasesOf('app');
    const issues = (content = '') => content.match(/<issue type="cve">[^<]*/g) ?? [];
    assert.match(String(fixed?.head), / urgency="critical"$/);
    assert.deepEqual(
      issues(fixed?.content).map((issue) => issue.slice('<issue type="cve">'.length)),
      ['CVE-2026-12345', 'CVE-2026-0001'],
    );
    for (const other of [stable, ...others]) {
      assert.doesNotMatch(String(other?.head), /urgency/);
      assert.deepEqual(issues(other?.content), []);
    }
  });

  it('has the newest 50, and takes the filters of feeds', async () => {
    const labels = Array.from({ length: 50 }, (_, index) => `1.${59 - index}.0`);
    assert.deepEqual(versionsIn(await releasesOf('long')), labels);
    assert.deepEqual(versionsIn(await releasesOf('app', '?prerelease=false&from=1.9.1')), ['2.0.0']);
  });

  it('is not linked on pages or by feeds', async () => {
    for (const path of ['/changelog/acme/rocket', `${PUBLIC_FEED}/feed.rss`]) {
      const { body, headers } = await read(path);
      assert.ok(!`${body}${headers.link}`.includes('releases.xml'), path);
    }
  });

  it('is empty without versions, and 404 if hidden', async () => {
    const { body } = await read('/api/v1/public/teams/acme/products/new/changelog/releases.xml');
    assert.equal(body, '<?xml version="1.0" encoding="utf-8"?>\n<releases>\n</releases>\n');
    for (const path of HIDDEN_PATHS.filter((each) => each.endsWith('/changelog')))
      assert.equal((await suite.app.inject(`${path}/releases.xml`)).statusCode, 404);
  });
});
