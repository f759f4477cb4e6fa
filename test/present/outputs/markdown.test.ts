import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { SIGNATURE } from '../../../src/domain/content/changelog-markdown.ts';
import type { ChangeContent, VersionContent } from '../../../src/domain/content/content.ts';
import { CHANGE_TYPES, type ChangeType, VERSION_STATES } from '../../../src/domain/model.ts';
import { rowOf } from '../../../src/present/changelog.ts';
import {
  writeGroupedVersion,
  writeMarkdownHead,
  writeMarkdownVersion,
} from '../../../src/present/outputs/markdown.ts';
import { hostile } from '../../support/hostile-markdown.ts';
import { codeBlock } from '../../support/markdown.ts';
import { readChangelog } from '../../support/read-changelog.ts';

const markdown = new MarkdownIt({ html: true });

const LABEL_CHARACTERS_MAX = 128;
const label = () =>
  fc.oneof(
    fc.constantFrom('Unreleased', '[Unreleased]', '2026-05-04', '1.0.0 - 2026-05-04', '[YANKED]', ']'),
    hostile(1)
      .map((text) => text.replaceAll(/\p{Cc}/gu, ' ').trim())
      .filter((text) => text !== '' && text.length <= LABEL_CHARACTERS_MAX),
  );
const COMPARISONS = [
  'https://rocket.example/compare/v2.0.0...v2.1.0',
  'http://rocket.example/#',
  'https://rocket.example/?a_b*c~d`e[f]g&amp;&#27;',
  `https://rocket.example/${'a'.repeat(2_000)}`,
];
const moment = () =>
  fc.oneof(
    fc.constant('2026-05-04T00:00:00.000Z'),
    fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  );
const version = (): fc.Arbitrary<VersionContent> =>
  fc
    .record({
      status: fc.constantFrom(...VERSION_STATES),
      version: label(),
      title: hostile(),
      publishedAt: fc.option(moment()),
      description: fc.option(hostile()),
      yanked: fc.boolean(),
      links: fc.constantFrom(undefined, ...COMPARISONS.map((compare) => ({ compare }))),
      changes: fc.array(
        fc.record({ type: fc.constantFrom(...CHANGE_TYPES), text: hostile(1), breaking: fc.boolean() }),
        { maxLength: 4 },
      ),
    })
    .map(({ links, ...fields }) => ({ ...fields, ...(links !== undefined && { links }) }))
    // A published version has a date.
    .filter(({ status, publishedAt }) => status === 'draft' || publishedAt !== null);

