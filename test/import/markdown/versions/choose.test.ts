// Which headings of a file are versions, by a table: each form that people use, with the points that decide.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outline } from '../../../../src/import/markdown/outline.ts';
import { isChapter } from '../../../../src/import/markdown/split.ts';
import { chooseVersions, nameOf } from '../../../../src/import/markdown/versions/choose.ts';
import { explainHeadings } from '../../../../src/import/markdown/versions/report.ts';

const choose = (...lines: readonly string[]) =>
  chooseVersions(outline(lines.join('\n\n').split('\n'), { isOwnFormat: false, rule: null }));
const labelsOf = (...lines: readonly string[]) =>
  choose(...lines).versions.map(({ version }) => version?.label);

/** The form, its lines, and the labels of the versions among them. */
const FORMS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a name that repeats is dropped', ['## Rocket 1.1.0', '### Added', '## Rocket 1.0.0'], ['1.1.0', '1.0.0']],
  [
    'names of two products stay',
    ['## Tank 1.1.0', '## Fuse 1.1.0', '## Tank 1.0.0', '## Fuse 1.0.0'],
    ['Tank 1.1.0', 'Fuse 1.1.0', 'Tank 1.0.0', 'Fuse 1.0.0'],
  ],
  [
    'the name of the product is dropped, that of another stays',
    ['# Rocket changelog', '## Rocket 1.1.0', '## Tank 1.1.0', '## Rocket 1.0.0', '## Tank 1.0.0'],
    ['1.1.0', 'Tank 1.1.0', '1.0.0', 'Tank 1.0.0'],
  ],
  [
    'a name that is joined to the number (wgpu)',
    ['## v0.16', '## rocket-0.15', '## rocket-0.14', '## rocket-core-0.13.1', '## rocket-0.13'],
    ['v0.16', '0.15', '0.14', 'rocket-core-0.13.1', '0.13'],
  ],
  [
    'channels that are joined to the number (Linkerd)',
    ['## edge-24.2', '## stable-2.14', '## edge-24.1'],
    ['edge-24.2', 'stable-2.14', 'edge-24.1'],
  ],
  [
    'numbers below the second level, if most are there',
    ['## 1.1', '### 1.1.1', '### 1.1.0', '## 1.0', '### 1.0.1', '### 1.0.0'],
    ['1.1.1', '1.1.0', '1.0.1', '1.0.0'],
  ],
  [
    'numbers below the second level are sections otherwise',
    ['## 1.1', '- a', '## 1.0', '- b', '### 0.9'],
    ['1.1', '1.0'],
  ],
  ['a dated one at any level', ['## 1.1', '- a', '#### 1.0 (2026-05-04)'], ['1.1', '1.0']],
  [
    'a date below the heading (Element)',
    ['## 1.2', '- a', '## 1.1', '- b', '#### 1.0', '*2026-05-04*'],
    ['1.2', '1.1', '1.0'],
  ],
  [
    'series are chapters',
    ['## 3.18.x series', '### 3.18.1', '- a', '### 3.18.0', '- b', '## 3.17.x series'],
    ['3.18.1', '3.18.0'],
  ],
  [
    'series with dates are chapters',
    ['## 5.4.x (2024-08-07 - 2024-11-11)', '### 5.4.1', '- a', '### 5.4.0', '- b'],
    ['5.4.1', '5.4.0'],
  ],
  [
    'a series with changes of its own is a version (pm2)',
    ['## 0.11.0', '- a', '## 0.10.x', '- b'],
    ['0.11.0', '0.10.x'],
  ],
  [
    'a section that mentions a series (kombu)',
    ['## 5.6.0', '- a', '### RabbitMQ 4.x support', '- b', '## 5.5.0', '- c'],
    ['5.6.0', '5.5.0'],
  ],
  [
    'a deeper number between those around it (aeson)',
    ['### 1.5.5.0', '- a', '#### 1.5.4.1', '- b', '### 1.5.4.0', '- c', '### 1.5.3.0'],
    ['1.5.5.0', '1.5.4.1', '1.5.4.0', '1.5.3.0'],
  ],
  [
    'a renamed product (OCaml)',
    ['## OCaml 4.1.0', '## OCaml 4.0.0', '## Objective Caml 3.1.0', '## Objective Caml 3.0.0'],
    ['4.1.0', '4.0.0', '3.1.0', '3.0.0'],
  ],
  [
    'the date is first, the number in parentheses (company-mode)',
    ['# 2026-07-21 (1.1.0)', '# 2024-09-23 (1.0.2)'],
    ['1.1.0', '1.0.2'],
  ],
  [
    'a draft of a product with a digit in its name (ggplot2)',
    ['# ggplot2 (development version)', '# ggplot2 4.0.1', '# ggplot2 4.0.0'],
    ['Unreleased', '4.0.1', '4.0.0'],
  ],
  [
    'calendar versions with a name (open-vm-tools)',
    ['## open-vm-tools 2013.04.16', '## open-vm-tools 2012.12.26'],
    ['2013.04.16', '2012.12.26'],
  ],
  [
    'a text that moved is no version (data.table)',
    ['# rocket v1.16', '# rocket v1.15', '## rocket v1.14 (Dec 2023) back to v1.10 has been moved'],
    ['v1.16', 'v1.15'],
  ],
  [
    'code that ends with text behind its fence (Julia)',
    [
      'Rocket v1.1.0 Notes\n===================',
      '- a\n  ```\n  code\n  ``` (#1).',
      'Rocket v1.0.0 Notes\n===================',
      '- b',
    ],
    ['v1.1.0', 'v1.0.0'],
  ],
  ['a translation of Unreleased', ['## [Inédit]', '- a', '## 1.0.0', '- b'], ['Inédit', '1.0.0']],
  ['drafts under their names', ['## Main', '- a', '## 1.0.0', '- b'], ['Main', '1.0.0']],
  ['such a name below the versions is a section', ['## 1.0.0', '- b', '## Main', '- a'], ['1.0.0']],
  [
    'what is unreleased elsewhere is a section (yt-dlp)',
    ['## 1.0.0', '### Unreleased changes in acme/rocket'],
    ['1.0.0'],
  ],
  ['a title such as `# Next` is none', ['# Next', '## 1.1.0', '## 1.0.0'], ['1.1.0', '1.0.0']],
  [
    'lines in bold (PgBouncer)',
    [
      '## Rocket 1.25.x',
      '**2026-05-08  -  Rocket 1.25.2  -  "Apollo"**',
      '- a',
      '**2026-05-01  -  Rocket 1.25.1  -  "Gemini"**',
      '- b',
    ],
    ['1.25.2', '1.25.1'],
  ],
  [
    'lines with a date at the end (Ace)',
    [
      '## 1.3.0',
      '- a',
      '## 1.2.0',
      '- b',
      '2026.05.04 Version 1.1.0',
      '- c',
      '2026.05.03 Version 1.0.0',
      '- d',
    ],
    ['1.3.0', '1.2.0', '1.1.0', '1.0.0'],
  ],
  [
    'words before all of them (restic)',
    [
      '# Changelog for rocket 0.19.1 (2026-05-04)',
      '## Summary',
      '# Changelog for rocket 0.19.0 (2026-05-03)',
    ],
    ['0.19.1', '0.19.0'],
  ],
  [
    'such words before one of them are a section',
    ['## 2.0.0', '## Changes in 1.0.1', '## 1.0.0'],
    ['2.0.0', '1.0.0'],
  ],
  ['without a space (sloppy)', ['##[2.3.0]', '- a', '## [2.2.0 - 2026-05-04', '- b'], ['2.3.0', '2.2.0']],
  [
    'days (AWS)',
    ['# Release (2026-08-21)', '## Highlights', '# Release (2026-08-20.2)'],
    ['2026-08-21', '2026-08-20.2'],
  ],
  [
    'placeholders on top (Realm)',
    ['## x.y.z Release notes (yyyy-MM-dd)', '- a', '## 1.0.0 Release notes (2026-05-04)'],
    ['Unreleased', '1.0.0'],
  ],
];

