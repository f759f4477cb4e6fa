// Headings above the first version that are not versions, in every format: nothing below them is public (R70).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readChangelog } from '../../../../src/import/read.ts';
import { compileHeading, NO_RULES } from '../../../../src/import/rules.ts';

const INTRODUCTION = 'All about it.';
const md = (above: string) => `# Changelog\n\n${INTRODUCTION}\n\n${above}## 1.1.0 - 2026-05-04\n\n- A pad.\n`;
const markdown = (name: string) => md(`## ${name}\n\n- A secret.\n\n`);
/** Two versions as lines, with what marks them. */
const lines = (mark: (text: string) => string, name: string, item = '- ') =>
  [
    `${mark(name)}\n${item}A secret.`,
    ...['1.1.0', '1.0.0'].map((label) => `${mark(`${label} (2026-05-04)`)}\n${item}A pad.`),
  ]
    .join('\n\n')
    .concat('\n');

function read(text: string, name = 'CHANGELOG.md', heading: string | null = null) {
  const rules = { ...NO_RULES, heading: heading === null ? null : compileHeading(heading) };
  const { versions, description, warnings } = readChangelog(
    { name, bytes: Buffer.from(text) },
    { format: 'auto', rules },
  );
  return { versions: versions.map(({ content }) => content), description, warnings };
}

/** The name of the file and its text, with a heading of this name. */
const FORMATS: Readonly<Record<string, (name: string) => readonly [file: string, text: string]>> = {
  Markdown: (name) => ['CHANGELOG.md', markdown(name)],
  'Markdown with brackets': (name) => [
    'CHANGELOG.md',
    `${markdown(`[${name}]`)}\n[${name}]: https://x.example/a...b\n`,
  ],
  'Markdown with underlines': (name) => [
    'CHANGELOG.md',
    `Changelog\n=========\n\n${name}\n---------\n\n- A secret.\n\n1.1.0\n-----\n\n- A pad.\n`,
  ],
  'Markdown with all headings at the first level': (name) => [
    'CHANGELOG.md',
    markdown(name).replaceAll('## ', '# '),
  ],
  'Markdown without a title': (name) => [
    'CHANGELOG.md',
    `## ${name}\n\n- A secret.\n\n## 1.1.0\n\n- A pad.\n`,
  ],
  'Markdown with versions in bold': (name) => ['CHANGELOG.md', lines((text) => `**${text}**\n`, name)],
  reStructuredText: (name) => [
    'CHANGES.rst',
    `Changelog\n=========\n\n${name}\n---------\n\n* A secret.\n\n1.1.0\n-----\n\n* A pad.\n`,
  ],
  AsciiDoc: (name) => [
    'CHANGELOG.adoc',
    `= Changelog\n\n== ${name}\n\n* A secret.\n\n== 1.1.0\n\n* A pad.\n`,
  ],
  RDoc: (name) => ['History.rdoc', `= Changelog\n\n== ${name}\n\n* A secret.\n\n== 1.1.0\n\n* A pad.\n`],
  Org: (name) => ['CHANGELOG.org', `#+TITLE: Changelog\n\n* ${name}\n\n- A secret.\n\n* 1.1.0\n\n- A pad.\n`],
  'plain text': (name) => ['NEWS', lines((text) => text, name, '  - ')],
  'plain text with blank lines': (name) => ['NEWS', lines((text) => `${text}\n`, name, '  - ')],
  'plain text with underlines': (name) => [
    'NEWS.txt',
    `${name}\n~~~~~~~~~\n\n * A secret.\n\n1.1.0\n~~~~~\n\n * A pad.\n\n1.0.0\n~~~~~\n\n * A pad.\n`,
  ],
  'a list of versions': (name) => ['CHANGES', `Changes\n\n${lines((text) => `* ${text}`, name, '  - ')}`],
};

