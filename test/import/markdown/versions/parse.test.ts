import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  dissectHeading,
  isSeries,
  parseOwnHeading,
  parseVersionHeading,
  unescapeInline,
} from '../../../../src/import/markdown/versions/parse.ts';

type Told = {
  label: string;
  date?: string | null;
  draft?: true;
  yanked?: true;
  link?: string;
  title?: string;
};

const VERSIONS: readonly (readonly [heading: string, told: Told])[] = [
  ['[1.0.0] - 2020-05-04', { label: '1.0.0', date: '2020-05-04', link: '1.0.0' }],
  ['1.0.0', { label: '1.0.0' }],
  ['v1.0.0 (2020-05-04)', { label: 'v1.0.0', date: '2020-05-04' }],
  ['[0.0.5] - 2014-08-09 [YANKED]', { label: '0.0.5', date: '2014-08-09', yanked: true, link: '0.0.5' }],
  ['[Unreleased]', { label: 'Unreleased', draft: true, link: 'Unreleased' }],
  ['Unreleased', { label: 'Unreleased', draft: true }],
  ['unreleased (v3)', { label: 'unreleased', draft: true, title: 'v3' }],
  ['[Unreleased] - 2020-05-04', { label: 'Unreleased', date: '2020-05-04', draft: true, link: 'Unreleased' }],
  ['[3.0.0] - Unreleased', { label: '3.0.0', draft: true, link: '3.0.0' }],
  ['[3.0.0] - 2020-XX-XX', { label: '3.0.0', draft: true, link: '3.0.0' }],
  ['1.17.0 (Unreleased)', { label: '1.17.0', draft: true }],
  ['Next', { label: 'Next', draft: true }],
  [
    '[2.1.0](https://x/compare/v2.0.0...v2.1.0) (2020-05-04)',
    { label: '2.1.0', date: '2020-05-04', link: 'https://x/compare/v2.0.0...v2.1.0' },
  ],
  ['[2.1.0][compare] - 2020-05-04', { label: '2.1.0', date: '2020-05-04', link: 'compare' }],
  ['<small>1.0.1 (2020-05-04)</small>', { label: '1.0.1', date: '2020-05-04' }],
  ['1.0.0 "Apollo" (2020-05-04)', { label: '1.0.0', date: '2020-05-04', title: 'Apollo' }],
  ['1.0.0 - First release', { label: '1.0.0', title: 'First release' }],
  ['Version 3.2', { label: '3.2' }],
  ['1.0.0-rc.1+build.5 / 2020-05-04', { label: '1.0.0-rc.1+build.5', date: '2020-05-04' }],
  ['1.0.0 Beta 2 (2020-05-04)', { label: '1.0.0 Beta 2', date: '2020-05-04' }],
  ['@acme/rocket@1.2.3', { label: '@acme/rocket@1.2.3' }],
  ['2020-05-04', { label: '2020-05-04', date: '2020-05-04' }],
  ['[2020.05] - 2020-05-04', { label: '2020.05', date: '2020-05-04', link: '2020.05' }],
  ['14 - 2020-05-04', { label: '14', date: '2020-05-04' }],
  ['[Apollo] - 2020-05-04', { label: 'Apollo', date: '2020-05-04', link: 'Apollo' }],
  [String.raw`[1\.0\]] - 2020-05-04`, { label: '1.0]', date: '2020-05-04', link: String.raw`1\.0\]` }],
  ['master (unreleased)', { label: 'master', draft: true }],
  ['main', { label: 'main', draft: true }],
  ['[2.0.0] - Unreleased (2020-05-04)', { label: '2.0.0', date: '2020-05-04', draft: true, link: '2.0.0' }],
  ['[1.0.0](https://x/a(b)c) (2020-05-04)', { label: '1.0.0', date: '2020-05-04', link: 'https://x/a(b)c' }],
  ['1.0.0 (2020-05-04 10:00 UTC)', { label: '1.0.0', date: '2020-05-04' }],
  ['1.0.0 (Mon, 04 May 2020)', { label: '1.0.0', date: '2020-05-04' }],
  ['1.0.0 &mdash; 2020-05-04', { label: '1.0.0', date: '2020-05-04' }],
  [
    '1.0.0 (2020-05-04) [YANKED: broken]',
    { label: '1.0.0', date: '2020-05-04', yanked: true, title: 'broken' },
  ],
  ['1.0.0 - ????-??-??', { label: '1.0.0', draft: true }],
  ['[0.4.0] - YYYY-MM-DD', { label: '0.4.0', draft: true, link: '0.4.0' }],
  ['**2.1.0** (2020-05-04)', { label: '2.1.0', date: '2020-05-04' }],
  ['`1.9.0` - 2020-05-04', { label: '1.9.0', date: '2020-05-04' }],
  ['0.4.0 *(May 4, 2020)*', { label: '0.4.0', date: '2020-05-04' }],
  ['[1.3.0 - 2020-05-04](https://x)', { label: '1.3.0', date: '2020-05-04', link: 'https://x' }],
  [
    '[1.2.0] - 2020-05-04 ([diff](https://x/compare/a...b))',
    { label: '1.2.0', date: '2020-05-04', link: 'https://x/compare/a...b' },
  ],
  ['Rocket 1.2.0 (2020-05-04)', { label: '1.2.0', date: '2020-05-04', title: 'Rocket' }],
  ['rocket-v1.1.0 (2020-05-04)', { label: 'rocket-v1.1.0', date: '2020-05-04' }],
  [
    "2020-05-04, Version 1.2.0 'Iron' (LTS), @x",
    { label: '1.2.0', date: '2020-05-04', title: "'Iron' (LTS), @x" },
  ],
  ['2020-05-04 - 1.2.0', { label: '1.2.0', date: '2020-05-04' }],
  ['[2020-05-04] v1.2.0', { label: 'v1.2.0', date: '2020-05-04' }],
  ['May 4, 2020: [1.2.0](https://x)', { label: '1.2.0', date: '2020-05-04', link: 'https://x' }],
  ['2020-05-04 Bug fixes', { label: '2020-05-04', date: '2020-05-04', title: 'Bug fixes' }],
  [
    '2020-05-04 Upgraded to Rocket 1.2.0',
    { label: '2020-05-04', date: '2020-05-04', title: 'Upgraded to Rocket 1.2.0' },
  ],
  ['2020-05-04 - 2020-05-06', { label: '2020-05-04', date: '2020-05-06' }],
  ['Changes between 1.1.9 and 1.2.0 [4 May 2020]', { label: '1.2.0', date: '2020-05-04' }],
  ['🚀 Release v1.2.0', { label: 'v1.2.0' }],
  ['1.2.0 “Apollo”', { label: '1.2.0', title: 'Apollo' }],
  [
    '[1.2.0 Slam Dunk](https://x) (2020-05-04)',
    { label: '1.2.0', date: '2020-05-04', link: 'https://x', title: 'Slam Dunk' },
  ],
  ['1.1.4/1.1.5 (4 May 2020)', { label: '1.1.4/1.1.5', date: '2020-05-04' }],
  ['edge-24.2.5', { label: 'edge-24.2.5' }],
  ...[
    'Main',
    'Master',
    'vNext',
    'Coming soon',
    'WIP',
    'HEAD',
    'Upcoming',
    'Develop',
    'trunk',
    'Next release',
    'Next major release',
    'On master',
    'Latest changes',
    'Pending',
  ].flatMap(
    (name) =>
      [
        [name, { label: name, draft: true }],
        [`[${name}]`, { label: name, draft: true, link: name }],
        [`${name} (unreleased)`, { label: name, draft: true }],
      ] as const,
  ),
  ['Unreleased (main)', { label: 'Unreleased', draft: true }],
  ['main / unreleased', { label: 'main', draft: true }],
  ['🚧 Unreleased 🚧', { label: 'Unreleased', draft: true }],
  ['Coming Soon!', { label: 'Coming Soon', draft: true }],
  ['_Work in progress_', { label: 'Work in progress', draft: true }],
  ['[Master (Unreleased)](https://x)', { label: 'Master', draft: true, link: 'https://x' }],
  ['2.x (next)', { label: '2.x', draft: true }],
  ['[Unreleased] - ReleaseDate', { label: 'Unreleased', draft: true, link: 'Unreleased' }],
  ['Next (2.0.0)', { label: 'Next', draft: true, title: '2.0.0' }],
  ['Next - 2020-05-04', { label: 'Next', date: '2020-05-04', draft: true }],
  ['Upcoming 2.0.0', { label: '2.0.0', draft: true }],
  ['2.0.0 (WIP)', { label: '2.0.0', draft: true }],
  ['v2.0.0 - Coming soon', { label: 'v2.0.0', draft: true }],
  ['2.0.0 - Next generation', { label: '2.0.0', title: 'Next generation' }],
  ['rocket (development version)', { label: 'rocket', draft: true }],
  ['1.2.1 _(May 4, 2020)_', { label: '1.2.1', date: '2020-05-04' }],
  ['1.2.0 (打ち上げ) - 2020-05-04', { label: '1.2.0', date: '2020-05-04', title: '打ち上げ' }],
  ['1.1.2 (4 May 98)', { label: '1.1.2', date: '1998-05-04' }],
  ['1.1.1 released on the 4th of May 2020', { label: '1.1.1', date: '2020-05-04' }],
  ['1.2.0 - Planned for 2030-01-01', { label: '1.2.0', date: '2030-01-01', draft: true }],
  ['1.2.0 (ETA: 2030-01-01)', { label: '1.2.0', date: '2030-01-01', draft: true }],
  ['13 - WIP', { label: '13', draft: true }],
  ['v1.0.0 🎉', { label: 'v1.0.0', title: '🎉' }],
  ['1.3.0 - Released 2020-05-04', { label: '1.3.0', date: '2020-05-04' }],
  ['1.2.0 (released on 2020-05-04)', { label: '1.2.0', date: '2020-05-04' }],
  ['[2.3.0 - 2020-05-04', { label: '2.3.0', date: '2020-05-04' }],
  [
    '[2.6.12 [LEGACY] - 2020.05.04](https://x)',
    { label: '2.6.12', date: '2020-05-04', link: 'https://x', title: 'LEGACY' },
  ],
  ['2020.05.04', { label: '2020.05.04', date: '2020-05-04' }],
  ['Release (2020-05-04)', { label: '2020-05-04', date: '2020-05-04' }],
  ['Release (2020-05-04.2)', { label: '2020-05-04.2', date: '2020-05-04' }],
  ['2020.05.04-1', { label: '2020.05.04-1', date: '2020-05-04' }],
  ['b30 - 2020-05-04', { label: 'b30', date: '2020-05-04' }],
  ['version beta7 [2020-05-04]', { label: 'beta7', date: '2020-05-04' }],
  ['2.3.10_임시', { label: '2.3.10_임시' }],
  ['Version 2', { label: '2' }],
  ['Version 9d  04-May-2020', { label: '9d', date: '2020-05-04' }],
  ['2.16.1~.6 - 2020-05-04', { label: '2.16.1~.6', date: '2020-05-04' }],
  ['Changes in 1.2.0', { label: '1.2.0' }],
  ['Summary of bugs fixed for version 1.2.0 (2020-05-04):', { label: '1.2.0', date: '2020-05-04' }],
  ['Summary of important user-visible changes for version 7', { label: '7' }],
  ['Changelog for Rocket 1.2.0 (2020-05-04)', { label: '1.2.0', date: '2020-05-04', title: 'Rocket' }],
  ['1.1.0 -> 1.2.0 (2020-05-04)', { label: '1.2.0', date: '2020-05-04' }],
  ['From v1.1.0 to v1.2.0', { label: 'v1.2.0' }],
  ['x.y.z Release notes (yyyy-MM-dd)', { label: 'Unreleased', draft: true }],
  ['?.?.?', { label: 'Unreleased', draft: true }],
  ['2024-1X-XX 1.25.0-dev', { label: '1.25.0-dev', draft: true }],
  ...[
    '2020/05/04',
    '2020.05.04',
    '2020-5-4',
    '4 May 2020',
    '4th of May 2020',
    '04. May, 2020',
    'May 4, 2020',
    'May 4th 2020',
    '2020-05-04T00:00:00Z',
  ].map((date) => [`1.0.0 - ${date}`, { label: '1.0.0', date: '2020-05-04' }] as const),
  ...['2020-13-45', '2021-02-29', '2020-00-01', '31 June 2020'].map(
    (date) => [`1.0.0 - ${date}`, { label: '1.0.0', date: null }] as const,
  ),
];

