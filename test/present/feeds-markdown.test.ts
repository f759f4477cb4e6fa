import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { CHANGE_TYPES } from '../../src/domain/model.ts';
import { writeMarkdown, writeMarkdownVersion } from '../../src/present/feeds/markdown.ts';
import { placeFeed } from '../../src/present/feeds/place.ts';
import type { FullVersion } from '../../src/store/pages.ts';
import type { HeadRow } from '../../src/store/reads.ts';
import { codeBlock } from '../support/markdown.ts';
import { type ReadVersion, readChangelog } from './read-changelog.ts';

const markdown = new MarkdownIt({ html: true });

/** What could be taken for something else than words. */
const FRAGMENTS = [
  ...[
    '## ',
    '### Added',
    '# ',
    '## [9.9.9] - 2026-01-01',
    '===',
    '---',
    '--',
    '-',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '> ',
  ],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\t',
    '    ',
    ' ',
    '```',
    '~~~',
    '<!--',
    '-->',
    '<!-- -->',
    '<!-- untitled -->',
  ],
  ...[
    '<pre>',
    '<script>',
    '</div>',
    '**Breaking:**',
    '**bold**',
    '*',
    '_',
    '`',
    '[2.1.0]',
    '[2.1.0]: /x',
    '](',
    '|',
  ],
  ...[
    '&amp;',
    '&#10;',
    '\\',
    'word',
    'слово',
    '\u202e',
    '\u2028',
    '<!-- 2026-05-04T09:00:00.000Z -->',
    '\ud800',
  ],
];
const hostile = (minLength = 0) =>
  fc.array(fc.constantFrom(...FRAGMENTS), { minLength, maxLength: 8 }).map((parts) => parts.join(''));
const label = () =>
  hostile(1)
    .map((text) => text.replaceAll(/[\r\n\t]/g, ' ').trim())
    .filter((text) => text !== '');
const moment = () =>
  fc.oneof(
    fc.constant('2026-05-04T00:00:00.000Z'),
    fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  );
const version = (): fc.Arbitrary<FullVersion> =>
  fc.record({
    id: fc.constant('ver_1'),
    status: fc.constant('published' as const),
    label: label(),
    title: hostile(),
    publishedAt: moment(),
    description: fc.option(hostile()),
    yanked: fc.constantFrom(0 as const, 1 as const),
    changes: fc.array(
      fc.record({
        id: fc.constant('chg_1'),
        type: fc.constantFrom(...CHANGE_TYPES),
        text: hostile(1),
        breaking: fc.constantFrom(0 as const, 1 as const),
      }),
      { maxLength: 4 },
    ),
  });