describe('a heading above the first version that is not a version', () => {
  for (const [format, write] of Object.entries(FORMATS))
    for (const name of ['Dark mode', 'Unrelased'])
      it(`is a draft with a warning: ${name} in ${format}`, () => {
        const [file, text] = write(name);
        const { versions, description, warnings } = read(text, file);
        const [draft, ...others] = versions;
        assert.equal(draft?.version, name);
        assert.equal(draft?.status, 'draft');
        assert.equal(draft?.publishedAt, null);
        assert.deepEqual(
          draft?.changes.map((change) => change.text),
          ['A secret.'],
        );
        assert.doesNotMatch(JSON.stringify([others, description]), new RegExp(`${name}|secret`));
        const [warning] = warnings;
        assert.match(warning ?? '', new RegExp(`^${file}:\\d+: the heading "${name}" is not a version`));
        assert.equal(/"Unreleased" was probably meant/.test(warning ?? ''), name === 'Unrelased');
      });

  const SLIPS: Readonly<Record<string, string>> = {
    Unreleaed: 'Unreleased',
    'Un-released': 'Unreleased',
    'Unrelased changes': 'Unreleased',
    'Not relased': 'Not released',
    Unveröfentlicht: 'unveröffentlicht',
    'Sin publcar': 'sin publicar',
    'Não publicdo': 'não publicado',
    'Non publé': 'non publié',
    Nieopublkowane: 'nieopublikowane',
    Невыпущеное: 'невыпущенное',
    未发市: '未发布',
    未リリスー: '未リリース',
    릴리스되지않음: '릴리스되지 않음',
  };
  for (const [slip, meant] of Object.entries(SLIPS))
    it(`is told as a slip: ${slip}`, () => {
      const { versions, warnings } = read(markdown(slip));
      assert.equal(versions[0]?.status, 'draft');
      assert.match(warnings[0] ?? '', /was probably meant\.$/);
      assert.ok(warnings[0]?.includes(`"${meant}"`), warnings[0]);
    });

  it('is not told as a slip of Unreleased if it says something else', () => {
    for (const name of ['Released', 'Releases of 2026', 'Dark mode', 'About', 'Table of contents'])
      assert.doesNotMatch(read(markdown(name)).warnings.join(), /probably meant/, name);
  });

  it('leaves the text above it as the introduction', () => {
    assert.equal(read(markdown('Dark mode')).description, INTRODUCTION);
    const { description, versions } = read(
      md('### About\n\nIt.\n\n## Dark mode\n\nSoon.\n\n### Why\n\nIt is dark.\n\n'),
    );
    assert.equal(description, `${INTRODUCTION}\n\n### About\n\nIt.`);
    assert.equal(versions[0]?.description, 'Soon.');
    assert.match(versions[0]?.changes[0]?.text ?? '', /It is dark\./);
  });

  it('is nothing if nothing is below it', () => {
    for (const above of ['## Dark mode\n\n', '## Dark mode\n\n### Added\n\n<!-- What? -->\n\n---\n\n']) {
      const { description, versions, warnings } = read(md(above));
      assert.deepEqual(
        [description, versions.map(({ version }) => version), warnings],
        [INTRODUCTION, ['1.1.0'], []],
      );
    }
  });

  it('is a slip of Unreleased at a level where no version is', () => {
    for (const hashes of ['#', '###']) {
      const { description, versions } = read(md(`${hashes} Unrelased\n\n- A secret.\n\n`));
      assert.deepEqual(
        [description, versions[0]?.version, versions[0]?.status],
        [INTRODUCTION, 'Unrelased', 'draft'],
      );
    }
  });

  it('is a draft in a file that this program wrote, and in one that is read by a rule', () => {
    const own = md('## Dark mode\n\n- A secret.\n\n')
      .replace(INTRODUCTION, '<!-- changelog-read-api -->')
      .replace('1.1.0', '[1.1.0]');
    for (const { description, versions } of [
      read(own),
      read(markdown('Dark mode'), 'A.md', '^(?<label>[\\d.]+) - (?<date>.*)$'),
    ]) {
      assert.doesNotMatch(description ?? '', /secret|Dark/);
      assert.deepEqual(
        versions.map(({ version, status }) => `${version} ${status}`),
        ['Dark mode draft', '1.1.0 published'],
      );
    }
  });

  it('keeps its link, and a name of any length', () => {
    const linked = read(md('## [Unrelased](https://x.example/compare/a...b)\n\n- A secret.\n\n'));
    assert.deepEqual([linked.versions[0]?.version, linked.description], ['Unrelased', INTRODUCTION]);
    assert.equal(linked.versions[0]?.links?.compare, 'https://x.example/compare/a...b');
    const name = 'Dark mode '.repeat(20).trim();
    const [long] = read(markdown(name)).versions;
    assert.deepEqual([long?.version, long?.title], [name.slice(0, 128).trim(), name]);
    assert.equal(read(markdown('')).versions[0]?.version, 'Untitled');
  });
});

describe('a title at the level of versions', () => {
  const TITLES = [
    ...[
      'Changelog',
      'Change Log',
      'Release notes',
      'Rocket changelog',
      'Changelog of Rocket',
      'CHANGES',
      'Rocket NEWS',
    ],
    ...[
      'Version history',
      'Änderungsprotokoll',
      'Journal des modifications',
      'Registro de cambios',
      'Dziennik zmian',
    ],
    ...[
      'Журнал изменений',
      '更新日志',
      '変更履歴',
      '변경 로그',
      'Değişiklik günlüğü',
      'Ändringslogg',
      'Seznam změn',
    ],
  ];
  for (const title of TITLES)
    it(`is the title, with the introduction below it: ${title}`, () => {
      const { description, versions, warnings } = read(
        markdown('Empty')
          .replace('## Empty\n\n- A secret.\n\n', '')
          .replace('# Changelog', `# ${title}`)
          .replaceAll('## ', '# '),
      );
      assert.deepEqual([versions.length, warnings], [1, []]);
      assert.equal(description, INTRODUCTION);
    });
});