const OTHERS = [
  '[Apollo]',
  '[...]',
  '3.18.x series',
  'Changelog of [acme/rocket](https://x) till release 2020.05.04',
  'Added',
  'Migration to v16',
  '16.0 migration',
  '10.0.0 and later',
  'Next steps',
  '2.x',
  '14',
  '1.2.3/4',
  'In short',
  '[v0 CHANGELOG](https://x/y)',
  '[The manual](https://x/y) of 2020',
  'Unreleasable',
  'Support for Rocket 1.2.0',
  'Main features',
  'Upgrading to 2.0 (from 1.9)',
  'Upgrading to 2.0 (2020-05-04)',
  'Rocket 1.2.0',
  '1.2.0 Enterprise',
  'Node.js 20 support',
  '3 fixes',
  'Development',
  'Main.rs',
  'Next.js 12',
  'V8 highlights',
  '4 May 2020 Ada <a@x.example> - 1.2-1',
  '',
];

describe('the heading of a version', () => {
  for (const [heading, told] of VERSIONS)
    it(`${JSON.stringify(heading)} is the heading of a version`, () => {
      const read = parseVersionHeading(heading);
      assert.ok(read !== null);
      const { label, date, isUnreleased, isYanked, link, title } = read;
      assert.deepEqual(
        {
          label,
          date: date === null ? undefined : (date.timestamp?.replace('T00:00:00.000Z', '') ?? null),
          draft: isUnreleased || undefined,
          yanked: isYanked || undefined,
          link: link === null ? undefined : 'url' in link ? link.url : link.reference,
          title: title || undefined,
        },
        {
          date: undefined,
          draft: undefined,
          yanked: undefined,
          link: undefined,
          title: undefined,
          ...told,
        },
      );
    });

  for (const heading of OTHERS)
    it(`${JSON.stringify(heading)} is not the heading of a version`, () => {
      assert.equal(parseVersionHeading(heading), null);
    });
});

