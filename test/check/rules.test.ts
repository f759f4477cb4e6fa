import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { checkChangelog } from '../../src/check/check.ts';
import type { Finding } from '../../src/check/rule.ts';
import { RULES } from '../../src/check/rules.ts';
import { inspectChangelog } from '../../src/import/read.ts';
import { NO_RULES } from '../../src/import/rules.ts';
import { bare, tableUnder } from '../support/markdown.ts';

const CLI = path.resolve(import.meta.dirname, '../../docs/cli.md');
const NOW = '2026-07-01T12:00:00.000Z';

type Given = Readonly<{
  name?: string;
  wanted?: string;
  /** The text at the earlier commit; null if the file did not exist. */
  before?: string | null;
  strict?: boolean;
  merging?: boolean;
}>;

function check(
  text: string,
  { name = 'CHANGELOG.md', wanted, before, strict, merging }: Given = {},
): Finding[] {
  const reading = { format: 'auto', merging: merging ?? false, rules: NO_RULES } as const;
  const input = (content: string) => ({ name, bytes: Buffer.from(content) });
  const earlier = typeof before === 'string' ? inspectChangelog(input(before), reading) : null;
  const { findings } = checkChangelog(input(text), {
    reading,
    now: NOW,
    earlier: before === undefined ? null : { ref: 'main', text: earlier, isMissing: before === null },
    wanted: wanted ?? null,
    isStrict: strict ?? false,
  });
  return [...findings];
}

const shown = (findings: readonly Finding[]) =>
  findings.map(({ level, rule, line, column }) => [level, rule, line, ...(column ? [column] : [])].join(' '));

/** Versions with one change each; `heading` is what follows the hashes. */
const log = (...headings: string[]) => headings.map((heading) => `## ${heading}\n\n- A change.\n`).join('\n');

const LINKED = ['1.3.0', '1.2.0', '1.1.0', '1.0.0'];
const linked = (definitions: readonly string[]) =>
  `${log(...LINKED.map((label) => `[${label}]`))}\n${definitions.join('\n')}\n`;
const tag = (label: string, target = label) => `[${label}]: https://x.example/releases/tag/v${target}`;

