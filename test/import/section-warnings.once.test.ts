import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INTRODUCTION, SIGNATURE, SIGNATURE_LINES } from '../../src/domain/content/changelog-markdown.ts';
import { readChangelog } from '../../src/import/read.ts';
import { NO_RULES } from '../../src/import/rules.ts';

function warningsOf(text: string, sections: readonly (readonly [string, 'changed'])[] = [], name = 'C.md') {
  const rules = { ...NO_RULES, sections: new Map(sections) };
  return readChangelog({ bytes: Buffer.from(text), name }, { format: 'auto', rules }).warnings;
}

const versionWith = (...names: readonly string[]) =>
  `# Changelog\n\n## 1.0.0 - 2026-05-04\n\n${names.map((name) => `### ${name}\n\n- a\n`).join('\n')}`;

describe('a misspelt section', () => {
  const MISSPELT: Readonly<Record<string, string>> = {
    Addde: 'Added',
    Aded: 'Added',
    'CHNAGED:': 'Changed',
    Bugfxes: 'Bugfixes',
    'Bug Fxies': 'Bug Fixes',
    Imporvments: 'Improvements',
    Depracated: 'Deprecated',
    Securtiy: 'Security',
  };
  for (const [name, meant] of Object.entries(MISSPELT))
    it(`${name} is told with its line and the nearest name`, () => {
      const shown = name.replace(':', '');
      assert.deepEqual(warningsOf(versionWith('Added', 'Fixed', name)), [
        `C.md:13: section "${shown}" is not known; did you mean "${meant}"?`,
      ]);
    });

  it('the line is that of the file, whatever stands between, and in every markup', () => {
    const text =
      'Intro\n\n## 1.0.0\n\n_2026-05-04_\n\n[a]: https://x/a\n\nAdded\n-----\n- a\n\nRemvoed\n-------\n- b\n';
    assert.deepEqual(warningsOf(text), ['C.md:13: section "Remvoed" is not known; did you mean "Removed"?']);
    const rst = '1.0.0 (2026-05-04)\n==================\n\nAdded\n-----\n\n* a\n\nFxied\n-----\n\n* b\n';
    assert.match(warningsOf(rst, [], 'C.rst')[0] ?? '', /^C\.rst:9: section "Fxied"/);
    const releases = JSON.stringify([{ tag_name: '1.0.0', body: '### Fixed\n- a\n### Addde\n- b' }]);
    assert.match(warningsOf(releases)[0] ?? '', /^C\.md:1: section "Addde"/);
  });

  it('names of the languages of the file count, too', () => {
    assert.deepEqual(warningsOf(versionWith('Behoben', 'Behobne')), [
      'C.md:9: section "Behobne" is not known; did you mean "Behoben"?',
    ]);
  });

  it('another word is not, nor a name that is used again and again', () => {
    for (const name of [
      'Fixtures',
      'Support',
      'Text',
      'Mixed',
      'Remote',
      'Charts',
      'Modules',
      'Perform',
      'v2 API',
    ])
      assert.deepEqual(warningsOf(versionWith('Added', 'Fixed', name)), [], name);
    const below = '## 1.0.0 - 2026-05-04\n### Added\n#### Reporting APIs\n- a\n#### Reporting API\n- b\n';
    assert.deepEqual(warningsOf(below), []);
    const often = ['1.0.2', '1.0.1', '1.0.0'].map(
      (label) => `## ${label} - 2026-05-04\n### Added\n- a\n### Fixer\n- b\n`,
    );
    assert.deepEqual(warningsOf(often.join('\n')), []);
    assert.equal(warningsOf(often.slice(1).join('\n')).length, 2);
  });

  it('a file that this program wrote has none', () => {
    const own = `# Rocket\n\n${INTRODUCTION}\n\n${versionWith('Addde', 'Pads', 'Engines').slice('# Changelog\n\n'.length)}`;
    assert.ok(SIGNATURE_LINES.some((line) => own.split('\n')[line - 1] === SIGNATURE));
    assert.deepEqual(warningsOf(own), []);
  });
});

describe('most sections unknown', () => {
  it('is told once, with options to start from', () => {
    const text = versionWith('Added', 'Pads', "Wernher's", 'Engines', 'Pads', 'Ab', 'Bc1', 'Cd');
    assert.deepEqual(warningsOf(text), [
      "C.md:9: 7 of 8 sections have a name that is not known, so their changes are of type other; say what they are, starting from: --section 'Pads=changed' --section 'Wernher'\\''s=changed' --section 'Engines=changed' --section 'Ab=changed' --section 'Bc1=changed'",
    ]);
    assert.deepEqual(
      warningsOf(
        text,
        ['Pads', "Wernher's", 'Engines'].map((name) => [name, 'changed'] as const),
      ),
      [],
    );
  });

  it('is not told where the texts tell types, where the heading above does, or of half of them', () => {
    for (const text of [
      versionWith('Pads', 'Engines').replaceAll('- a', '- Fix a'),
      versionWith('Fixed', 'Pads', 'Engines').replaceAll(/### (?!Fixed)/g, '#### '),
      versionWith('Added', 'Pads', 'Fixed', 'Engines'),
      versionWith('Pads'),
    ])
      assert.deepEqual(warningsOf(text), [], text);
  });
});
