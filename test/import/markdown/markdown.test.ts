// What becomes of other people's Markdown, by small changelogs of each kind.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VersionContent } from '../../../src/domain/content/content.ts';
import { Refusal } from '../../../src/errors.ts';
import { type ReadOptions, readChangelog } from '../../../src/import/read.ts';

describe('a Markdown changelog', () => {
  it('fields at the top of a page are left out; a separator is not', () => {
    const versions = '# Rocket\n\nNews.\n\n## 1.0.0 - 2026-05-04\n\n- Added a countdown.\n';
    const plain = read(versions);
    assert.equal(plain.description, 'News.');
    const fields =
      '---\ntitle: "Rocket news"\ndescription: |\n  All changes\n\n  ---\nsidebar_position: 2\n---\n';
    assert.deepEqual(read(`${fields}\n${versions}`), plain);
    assert.deepEqual(read(fields + versions), plain);
    assert.match(read(`---\nNote: no end\n\n${versions}`).description ?? '', /no end/);
    assert.match(read(`---\nA text\n---\n\n${versions}`).description ?? '', /A text/);
  });

  it('roles of MyST are read as in reStructuredText, but not in code', () => {
    for (const [written, expected] of [
      ['See {pr}`3509`, {issue}`12` by {user}`ada`', 'See #3509, #12 by @ada'],
      ['{func}`a.b` and {class}`~c.D`', '`a.b` and `D`'],
      ['{unknown}`1` and \\{pr}`2`', '{unknown}`1` and \\{pr}`2`'],
      ['`` {pr}`1` `` and {pr}`2`', '`` {pr}`1` `` and #2'],
      ['`a` {pr}`3` `` `b', '`a` #3 `` `b'],
    ] as const)
      assert.deepEqual(
        read(`# A\n\n## 1.0.0 - 2026-05-04\n\n### Added\n\n- ${written}\n`).versions[0]?.changes.map(
          ({ text }) => text,
        ),
        [expected],
      );
    const code = '```\n{pr}`1`\n```';
    assert.equal(read(`# A\n\n## 1.0.0\n\n${code}\n`).versions[0]?.description, code);
  });

  it('Keep a Changelog is read with types, drafts, yanked versions, breaking changes and links', () => {
    const { format, name, description, versions } = read(`# Rocket

## [Unreleased]

## [2.0.0] - 2026-05-04

Faster, see [the guide].

### Added
- A countdown ([#12]).
### Changed
- **Breaking:** The fuse, \`[#12]\`.
- **BREAKING**: the tank

## [1.0.0] - 2025-01-01 [YANKED]

[the guide]: https://x/guide
[#12]: https://x/12 "Twelve"
[2.0.0]: https://x/compare/v1.0.0...v2.0.0
[spare]:
  https://x/spare
`);
    assert.deepEqual([format, name], ['keep-a-changelog', 'Rocket']);
    assert.equal(description, '[spare]: https://x/spare');
    assert.deepEqual(versions, [
      version({ version: 'Unreleased', status: 'draft', publishedAt: null }),
      version({
        version: '2.0.0',
        description: 'Faster, see [the guide](https://x/guide).',
        links: { compare: 'https://x/compare/v1.0.0...v2.0.0' },
        changes: [
          change('added', 'A countdown ([#12](https://x/12 "Twelve")).'),
          change('changed', 'The fuse, `[#12]`.', true),
          change('changed', '**BREAKING**: the tank', true),
        ],
      }),
      version({
        version: '1.0.0',
        publishedAt: '2025-01-01T00:00:00.000Z',
        yanked: true,
        description: null,
      }),
    ]);
  });

  it('the names of unknown sections are kept in the texts', () => {
    const { versions } = read(`## 1.0.0 - 2026-05-04
### Launch pads
#### Server
- one
#### Client

Only words.
### Added
#### Speed:
- two
- | a |
  |---|
  | b |
### Empty
`);
    assert.deepEqual(versions[0]?.changes, [
      change('other', '**Launch pads / Server:** one'),
      change('other', '**Launch pads / Client:** Only words.'),
      change('added', '**Speed:** two'),
      change('added', '**Speed:**\n\n| a |\n|---|\n| b |'),
    ]);
    assert.equal(versions[0]?.description, '**Empty**');
  });

  it('the Markdown inside of list items is kept', () => {
    const items = [
      'one\n\nmore\n\n```sh\n## [9.9.9] - 2026-01-01\n```',
      'two\n- a\n  - b\n\n![x](y.png)',
      '| a |\n|---|\n| b |',
    ];
    for (const [marker, indent] of [
      ['- ', '  '],
      ['* ', '  '],
      ['+   ', '    '],
      ['10. ', '    '],
      ['-\t', '\t'],
      [' * ', '   '],
    ] as const) {
      const written = items.map((item) => marker + item.split('\n').join(`\n${indent}`)).join('\n');
      const { versions } = read(`## 1.0.0 - 2026-05-04\n\n### Fixed\n\n${written}\n`);
      assert.deepEqual(
        versions[0]?.changes.map(({ text }) => text),
        items,
        JSON.stringify(marker),
      );
    }
  });

  it('conventional-changelog is read with versions of three levels, scopes and breaking sections', () => {
    const { format, versions } = read(`# Changelog

# [2.0.0](https://x/compare/v1.1.0...v2.0.0) (2026-05-04)

### ⚠ BREAKING CHANGES

* **api:** gone

### Features

* **cli:** a flag ([abc](https://x/abc)), closes [#1](https://x/1)
* feat!: another

### Performance Improvements

* faster

## [1.1.0](https://x/compare/v1.0.0...v1.1.0) (2026-03-01)

**Note:** Version bump only

### [1.0.0](https://x/compare/v0.9.0...v1.0.0) (2026-01-01)

### Bug Fixes

* a leak
`);
    assert.equal(format, 'conventional');
    assert.deepEqual(
      versions.map((one) => [one.version, one.publishedAt?.slice(0, 10), one.changes]),
      [
        [
          '2.0.0',
          '2026-05-04',
          [
            change('changed', '**api:** gone', true),
            change('added', '**cli:** a flag ([abc](https://x/abc)), closes [#1](https://x/1)'),
            change('added', 'feat!: another', true),
            change('changed', '**Performance Improvements:** faster'),
          ],
        ],
        ['1.1.0', '2026-03-01', []],
        ['1.0.0', '2026-01-01', [change('fixed', 'a leak')]],
      ],
    );
    assert.equal(versions[1]?.description, '**Note:** Version bump only');
    assert.deepEqual(versions[1]?.links, { compare: 'https://x/compare/v1.0.0...v1.1.0' });
    // Nothing is added that nobody wrote.
    assert.equal(versions[2]?.description, null);
    assert.deepEqual(versions[2]?.links, { compare: 'https://x/compare/v0.9.0...v1.0.0' });
  });

  it('bold names count as headings if one is known, and lists without types as changes', () => {
    const { versions } = read(`## 1.1.0 - 2026-05-04

**Fixed**

- a

**Launch pads**

- b

Added:
- c

## 1.0.0 - 2026-01-01

- d

### Notes

- e
`);
    assert.deepEqual(
      versions.map(({ changes }) => changes),
      [
        [change('fixed', 'a'), change('other', '**Launch pads:** b'), change('added', 'c')],
        [change('other', 'd'), change('other', '**Notes:** e')],
      ],
    );
  });

  it('a changelog may change its format from one version to the next', () => {
    const { versions, description } = read(`## [2.0.0] - 2026-05-04
### Added
- a
### Fixed
### Features
- b
## [1.0.0](https://x/compare/v0.9.0...v1.0.0) (2026-01-01)
### Features
* c
# Older
See the archive of [1.0.0](https://x/[1.0.0]).
`);
    assert.deepEqual(
      versions.map(({ changes }) => changes),
      [[change('added', 'a'), change('added', 'b')], [change('added', 'c')]],
    );
    assert.equal(description, '# Older\nSee the archive of [1.0.0](https://x/[1.0.0]).');
  });

  it('changes that are marked as breaking are breaking', () => {
    const { versions } = read(`## 1.0.0 - 2026-05-04

### Breaking Changes
- a
### Breaking
- b
### Changed
- 💥 c
- _Breaking:_ d
- ⚠️ e
- ⚠️ **Breaking:** f
- \`[cli]\` [**BREAKING**] g
- [BC BREAK] h
- Breaking news are shown.
`);
    assert.deepEqual(versions[0]?.changes, [
      change('changed', 'a', true),
      change('changed', 'b', true),
      change('changed', '💥 c', true),
      change('changed', '_Breaking:_ d', true),
      change('changed', '⚠️ e'),
      change('changed', '⚠️ **Breaking:** f', true),
      change('changed', '`[cli]` [**BREAKING**] g', true),
      change('changed', '[BC BREAK] h', true),
      change('changed', 'Breaking news are shown.'),
    ]);
  });

  it('headings that may have been meant as versions cause warnings', () => {
    const { warnings, versions } = read('## 2.0.0\n\n## About 1.9 and before\n\n### For 1.8\n\n## 1.0.0\n');
    assert.equal(versions.length, 2);
    assert.deepEqual(warnings, ['C.md:3: the heading "About 1.9 and before" does not count as a version.']);
  });

  it('blocks between items belong to the item before them', () => {
    const body = '* x is y\n\nBefore:\n\n```\nx\n```\n\nAfter: y.\n\n- z\n\nThanks.';
    const textsIn = (section: string) => {
      const [version] = read(`## 1.0.0 (2026-05-04)\n\n### ${section}\n\n${body}\n`).versions;
      return [version?.changes.map(({ text }) => text), version?.description?.split('\n')[0]];
    };
    const first = 'x is y\n\nBefore:\n\n```\nx\n```\n\nAfter: y.';
    assert.deepEqual(textsIn('Changed'), [[first, 'z'], 'Thanks.']);
    assert.deepEqual(textsIn('Features')[0], [first, 'z\n\nThanks.']);
  });

  it('changesets are read without dates, and dependency bumps become one change', () => {
    const { format, name, versions, isDated } = read(`# @acme/rocket

## 2.0.0

### Major Changes

- abc: Gone.

  For good.

### Minor Changes

- def: New.
- Updated dependencies [aaa]
- Updated dependencies [bbb]:
  - @acme/tank@2.0.0

### Patch Changes

- ghi: Mended.
- Updated dependencies [ccc]:
  - @acme/tank@2.0.0
  - @acme/fuse@1.0.0
`);
    assert.deepEqual([format, name, isDated], ['changesets', '@acme/rocket', [false]]);
    assert.deepEqual(versions[0]?.changes, [
      change('changed', 'abc: Gone.\n\nFor good.', true),
      change('added', 'def: New.'),
      change(
        'changed',
        'Updated dependencies [aaa], [bbb], [ccc]:\n\n- @acme/tank@2.0.0\n- @acme/fuse@1.0.0',
      ),
      change('fixed', 'ghi: Mended.'),
    ]);
    assert.equal(versions[0]?.status, 'draft');
  });

  it('text that is neither a section nor an item is kept in the description', () => {
    const { versions, description } = read(`Before.

## 1.0.0 - 2026-05-04

Intro.

- listed in the intro

### Added

All of these are new in it, and there are more than before:

- one

\`\`\`
code of one
\`\`\`

After.

---

## Chapter

Words.
`);
    assert.deepEqual(versions, [
      version({
        version: '1.0.0',
        description:
          'Intro.\n\n- listed in the intro\n\n**Added:** All of these are new in it, and there are more than before:\n\nAfter.',
        changes: [change('added', 'one\n\n```\ncode of one\n```'), change('other', '**Chapter:** Words.')],
      }),
    ]);
    assert.equal(description, 'Before.');
  });

  it('the title gives the name, and what follows it is the description of the changelog', () => {
    const { name, description } = read('Rocket\n======\n\nAbout.\n\n## 1.0.0 - 2026-05-04\n\n- a\n');
    assert.equal(name, 'Rocket');
    assert.equal(description, 'About.');
  });

  it('the list of a version without sections gives its changes', () => {
    const { versions } = read('1.0.0 / 2026-05-04\n==================\n\n * one\n * two\n');
    assert.deepEqual(versions[0]?.changes, [change('other', 'one'), change('other', 'two')]);
  });

  it('line endings and a byte order mark make no difference', () => {
    const text = '## 1.0.0 - 2026-05-04\n\nIntro,\nof two lines.\n\n### Added\n\n- one\n  two\n';
    for (const other of [text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\uFEFF${text}`])
      assert.deepEqual(read(other), read(text));
  });

  it('the other versions stay the same when one is added', () => {
    const old = '## 1.1.0 - 2026-02-01\n\n- b\n\n## 1.0.0 - 2026-01-01\n\n- a\n';
    const before = read(`# Rocket\n\nAbout.\n\n${old}`).versions;
    const after = read(`# Rocket\n\nAbout.\n\n## 1.2.0 - 2026-03-01\n\n- c\n\n${old}`).versions;
    assert.deepEqual(after.slice(1), before);
  });

  it('versions with the same label are merged on request', () => {
    const text =
      '## 1.0.0 - 2026-05-04\n\n- a\n\n## 0.9.0 - 2026-01-01\n\n## 1.0.0 - 2026-05-04\n\n- a\n- b\n';
    assert.throws(
      () => read(text),
      refused(/^C\.md:7: duplicate version "1\.0\.0" \(also on line 1\); .* --merge-duplicates/),
    );
    const titled = text.replace(/04\n\n- a\n- b/, '04 [YANKED] - Again\n\n- a\n- b');
    const [first] = read(titled, { merging: true }).versions;
    assert.deepEqual([first?.title, first?.yanked], ['Again', true]);
    const { versions } = read(text, { merging: true });
    assert.deepEqual(
      versions.map((one) => [one.version, one.changes.map((each) => each.text)]),
      [
        ['1.0.0', ['a', 'b']],
        ['0.9.0', []],
      ],
    );
  });

  for (const [what, text, message] of [
    ['nothing', '', /^C\.md:1: the file is empty/],
    ['blanks', ' \n\n\t\n', /^C\.md:1: the file is empty/],
    ['no version', '# Rocket\n\nWords.\n', /^C\.md:1: no version headings such as/],
    [
      'a day that is not',
      '# R\n\n## 1.0.0 - 2026-02-30\n',
      /^C\.md:3: version 1\.0\.0 has an invalid date, 2026-02-30/,
    ],
    [
      'a label that is too long',
      `## [${'x'.repeat(129)}] - 2026-05-04\n`,
      /^C\.md:1: version "x+": version: is too long/,
    ],
    ['binary data', '## 1.0.0\n\na\0b\n', /^C\.md:3: not text: it contains a NUL byte/],
    ['Latin-1', Buffer.from('## 1.0.0\n\ncaf\xe9\n', 'latin1'), /^C\.md:3: this line is not UTF-8/],
    ['UTF-16', Buffer.from('\uFEFF## 1.0.0\n', 'utf16le'), /^C\.md:1: this is UTF-16/],
    ['UTF-16 without a mark', Buffer.from('## 1.0.0\n', 'utf16le').swap16(), /^C\.md:1: this is UTF-16/],
    ['JSON that ends too soon', '[{"tag_name": "v1",', /^C\.md:1: unexpected end of/],
  ] as const)
    it(`an invalid changelog is rejected with its line: ${what}`, () => {
      assert.throws(() => read(text), refused(message));
    });
});

function read(text: string | Buffer, options: Partial<ReadOptions> = {}) {
  const { format, name, description, versions, warnings } = readChangelog(
    { bytes: Buffer.from(text), name: 'C.md' },
    {
      format: 'auto',
      ...options,
    },
  );
  const all = [...versions];
  assert.equal(all.length, versions.length);
  return {
    format,
    name,
    description,
    warnings,
    versions: all.map(({ content }) => content),
    isDated: all.map((one) => one.isDated),
  };
}

function refused(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(error.message, message);
    return !error.message.includes('\n');
  };
}

function version(fields: Partial<VersionContent>): VersionContent {
  return {
    version: '',
    title: '',
    status: 'published',
    publishedAt: '2026-05-04T00:00:00.000Z',
    description: null,
    yanked: false,
    changes: [],
    ...fields,
  };
}

function change(type: VersionContent['changes'][number]['type'], text: string, breaking = false) {
  return { type, text, breaking };
}