/** What each rule finds, and what comes near to it. */
const CASES: readonly (readonly [rule: string, text: string, found: readonly string[], given?: Given])[] = [
  ['unreadable', 'Nothing here.\n', ['error unreadable 1']],
  ['unreadable', '', ['error unreadable 1']],
  ['unreadable', log('1.0.0 - 04/05/2026'), ['error unreadable 1']],
  ['unreadable', log('1.0.0 - 04/13/2026'), []],

  [
    'merge-marker',
    `<<<<<<< HEAD\n${log('1.1.0')}=======\n>>>>>>> topic\n`,
    ['error merge-marker 1', 'error merge-marker 6'],
  ],
  ['merge-marker', `${log('1.1.0')}\n\`\`\`\n<<<<<<< HEAD\n\`\`\`\n`, []],
  ['merge-marker', '1.1.0\n=======\n\n- A change.\n', []],

  ['unclosed-block', `${log('1.1.0')}\n\`\`\`sh\nnpm i\n\n${log('1.0.0')}`, ['error unclosed-block 5']],
  ['unclosed-block', `${log('1.1.0')}\n\`\`\`sh\nnpm i\n\`\`\`\n\n${log('1.0.0')}`, []],

  ['duplicate-version', log('1.1.0 - 2026-05-04', '1.1.0 - 2026-05-04'), ['error duplicate-version 5']],
  ['duplicate-version', log('1.1.0', '1.1.0'), [], { merging: true }],
  ['duplicate-version', log('Unreleased', '1.0.0', 'Unreleased'), ['note duplicate-version 9']],
  ['duplicate-version', log('1.1.0 (rc1)', '1.1.0'), ['note duplicate-version 5']],
  ['duplicate-version', log('1.1.0', 'v1.1.0', '1.0.0'), ['note duplicate-version 5']],
  ['duplicate-version', `# Core\n\n${log('1.0.0')}\n# Cli\n\n${log('1.0.0')}`, ['note duplicate-version 9']],
  ['duplicate-version', log('Core 1.0.0', 'Cli 1.0.0', 'Core 0.9.0', 'Cli 0.9.0'), []],

  [
    'version-order',
    log('1.4.1 - 2026-05-04', '1.4.2 - 2026-06-04', '1.3.1', '1.3.0', '1.2.0'),
    ['error version-order 5'],
  ],
  ['version-order', log('1.4.1', '1.4.2', '1.3.1', '1.3.0', '1.2.0', '1.1.0'), ['note version-order 5']],
  [
    'version-order',
    log('1.9.5 - 2026-06-04', '2.0.0 - 2026-05-04', '1.9.4 - 2026-04-04', '1.9.3', '1.9.2', '1.9.1'),
    [],
  ],
  ['version-order', log('2.0.0 - 2026-05-04', '1.9.5 - 2026-06-04', '1.9.4 - 2026-04-04'), []],
  ['version-order', log('1.9.5', '2.0.0-beta.1', '1.9.4', '1.9.3', '1.9.2'), []],
  ['version-order', log('1.0.0 - 2026-01-04', '1.0.1 - 2026-02-04', '1.1.0 - 2026-03-04'), []],
  ['version-order', log('2026.2.0', '2026.1.0', '2025.12.1', '2025.12.0'), []],

  ['invalid-date', log('1.0.0 - 2026-02-30'), ['error invalid-date 1']],
  ['invalid-date', `## 1.0.0\n\n_Released 2026-02-30_\n\n- A change.\n`, ['error invalid-date 3']],
  ['invalid-date', log('1.0.0 - 2024-02-29'), []],

  [
    'date-order',
    log('1.4.2 - 2025-01-05', '1.4.1 - 2025-12-20', '1.4.0 - 2025-11-01'),
    ['error date-order 1'],
  ],
  [
    'date-order',
    log('1.5.0 - 2025-01-05', '1.4.0 - 2025-12-20', '1.3.0 - 2024-11-01'),
    ['error date-order 1'],
  ],
  [
    'date-order',
    log('1.5.0 - 2025-11-05', '1.4.0 - 2025-12-20', '1.3.0 - 2024-11-01'),
    ['note date-order 1'],
  ],
  ['date-order', log('1.4.2 - 2025-12-19', '1.4.1 - 2025-12-20', '1.4.0 - 2025-11-01'), []],
  ['date-order', log('1.5.0 - 2025-01-05', '1.4.1 - 2025-12-20', '1.4.0 - 2024-11-01'), []],
  ['date-order', log('1.4.2-rc.1 - 2025-01-05', '1.4.1 - 2025-12-20'), []],

  ['future-date', log('1.0.0 - 2026-07-02'), ['note future-date 1']],
  ['future-date', log('1.0.0 - 2026-07-01'), []],
  ['future-date', log('Unreleased - 2026-12-24'), []],

  ['not-a-version', log('[Unrelased]', '[1.0.0] - 2026-05-04'), ['error not-a-version 1']],
  ['not-a-version', `# Changelog\n\nAll.\n\n${log('Dark mode', '1.0.0')}`, ['error not-a-version 5']],
  [
    'not-a-version',
    '= Changelog\n\n== Unrelased\n\n* A pad.\n\n== 1.0.0\n\n* A pad.\n',
    ['error not-a-version 3'],
    { name: 'CHANGELOG.adoc' },
  ],
  [
    'not-a-version',
    `# Changelog\n\nAll.\n\n### About\n\nIt.\n\n## Empty\n\n### Added\n\n${log('1.0.0')}`,
    [],
  ],
  ['not-a-version', log('Unreleased', '1.0.0'), []],

  [
    'unread-heading',
    `${log(...LINKED.map((label) => `${label} - 2026-05-04`))}\n**# 0.9.0 (2026-05-01)\n\n- A change.\n`,
    ['error unread-heading 17'],
  ],
  [
    'unread-heading',
    `${log(...LINKED.flatMap((label) => [`${label} - 2026-05-04`, `${label}-rc.1 - 2026-05-04`, `${label}-rc.0`]))}\n## 2.0 cleanup\n\n- A change.\n`,
    ['note unread-heading 49'],
  ],
  ['unread-heading', `${log(...LINKED)}\n## Upgrading to 2.0\n\nRead this.\n`, []],

  ['malformed-line', '##1.1.0 - 2026-05-04\n\n- A change.\n', ['note malformed-line 1']],
  ['malformed-line', '## 1.1.0 - 2026-05-04\n\n- A change.\n', []],

  ['undefined-link', '## 1.0.0\n\n- A change, see [the guide][guide].\n', ['error undefined-link 3 28']],
  ['undefined-link', '## 1.0.0\n\n- A change, see [the guide][guide].\n\n[Guide]: https://x.example\n', []],
  [
    'undefined-link',
    '## 1.0.0\n\n- A change by [Ann][https://x.example/ann].\n',
    ['error undefined-link 3 20'],
  ],
  [
    'undefined-link',
    '## 1.0.0\n\n- [core][ui] A change of `[a b][c]`, a[i][j] and [#1][#2].\n\n```\n[a b][c]\n```\n',
    [],
  ],
  [
    'undefined-link',
    '## 1.0.0\n\n- Fixed [#12][gh-12], [#13][], see [Guide\n  for all][].\n- ![shot][png]\n',
    [
      'error undefined-link 3 14',
      'error undefined-link 3 28',
      'error undefined-link 4 11',
      'error undefined-link 5 10',
    ],
  ],
  [
    'undefined-link',
    '## 1.0.0\n\n- [core][ui] See [missing][nope] and [ok][site].\n\n[site]: https://x.example\n',
    ['error undefined-link 3 27'],
  ],
  [
    'undefined-link',
    '## 1.0.0\n\n- Components [select][tree], [#1][#2], types such as [string, number][] and row[x][].\n',
    [],
  ],

  [
    'version-link',
    linked([tag('1.3.0'), tag('1.2.0'), tag('1.1.0'), tag('1.0.0', '1.1.0')]),
    ['error version-link 20'],
  ],
  [
    'version-link',
    `## [2.0.0]\n\n- A change.\n\n${linked(LINKED.map((label) => tag(label)))}`,
    ['error version-link 1'],
  ],
  ['version-link', `## [Unreleased]\n\n- A change.\n\n${linked(LINKED.map((label) => tag(label)))}`, []],
  ['version-link', linked([]), []],

  ['empty-version', '## 1.1.0\n\n## 1.0.0\n\n- A change.\n', ['note empty-version 1']],
  [
    'empty-version',
    '## 1.1.0\n\n<!-- later -->\n\n### Added\n\n## 1.0.0\n\n- A change.\n',
    ['note empty-version 1'],
  ],
  ['empty-version', '## Unreleased\n\n## 1.1.0\n\nNo user-facing changes.\n', []],

  [
    'dropped-html',
    '## 1.0.0\n\n- A <T> and <div>it</div>.\n- Again <T>, <script>x</script>\n',
    ['note dropped-html 3', 'note dropped-html 3', 'note dropped-html 4'],
  ],
  [
    'dropped-html',
    '## 1.0.0\n\n<script>\na\n</script>\n\n```\n<script>\n<style>\n```\n\n<style>a</style>\n',
    ['note dropped-html 3', 'note dropped-html 12'],
  ],
  ['dropped-html', '## 1.0.0\n\n- `<T>` <kbd>F1</kbd> <!-- c -->\n\n```\n<T>\n```\n', []],
  ['empty-section', '## 1.0.0\n\n### Added\n\n### Fixed\n\n- A change.\n', ['note empty-section 3']],
  ['empty-section', '## 1.0.0\n\n### Changes\n\n#### Fixed\n\n- A change.\n', []],
  ['empty-section', '## Unreleased\n\n### Added\n\n### Fixed\n\n- A change.\n', []],

  [
    'unknown-section',
    '## 1.0.0\n\n### Added\n\n- A change.\n\n### Rockets\n\n- A change.\n',
    ['note unknown-section 7'],
  ],
  ['unknown-section', '## 1.0.0\n\n### Hinzugefügt\n\n- A change.\n\n### Bug fixes\n\n- A change.\n', []],

  ['missing-version', log('Unreleased', '1.0.0'), ['error missing-version 1'], { wanted: '1.1.0' }],
  ['missing-version', log('v1.1.0', '1.0.0'), [], { wanted: '1.1.0' }],

  [
    'version-without-notes',
    '## 1.1.0\n\n### Added\n\n## 1.0.0\n\n- A change.\n',
    ['note empty-version 1', 'error version-without-notes 1'],
    { wanted: '1.1.0' },
  ],
  ['version-without-notes', log('1.1.0', '1.0.0'), [], { wanted: '1.1.0' }],

  [
    'changed-release',
    log('1.0.0').replace('A change', 'Another change'),
    ['error changed-release 3'],
    { before: log('1.0.0') },
  ],
  [
    'changed-release',
    log('1.0.0 - 2026-05-05'),
    ['error changed-release 1'],
    { before: log('1.0.0 - 2026-05-04') },
  ],
  [
    'changed-release',
    `${log('Unreleased', '[1.0.0] - 2026-05-04').replace('A change.', 'New. ').replace('A change', 'A\n  change')}\n${tag('1.0.0')}\n`,
    [],
    { before: log('Unreleased', '1.0.0') },
  ],
  [
    'changed-release',
    log('1.1.0', '1.0.0 - 2026-05-04').replace('A change', 'Another'),
    [],
    { before: log('1.1.0', '1.0.0 - 2026-05-04') },
  ],
  [
    'changed-release',
    log('1.2.0 - 2026-02-30', '1.1.0 - 2027-05-05', '1.0.0 - 2026-05-04'),
    ['error invalid-date 1', 'note future-date 5'],
    { before: log('1.1.0 - 2027-05-05', '1.0.0 - 2026-05-04') },
  ],
  [
    'changed-release',
    log('1.1.0 - 2026-08-01', '1.0.0 - 2026-05-04').replace('A change', 'Another'),
    ['note future-date 1'],
    { before: log('1.1.0 - 2026-07-15', '1.0.0 - 2026-05-04') },
  ],

  [
    'removed-release',
    log('1.2.0', '1.0.0'),
    ['error removed-release 5'],
    { before: log('1.2.0', '1.1.0', '1.0.0') },
  ],
  ['removed-release', log('1.0.0'), [], { before: log('Unreleased', '1.0.0') }],
  ['removed-release', log('1.0.0'), [], { before: log('1.1.0 - 2026-07-15', '1.0.0') }],

  ['no-earlier-file', log('1.0.0'), ['note no-earlier-file 1'], { before: null }],
  ['no-earlier-file', log('1.0.0'), [], { before: log('1.0.0') }],
];