describe('CHANGELOG.md', () => {
  it('CHANGELOG.md looks as shown in docs/feeds.md, and can be imported', () => {
    const versions = [
      of({
        version: '3.0.0',
        title: 'Next',
        status: 'draft',
        publishedAt: null,
        description: null,
        changes: [
          change('fixed', 'A leak.'),
          change('added', 'A second stage.'),
          change('fixed', 'A rattle.'),
        ],
      }),
      of({
        links: { compare: 'https://rocket.example/compare/v2.0.0...v2.1.0' },
        changes: [
          change('added', 'A countdown.\n\nIt beeps.', true),
          change('added', 'Stages:\n\n- ignition\n- lift-off\n'),
          change('fixed', '| Leak | Since |\n|------|-------|\n| fuel | 2.0.0 |'),
          change('fixed', 'A typo in:\n\n~~~\n# launch\n~~~'),
        ],
      }),
      of({
        version: '2.0.0',
        title: '',
        publishedAt: '2026-02-01T00:00:00.000Z',
        description: '## Before you upgrade\n\nEmpty the tank.',
      }),
      of({
        version: '1.0.0',
        title: 'Lift-off',
        publishedAt: '2025-01-01T00:00:00.000Z',
        description: null,
        yanked: true,
      }),
    ];
    const document = readFileSync(path.resolve(import.meta.dirname, '../../../docs/feeds.md'), 'utf8');
    const [, shape = ''] = document.split('\n## The shape of CHANGELOG.md\n');
    const shown = codeBlock(shape, 'markdown');
    assert.equal(write(versions), shown);
    assert.deepEqual(readChangelog(shown).versions, versions.map(asRead));
  });

  it('a changelog without versions has a heading and an introduction', () => {
    assert.deepEqual(readChangelog(write([])), {
      name: 'Rocket changelog',
      description: null,
      versions: [],
    });
  });

  it('the public CHANGELOG.md has a section for breaking changes, then one per type', () => {
    const changes = [
      change('fixed', 'c'),
      change('added', 'a'),
      change('fixed', 'd', true),
      change('other', 'e', true),
      change('added', 'b'),
    ];
    const rows = changes.map((one) => ({ ...one, id: 'chg_1', breaking: one.breaking ? 1 : 0 }) as const);
    const { version: label, ...fields } = of({});
    const grouped = writeGroupedVersion({
      ...fields,
      updatedAt: '',
      compareUrl: null,
      image: null,
      id: 'ver_1',
      label,
      yanked: 0,
      changes: rows,
    });
    assert.match(
      grouped,
      /### Breaking changes\n\n- \*\*Fixed:\*\* d\n- \*\*Other:\*\* e\n\n### Added\n\n- a\n- b\n\n### Fixed\n\n- c$/,
    );
    const written = write([of({ changes })]);
    for (const text of [written, written.replace(SIGNATURE, '')])
      assert.deepEqual(readChangelog(text).versions[0]?.changes, changes);
  });

  it('breaking changes are read back as earlier versions wrote them, in the section of their type', () => {
    const written = `${writeMarkdownHead('Rocket changelog', null)}\n\n## [2.0.0] - 2026-02-01\n\n### Added\n\n- a\n- **Breaking:** b\n- **Breaking:**\n\n  - c\n`;
    assert.deepEqual(readChangelog(written).versions[0]?.changes, [
      change('added', 'a'),
      change('added', 'b', true),
      change('added', '- c', true),
    ]);
  });

  it('the paragraphs, code, lists and tables of a change are preserved', () => {
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
      ['Heading\n===', '<h1>Heading</h1>'],
      ['---', '<hr>'],
      ['[x][]\n\n[x]: /y', '<a href="/y">x</a>'],
    ] as const) {
      for (const breaking of [false, true]) {
        const written = write([
          of({ changes: [change('added', text, breaking), change('added', 'After.')] }),
        ]);
        assert.ok(markdown.render(written).includes(html), written);
        assert.deepEqual(readChangelog(written).versions[0]?.changes, [
          { type: 'added', breaking, text },
          { type: 'added', breaking: false, text: 'After.' },
        ]);
      }
    }
  });

  it('a description of plain paragraphs is written verbatim, any other as a block quote', () => {
    for (const text of ['One.', '**One** [two](/x)\nthree  \nfour.\n\n`five`', '2.0 is :tada: -\n\n*here*.'])
      assert.ok(write([of({ description: text })]).endsWith(`\n\n${text}\n`), text);
    assert.ok(write([of({ description: 'One.\n' })]).endsWith('\n\nOne.\n\n<!-- end -->\n'));
    for (const text of ['- one', '', ' ', 'One.\n\n\nTwo.', '1. one', 'a | b\n-|-', '[x]: /y', '[x\ny]: /z'])
      assert.match(write([of({ description: text })]), /\n\n<!-- quoted -->\n\n> ?/, text);
    const text = write([of({ description: 'See:\n\n## [9.9.9] - 2026-01-01\n\n### Added\n\n- x' })]);
    assert.match(text, /^> ## \[9\.9\.9\] - 2026-01-01$/m);
    assert.equal(readChangelog(text).versions.length, 1);
  });

  it('code that is not closed ends with its change', () => {
    const versions = [
      of({ changes: [change('added', '~~~## '), change('added', '~~~## \n\n')] }),
      of({ version: '1.0.0' }),
    ];
    assert.deepEqual(readChangelog(write(versions)).versions, versions.map(asRead));
  });

  it('an imported CHANGELOG.md equals its source, whatever the texts', () => {
    fc.assert(
      fc.property(
        hostile(1),
        fc.option(hostile()),
        fc.uniqueArray(version(), { maxLength: 3, selector: (one) => one.version.toWellFormed() }),
        (name, description, versions) => {
          const expected = {
            name: name.toWellFormed(),
            description: description === null ? null : normal(description),
            versions: versions.map(asRead),
          };
          assert.deepEqual(readChangelog(write(versions, name, description)), expected);
        },
      ),
      { numRuns: 500, examples: [['[Unreleased]', 'Not a draft.', [of({ version: '1.0.0' })]]] },
    );
  });
});

function write(
  versions: readonly VersionContent[],
  name = 'Rocket changelog',
  description: string | null = null,
): string {
  return `${[writeMarkdownHead(name, description), ...versions.map((version) => writeMarkdownVersion(rowOf(version)))].join('\n\n')}\n`;
}

function of(fields: Partial<VersionContent>): VersionContent {
  return {
    version: '2.1.0',
    title: 'Faster launches',
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    description: 'Uploads *overlap*.',
    yanked: false,
    changes: [],
    ...fields,
  };
}

function change(type: ChangeType, text: string, breaking = false): ChangeContent {
  return { type, text, breaking };
}

const normal = (text: string) => text.toWellFormed().replaceAll(/\r\n?/g, '\n');

/** Line ends are normalized, and lone surrogates are replaced. */
function asRead({ version, title, description, changes, ...fields }: VersionContent): VersionContent {
  return {
    ...fields,
    version: version.toWellFormed(),
    title: title.toWellFormed(),
    description: description === null ? null : normal(description),
    changes: changes.map((change) => ({ ...change, text: normal(change.text) })),
  };
}