describe('which headings are versions', () => {
  for (const [form, lines, labels] of FORMS) it(form, () => assert.deepEqual(labelsOf(...lines), labels));

  it('the name is that of most versions', () => {
    assert.equal(nameOf(choose('## Rocket 1.1.0', '## Rocket 1.0.0')), 'Rocket');
    assert.equal(nameOf(choose('## 1.1.0', '### Python 3.9', '## 1.0.0')), null);
  });

  it('a heading below a version that repeats its label says more about it', () => {
    const { versions } = choose(
      '## v1.9.0',
      '### v1.9.0 (2021-12-31) Changes',
      '- a',
      '### TypeScript 1.9.0',
    );
    assert.deepEqual(
      versions.map(({ version }) => [version?.label, version?.date?.timestamp?.slice(0, 10)]),
      [['v1.9.0', '2021-12-31']],
    );
  });

  it('what looks like a version and is none is told', () => {
    const { unread } = choose('## 1.1.0', '## ~1.0~', '## Features', '### Rocket 3.9', '## Support of 2.0');
    assert.deepEqual(
      unread.map(({ text }) => text),
      ['~1.0~', 'Support of 2.0'],
    );
  });
});

it('an explanation lists every heading with its points and why', () => {
  const choice = choose('# Rocket', '## 1.1.0 (2026-05-04)', '### Added', '### Changes in 1.1.0', '# Older');
  assert.deepEqual(
    explainHeadings(choice, (one) => isChapter(one, choice)),
    [
      'line  level  points  is       label  date        heading               because',
      '1     1              text                        "Rocket"',
      '3     2      8       version  1.1.0  2026-05-04  "1.1.0 (2026-05-04)"  a number +2, a date +4, a high level +2',
      '5     3              section                     "Added"',
      '7     3              part     1.1.0              "Changes in 1.1.0"    repeats 1.1.0 of line 3',
      '9     1              chapter                     "Older"',
    ],
  );
});