describe('rules', () => {
  for (const [rule, text, found, given] of CASES)
    it(`${rule} ${found.length === 0 ? 'does not find' : 'finds'} ${JSON.stringify(text.slice(0, 100))}`, () => {
      assert.deepEqual(shown(check(text, given)), found);
    });

  it('every rule has a text that triggers it and one that comes near', () => {
    for (const { id } of RULES) {
      const own = CASES.filter(([rule]) => rule === id);
      assert.ok(
        own.some(([, , found]) => found.some((one) => one.includes(` ${id} `))),
        id,
      );
      assert.ok(
        own.some(([, , found]) => found.length === 0),
        id,
      );
    }
  });

  it('every rule says in a sentence what it finds, and what to do', () => {
    assert.equal(new Set(RULES.map(({ id }) => id)).size, RULES.length);
    for (const { id, summary, help } of RULES) {
      assert.match(id, /^[a-z]+(-[a-z]+)*$/);
      assert.match(summary, /^[A-Z][^.]+\.$/, id);
      assert.match(help, /^[A-Z].{20,}\.$/, id);
    }
  });

  it('docs/cli.md lists every rule with its level and what it finds', () => {
    const documented = tableUnder(readFileSync(CLI, 'utf8'), 'Rule');
    assert.deepEqual(
      documented.map(([rule = '', level]) => [bare(rule), level]),
      RULES.map(({ id, level }) => [id, level]),
    );
    for (const [at, { summary }] of RULES.entries()) assert.ok(documented[at]?.[2]?.startsWith(summary));
  });

  it('every message is one sentence that says what to do', () => {
    for (const [, text, , given] of CASES)
      for (const { rule, message } of check(text, given))
        if (rule !== 'unreadable') assert.match(message, /^[^\n]+; [^\n]+\.$/);
  });

  it('a name of a section that is misspelt is told with what was meant', () => {
    const [found] = check('## 1.0.0\n\n### Added\n\n- A pad.\n\n### Securty\n\n- A pad.\n');
    assert.equal(found?.message, 'section "Securty" is not known; perhaps it should be "Security".');
  });

  it('a file with many names of its own gets one note', () => {
    const names = 'abcdefghijkl'.replaceAll(/./g, (letter) => `### Pad ${letter}\n\n- A.\n\n`);
    assert.deepEqual(shown(check(`## 1.0.0\n\n${names}`)), ['note unknown-section 3']);
  });

  it('notes are errors if the check is strict', () => {
    const text = '## 1.1.0\n\n## 1.0.0\n\n- A change.\n';
    assert.deepEqual(shown(check(text, { strict: true })), ['error empty-version 1']);
  });

  it('lines are those of the file in every markup', () => {
    const texts: Record<string, string> = {
      'NEWS.rst':
        'News\n====\n\n1.1.0 (2026-02-30)\n------------------\n\n* A change.\n\n1.0.0 (2026-01-01)\n------------------\n\n* A change.\n',
      'NEWS.adoc':
        '= News\n\n:toc:\n\n== 1.1.0 (2026-02-30)\n\n* A change.\n\n== 1.0.0 (2026-01-01)\n\n* A change.\n',
      'NEWS.org': '* News\n\n** 1.1.0 (2026-02-30)\n\n- A change.\n\n** 1.0.0 (2026-01-01)\n\n- A change.\n',
      'NEWS.md':
        '\uFEFF# News\r\n\r\n1.1.0 (2026-02-30)\r\n-----\r\n\r\n* A change.\r\n\r\n1.0.0 (2026-01-01)\r\n-----\r\n\r\n* A change.\r\n',
    };
    for (const [name, text] of Object.entries(texts)) {
      const line = text.split('\n').findIndex((one) => one.includes('2026-02-30')) + 1;
      assert.deepEqual(shown(check(text, { name })), [`error invalid-date ${line}`], name);
    }
  });

  it('releases as JSON are read, and may lack a version or its notes', () => {
    const release = {
      tag_name: 'v1.0.0',
      name: '',
      body: '- A change.',
      published_at: '2026-05-04T00:00:00Z',
    };
    const text = JSON.stringify([release, { ...release, tag_name: 'v0.9.0', body: '' }]);
    assert.deepEqual(shown(check(text, { name: 'releases.json', wanted: '0.9.0' })), [
      'error version-without-notes 1',
    ]);
    assert.deepEqual(check(text, { name: 'releases.json', wanted: '1.0.0' }), []);
    assert.deepEqual(shown(check(text, { name: 'releases.json', before: text })), ['note no-earlier-file 1']);
    assert.deepEqual(shown(check(text, { name: 'releases.json', wanted: '1.1.0' })), [
      'error missing-version 1',
    ]);
    assert.deepEqual(shown(check('[{"tag_name": 1}]', { name: 'releases.json' })), ['error unreadable 1']);
  });
});