describe('CHANGELOG.md', () => {
  it('is what docs/feeds.md shows, and reads back', () => {
    const versions = [
      of({
        changes: [
          change('fixed', '| Leak | Since |\n|------|-------|\n| fuel | 2.0.0 |'),
          change('added', 'A countdown.\n\nIt beeps.', 1),
          change('added', 'Stages:\n\n- ignition\n- lift-off'),
        ],
      }),
      of({
        label: '2.0.0',
        title: '',
        publishedAt: '2026-02-01T00:00:00.000Z',
        description: '## Before you upgrade\n\nEmpty the tank.',
      }),
      of({
        label: '1.0.0',
        title: 'Lift-off',
        publishedAt: '2025-01-01T00:00:00.000Z',
        description: null,
        yanked: 1,
      }),
    ];
    const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/feeds.md'), 'utf8');
    const [, shape = ''] = document.split('\n## The shape of CHANGELOG.md\n');
    const shown = codeBlock(shape, 'markdown');
    assert.equal(write(versions), shown);
    assert.deepEqual(readChangelog(shown).versions, versions.map(asRead));
  });

  it('is a heading and a line where there is no version', () => {
    assert.deepEqual(readChangelog(write([])), { name: 'Rocket changelog', versions: [] });
  });

  it('keeps what a change is made of: paragraphs, code, lists, tables', () => {
    for (const [text, html] of [
      ['A.\n\nB.', '<p>B.</p>'],
      ['A:\n\n```sh\n# x\n\trun\n```', '<pre><code class="language-sh"># x\n\trun\n</code></pre>'],
      ['```\ncode\n```', '<pre><code>code\n</code></pre>'],
      ['A:\n\n    code', '<pre><code>code\n</code></pre>'],
      ['A:\n\n\tcode', '<pre><code>code\n</code></pre>'],
      ['    code', '<pre><code>code\n</code></pre>'],
      ['A:\n\n- b\n  - c', '<ul>\n<li>b\n<ul>\n<li>c</li>'],
      ['- b\n- c', '<ul>\n<li>b</li>\n<li>c</li>\n</ul>'],
      ['| a |\n|---|\n| b |', '<table>'],
      ['a | b\n--- | ---\nc | d', '<th>a</th>'],
      ['## Heading', '<h2>Heading</h2>'],
      ['---', '<hr>'],
    ] as const) {
      for (const breaking of [0, 1] as const) {
        const written = write([
          of({ changes: [change('added', text, breaking), change('added', 'After.')] }),
        ]);
        assert.ok(markdown.render(written).includes(html), written);
        assert.deepEqual(readChangelog(written).versions[0]?.changes, [
          { type: 'added', breaking: breaking === 1, text },
          { type: 'added', breaking: false, text: 'After.' },
        ]);
      }
    }
  });

  it('leaves a description as it was written, and quotes one that could be taken for sections', () => {
    assert.match(write([of({ description: 'One.\n\n- two\n' })]), /\n\nOne\.\n\n- two\n\n$/);
    const text = write([of({ description: 'See:\n\n## [9.9.9] - 2026-01-01\n\n### Added\n\n- x' })]);
    assert.match(text, /^> ## \[9\.9\.9\] - 2026-01-01$/m);
    assert.equal(readChangelog(text).versions.length, 1);
  });

  it('reads back as what it was made from, whatever the texts are', () => {
    fc.assert(
      fc.property(hostile(1), fc.array(version(), { maxLength: 3 }), (name, versions) => {
        const expected = { name: name.toWellFormed(), versions: versions.map(asRead) };
        assert.deepEqual(readChangelog(write(versions, name)), expected);
      }),
      { numRuns: 500 },
    );
  });
});

function write(versions: readonly FullVersion[], name = 'Rocket changelog'): string {
  const head = {
    changelogId: 'cl_1',
    changelogName: name,
    productName: 'Rocket',
    teamName: 'Acme',
  } as HeadRow;
  const place = placeFeed(head, { name: 'CHANGELOG.md', changelogUrl: 'http://x', updatedAt: null });
  return writeMarkdown(place, versions.map(writeMarkdownVersion));
}

function of(fields: Partial<FullVersion>): FullVersion {
  return {
    id: 'ver_1',
    label: '2.1.0',
    title: 'Faster launches',
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    description: 'Uploads *overlap*.',
    yanked: 0,
    changes: [],
    ...fields,
  };
}

function change(type: 'added' | 'fixed', text: string, breaking: 0 | 1 = 0) {
  return { id: 'chg_1', type, text, breaking };
}

/** Ends of lines become one kind, what is not text becomes a sign for that, and sections have their order. */
function asRead(version: FullVersion): ReadVersion {
  const normal = (text: string) => text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  const { description } = version;
  return {
    label: version.label.toWellFormed(),
    publishedAt: version.publishedAt as string,
    yanked: version.yanked === 1,
    title: version.title.toWellFormed(),
    description: description === null || description.trim() === '' ? null : normal(description),
    changes: CHANGE_TYPES.flatMap((wanted) => version.changes.filter(({ type }) => type === wanted)).map(
      ({ type, text, breaking }) => ({ type, breaking: breaking === 1, text: normal(text) }),
    ),
  };
}