describe('the parts of a heading', () => {
  const partsOf = (text: string) => {
    const parts = dissectHeading(text);
    assert.ok(parts !== null, text);
    return parts;
  };

  it('words before and behind the label are apart from it', () => {
    const expected: [string, string, string, string][] = [
      ['Rocket 1.2.0', 'Rocket', '1.2.0', ''],
      ['Rocket (1.2.0)', 'Rocket', '1.2.0', ''],
      ['[Rocket 1.2.0]', 'Rocket', '1.2.0', ''],
      ['rocket-1.2.0', 'rocket', '1.2.0', ''],
      ['rocket-core-v1.2', 'rocket-core', 'v1.2', ''],
      ["What's new in Rocket 1.2.0", 'Rocket', '1.2.0', ''],
      ['1.2.0 Enterprise - 2026-05-04', '', '1.2.0', 'Enterprise'],
    ];
    for (const [text, ...told] of expected) {
      const { start, before, behind } = partsOf(text);
      assert.deepEqual([before, start.label, behind], told, text);
    }
  });

  it('a date before the label moves behind it', () => {
    const { start, otherwise } = partsOf('2026-05-04 - Version 1.2.0');
    assert.deepEqual([start.label, start.tail], ['1.2.0', ' (2026-05-04)']);
    assert.equal(otherwise?.label, '2026-05-04');
  });

  it('sections and very long headings have no parts', () => {
    for (const text of ['Features', 'Next steps', `1.2.0 ${'x'.repeat(500)}`])
      assert.equal(dissectHeading(text), null);
  });

  it('a series is not a version, unless it is not released yet', () => {
    for (const text of ['1.2.x', '3.18.x series', 'Rocket 5.4.x', '2.x']) assert.ok(isSeries(text), text);
    for (const text of ['2.x (next)', '1.2.0', '1.2.xyz', 'x.y.z']) assert.ok(!isSeries(text), text);
  });

  it('in a file of this program, every text in brackets is a label', () => {
    assert.equal(parseOwnHeading('[Apollo]')?.label, 'Apollo');
    assert.equal(parseOwnHeading('[rocket-core-1.2.0] - 2026-05-04')?.label, 'rocket-core-1.2.0');
    assert.equal(parseOwnHeading('[Next] - 2026-05-04')?.isUnreleased, false);
    assert.equal(parseOwnHeading('[Unreleased] - 2026-05-04')?.isUnreleased, true);
  });

  it('escapes and character references are resolved, and what is no character replaced', () => {
    assert.equal(unescapeInline(String.raw`1\.0 \[beta\] \x`), String.raw`1.0 [beta] \x`);
    assert.equal(unescapeInline('&#65;&#0;&#55296;&amp;'), 'A\uFFFD\uFFFD&amp;');
  });
});
