import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertToMarkdown } from '../../../src/import/markup/markup.ts';
import { readChangelog } from '../../../src/import/read.ts';
import { NO_RULES } from '../../../src/import/rules.ts';
import { read } from './helpers.ts';

const AUTO = { wanted: null, rule: null };

describe('plain lines as headings', () => {
  it('versions with dates alone on a line, in Markdown', () => {
    const { markup, labels, days, changes, lines } = read(
      'CHANGELOG.md',
      'v2.0.0 - May 4, 2026\n\n* one <b>bold</b>\n* two\n\nv1.0.0 - January 1, 2025\n\n* first\n',
    );
    assert.equal(markup, 'markdown');
    assert.deepEqual(
      [labels, lines],
      [
        ['v2.0.0', 'v1.0.0'],
        [1, 6],
      ],
    );
    assert.deepEqual(days, ['2026-05-04', '2025-01-01']);
    assert.deepEqual(changes, [['one <b>bold</b>', 'two'], ['first']]);
  });

  it('what is not released yet, above the versions', () => {
    for (const name of ['Unreleased', 'Next release:', 'WIP', '<master>'])
      for (const file of ['CHANGES', 'CHANGELOG.md']) {
        const text = `${name}\n\n* secret\n\n1.1.0 (2026-05-04)\n\n* a\n\nNext\n\n* b\n\n1.0.0 (2025-01-01)\n\n* c\n`;
        const { labels, days } = read(file, text);
        assert.deepEqual(
          [labels.length, days],
          [3, ['draft', '2026-05-04', '2025-01-01']],
          `${file} ${name}`,
        );
      }
  });

  it('versions in bold, and items without empty lines between them', () => {
    const bold = '**1.1.0** (2026-05-04)\n\n- a\n- b\n\n**1.0.0** (2025-01-01)\n\n- c\n';
    const items = '* 1.1.0 (2026-05-04)\n  * a\n  * b\n* **1.0.0** (2025-01-01)\n  * c\n';
    for (const text of [bold, items]) {
      const { labels, changes } = read('CHANGELOG.md', text);
      assert.deepEqual(
        [labels, changes],
        [
          ['1.1.0', '1.0.0'],
          [['a', 'b'], ['c']],
        ],
      );
    }
  });

  it('versions as items with barely nested lists', () => {
    const { labels, days, changes } = read(
      'CHANGELOG-7.0.md',
      'CHANGELOG for 7.0.x\n===================\n\n* 7.0.1 (2026-05-04)\n\n * bug #1 a fix\n\n* 7.0.0 (2025-01-01)\n\n * feature #2\n',
    );
    assert.deepEqual(
      [labels, days],
      [
        ['7.0.1', '7.0.0'],
        ['2026-05-04', '2025-01-01'],
      ],
    );
    assert.deepEqual(changes, [['bug #1 a fix'], ['feature #2']]);
  });

  /** The text of two versions, and the changes of the first. */
  const TEXTS: Readonly<Record<string, readonly [string, readonly string[], readonly string[]]>> = {
    nginx: [
      '\nChanges with nginx 1.2.0                        04 May 2026\n\n    *) Feature: a pad\n       of <b>.\n\n    *) Bugfix: two.\n\n\nChanges with nginx 1.1.9                        01 Jan 2025\n\n    *) Bugfix: one.\n',
      ['1.2.0', '1.1.9'],
      ['Feature: a pad\nof \\<b>.', 'Bugfix: two.'],
    ],
    perl: [
      'Revision history for Rocket\n\n1.2  2026-05-04\n  - One\n    more\n  - Two\n\n1.1  2025-01-01\n  - First\n',
      ['1.2', '1.1'],
      ['One\nmore', 'Two'],
    ],
    gnu: [
      'Rocket NEWS\n\n* Noteworthy changes in release 1.2 (2026-05-04) [stable]\n\n** Bug fixes\n\n  One is fixed.\n\n* Noteworthy changes in release 1.1 (2025-01-01) [stable]\n',
      ['1.2', '1.1'],
      ['One is fixed.'],
    ],
    'in an opening line': [
      'Changes in 1.2 (4 May 2026)\n- One\n- Two\n\nChanges in 1.1 (1 Jan 2025)\n- First\n',
      ['1.2', '1.1'],
      ['One', 'Two'],
    ],
    'from one to the next': [
      'CHANGES FROM 1.1 TO 1.2, 4 May 2026\n\n* One\n\nCHANGES FROM 1.0 TO 1.1, 1 January 2025\n\n* First\n',
      ['1.2', '1.1'],
      ['One'],
    ],
    'with the date below': [
      'Overview of changes leading to 1.2\nMonday, May 4, 2026\n===================\n\n* One\n\nOverview of changes leading to 1.1\nJanuary 1, 2025\n===================\n\n* First\n',
      ['1.2', '1.1'],
      ['One'],
    ],
    'without dates': [
      'version <next>:\n- soon\n\nversion 1.2:\n- One\n\nversion 1.1: the first\n- First\n',
      ['Unreleased', '1.2', '1.1'],
      ['soon'],
    ],
    'between lines': [
      'Rocket 1.x\n==========\n\n=======================\n1.2 (2026-05-04)\n=======================\n\nUrgency: low.\n\nBug Fixes\n=========\n\n* One\n\n=======================\n1.1 (2025-01-01)\n=======================\n\nBug Fixes\n=========\n\n* First\n',
      ['1.2', '1.1'],
      ['One'],
    ],
  };
  for (const [name, [text, labels, changes]] of Object.entries(TEXTS)) {
    it(`versions in a text file: ${name}`, () => {
      const found = read('CHANGES', text);
      assert.equal(found.markup, 'text');
      assert.deepEqual(found.labels, labels);
      assert.deepEqual(
        found.changes[0]?.map((change) => change.replace(/^\*\*Bug fixes:\*\* /i, '')),
        changes,
      );
      assert.equal(found.days[0] === 'draft', name === 'without dates');
    });
  }

  it('Markdown with headings stays as it is, byte for byte', () => {
    const texts = [
      '## 2.0.0 - 2026-05-04\n\nv1.9.0 - May 4, 2026\n\n* 1.8.0 (2026-05-04)\n\n- a\n\n## 1.0.0\n',
      '2.0.0 / 2026-05-04\n==================\n\n  * one\n\n1.0.0 / 2025-01-01\n==================\n',
      '# Changelog\n\nRequires:\n\n* 1.0.0 (2026-05-04)\n\n## 1.0\n\n== 1.1 ==\n\n.. note:: ``x``\n',
      'v1.0.0 - May 4, 2026\n\nOnce upon a time.\n',
    ];
    for (const text of texts) {
      const lines = text.trimEnd().split('\n');
      const converted = convertToMarkdown(lines, { ...AUTO, name: 'CHANGELOG.md' });
      assert.deepEqual(converted, { markup: 'markdown', lines });
    }
  });

  it('Markdown without a name stays as it is, too', () => {
    const text = '1.1\n---\n\n* See [a](https://x.example), ``b``.\n\n```\ncode\n```\n\n1.0\n---\n';
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(convertToMarkdown(lines, { ...AUTO, name: 'standard input' }).lines, lines);
  });

  it('what this program wrote is never taken for anything else', () => {
    const text = `# Rocket\n\nFormat.\n\n<!-- changelog-read-api -->\n\nv2.0.0 - May 4, 2026\n\nv1.0.0 - May 4, 2026\n`;
    for (const name of ['CHANGELOG.md', 'CHANGELOG', 'CHANGES.rst', 'CHANGES.adoc']) {
      const { markup, labels } = read(name, text);
      assert.deepEqual({ markup, labels }, { markup: 'markdown', labels: [] });
    }
  });

  it('a rule decides which lines are versions, and they are read like any other text', () => {
    const text = 'Changes with x 1.0\n\nBuild 12\n\n    *) One\n\nBuild 11\n\n    *) First\n';
    const rules = { ...NO_RULES, heading: /^Build (?<label>\d+)/ };
    const { versions } = readChangelog(
      { bytes: Buffer.from(text), name: 'CHANGES' },
      {
        format: 'auto',
        rules,
      },
    );
    const found = [...versions].map(({ content }) => [
      content.version,
      content.changes.map((change) => change.text),
    ]);
    assert.deepEqual(found, [
      ['12', ['One']],
      ['11', ['First']],
    ]);
  });

  it('--format says what a file is that does not tell', () => {
    assert.equal(read('CHANGES', 'Version 1.0\n-----------\n\n- One\n').markup, 'markdown');
    assert.equal(read('CHANGES', 'Version 1.0\n-----------\n\n- One\n', 'rst').markup, 'rst');
  });
});
