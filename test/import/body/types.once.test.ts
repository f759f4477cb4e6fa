// The type of each change, as sections, prefixes and first words tell it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sections from '../../../locales/changelogs/sections.json' with { type: 'json' };
import type { ChangeType } from '../../../src/domain/model.ts';
import { singularName } from '../../../src/import/body/names.ts';
import { NO_RULES } from '../../../src/import/rules.ts';
import { change, changesOf, typesOf, versionOf } from './bodies.ts';

describe('sections', () => {
  it('no name is in the table twice', () => {
    const names = Object.values(sections.English).flatMap((some) => some.map(singularName));
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('a section gives its type whatever its plural, capitals, symbols and markup', () => {
    for (const name of [
      'Bug Fix',
      'Bug fixes',
      'BUG FIXES:',
      '🐛 Bug Fixes',
      ':bug: Bug-Fixes',
      '**Bugfixes**',
    ])
      assert.deepEqual(changesOf(`### ${name}\n- a`), [change('fixed', 'a')], name);
    assert.deepEqual(changesOf('### [Fixed](https://x/fixed)\n- a'), [change('fixed', 'a')]);
    for (const name of ['What’s New', "what's new", 'What’s new in 2.0 🎉'])
      assert.deepEqual(changesOf(`### ${name}\n- a`)[0]?.type, 'added', name);
  });

  it('the name stays in the text if the type does not tell as much', () => {
    assert.deepEqual(changesOf('### Performance\n- a\n### New Features\n- b\n### CVE-2026-0001\n- c'), [
      change('changed', '**Performance:** a'),
      change('added', 'b'),
      change('security', '**CVE-2026-0001:** c'),
    ]);
  });

  it('a longer name has the type of its kind', () => {
    const types: Record<string, ChangeType> = {
      'Notable bug fixes': 'fixed',
      'CLI improvements': 'changed',
      'Bug fixes in `client`': 'fixed',
      'Removed APIs': 'removed',
      'New lints': 'added',
      'Features and Enhancements': 'added',
      'Bug or Regression': 'fixed',
      'Other (Cleanup or Flake)': 'other',
      'Fixes and improvements': 'changed',
      'Fixes and docs': 'other',
      'Documentation improvements': 'other',
      'Security / Vulnerabilities': 'security',
    };
    for (const [name, type] of Object.entries(types))
      assert.deepEqual(changesOf(`### ${name}\n- a`), [change(type, `**${name}:** a`)], name);
  });

  it('a name that only resembles a known one is the project’s own', () => {
    for (const name of [
      'Known bugs',
      'No bug fixes',
      'Non-breaking changes',
      'New defaults',
      'News',
      'Support',
    ])
      assert.deepEqual(changesOf(`### ${name}\n- a`), [change('other', `**${name}:** a`)], name);
  });

  it('breaking in any name marks the changes, and the type stays that of the rest', () => {
    const types: Readonly<Record<string, string>> = {
      'Breaking Changes': 'changed!',
      '⚠ BREAKING': 'changed!',
      'Breaking fixes': 'fixed!',
      'Breaking features and additions': 'added!',
      'Removals (breaking)': 'removed!',
      'Misc breaking changes': 'changed!',
      'Breaking API changes': 'changed!',
      'Potentially breaking': 'changed!',
      'Breaking Changes & Deprecations': 'changed!',
      'Incompatible API changes': 'changed!',
      破坏性变更: 'changed!',
      不兼容更新: 'changed!',
      破壊的変更: 'changed!',
      '호환되지 않는 변경 사항': 'changed!',
      'Inkompatible Änderungen': 'changed!',
      'Changements incompatibles': 'changed!',
      'Cambios de ruptura': 'changed!',
      'Mudanças incompatíveis': 'changed!',
      'Несовместимые изменения': 'changed!',
      'Modifiche incompatibili': 'changed!',
      'Niekompatybilne zmiany': 'changed!',
      'Uyumsuz değişiklikler': 'changed!',
      'Non-breaking changes': 'other',
      'Not breaking': 'other',
      非破坏性变更: 'other',
    };
    for (const [name, type] of Object.entries(types))
      assert.deepEqual(typesOf(`### ${name}\n- a`), [type], name);
    assert.deepEqual(typesOf('### Breaking Changes & Deprecations\n- Deprecate a\n- Remove b\n- c'), [
      'deprecated!',
      'removed!',
      'changed!',
    ]);
    assert.deepEqual(changesOf('### Breaking fixes\n- a'), [change('fixed', 'a', true)]);
  });

  it('items are sections if each of them is a name with a list below it', () => {
    const body = '* 2 minor features:\n  * a\n  * b\n\n* Bugfixes\n\n  * c\n    * d\n\n* 1 doc fix:\n  * e';
    assert.deepEqual(changesOf(body), [
      change('added', '**minor features:** a'),
      change('added', '**minor features:** b'),
      change('fixed', 'c\n* d'),
      change('other', '**1 doc fix:** e'),
    ]);
    assert.deepEqual(changesOf('* Engines\n  * Fix a\n  * b\n* **Launch pads:**\n  * c'), [
      change('fixed', '**Engines:** Fix a'),
      change('other', '**Engines:** b'),
      change('other', '**Launch pads:** c'),
    ]);
    assert.deepEqual(changesOf('1. [](#new)\n    * a\n1. [](#bugfix)\n    * b'), [
      change('added', 'a'),
      change('fixed', 'b'),
    ]);
    assert.deepEqual(versionOf('### Notable changes\n\nWords.\n\n* Engines\n  * a\n* Pads\n  * b'), {
      description: '**Notable changes:** Words.',
      changes: [
        change('changed', '**Notable changes / Engines:** a'),
        change('changed', '**Notable changes / Pads:** b'),
      ],
    });
    assert.deepEqual(changesOf('* 🐞 a\n* Engines\n  * 🆕 b\n  * 🐞 c\n* d'), [
      change('fixed', '🐞 a'),
      change('added', '**Engines:** 🆕 b'),
      change('fixed', '**Engines:** 🐞 c'),
      change('other', 'd'),
    ]);
    for (const list of [
      '* Fixes:\n  * a\n* b',
      '* Launches:\n  * a',
      '* Add engines\n  * a\n* Add pads\n  * b',
      '* Engines.\n  * a\n* Pads\n  * b',
      '* Updated dependencies:\n  * a',
      '* Fixes:\n  * a\n\n  b',
    ])
      assert.equal(changesOf(list)[0]?.text, list.split('\n* ')[0]?.slice(2).replaceAll('\n  ', '\n'), list);
    assert.deepEqual(changesOf('### Added\n* Features:\n  * a'), [change('added', 'Features:\n* a')]);
  });

  it('BREAKING in capitals marks a change, wherever the other prefixes end', () => {
    const marked = [
      'BREAKING CHANGE Remove a',
      'BREAKING - a',
      '`[*]` [**BREAKING**] a',
      '#1 [BREAKING BUGFIX] a',
    ];
    for (const text of marked) assert.equal(changesOf(`- ${text}`)[0]?.breaking, true, text);
    for (const text of ['Breaking news', 'A BREAKING one', 'BREAKINGS a'])
      assert.equal(changesOf(`- ${text}`)[0]?.breaking, false, text);
  });

  it('a list above all sections has changes, unless a text leads to it', () => {
    assert.deepEqual(versionOf('- Fix a\n- b\n\n### Added\n- c'), {
      description: null,
      changes: [change('fixed', 'Fix a'), change('other', 'b'), change('added', 'c')],
    });
    const intro = 'These are the highlights of it.\n\n- Fix a';
    assert.equal(versionOf(`${intro}\n\n### Added\n- c`).description, intro);
  });

  it('a list of links before sections is part of the introduction', () => {
    const intro = 'Faster!\n\n- [Migration Guide](https://rocket.example/migration)';
    assert.deepEqual(versionOf(`${intro}\n\n### Fixed\n- a`), {
      description: intro,
      changes: [change('fixed', 'a')],
    });
  });

  it('lines alone before lists are sections, and one does not spoil the others', () => {
    const body =
      'SECURITY:\n\n* a\n\nFEATURES:\n* b\n\n**BUG FIXES**\n\n* c\n\nImprovements\n\n* d\n\n_Removed:_\n* e\n\nFeatures & Additions\n\n* f';
    assert.deepEqual(changesOf(body), [
      change('security', 'a'),
      change('added', 'b'),
      change('fixed', 'c'),
      change('changed', '**Improvements:** d'),
      change('removed', 'e'),
      change('added', 'f'),
    ]);
  });

  it('the innermost known heading gives the type, and other headings inherit', () => {
    const body = `### Changes by Kind
#### API Change
- a
##### core
- b
#### Fixed
##### docs
- c
### Breaking Changes
#### Removed
- d
`;
    assert.deepEqual(changesOf(body), [
      change('changed', '**API Change:** a'),
      change('changed', '**API Change / core:** b'),
      change('fixed', '**docs:** c'),
      change('removed', 'd', true),
    ]);
  });

  it('below a name that means breaking changes, a type before a text is that of the change, and is removed', () => {
    const body = `### Breaking changes
- **Removed:** a
- **Added:**

      b
- **Other:** **Added:** c
- **core:** d
- **Fixed** e
### Incompatible changes
- **Security:** f
### Added
- **Removed:** g
`;
    assert.deepEqual(changesOf(body), [
      change('removed', 'a', true),
      change('added', '    b', true),
      change('other', '**Added:** c', true),
      change('changed', '**core:** d', true),
      change('changed', '**Fixed** e', true),
      change('security', '**Incompatible changes:** f', true),
      change('added', '**Removed:** g'),
    ]);
  });

  it('given sections win over the table, for names and for prefixes', () => {
    const rules = {
      ...NO_RULES,
      sections: new Map<string, ChangeType>([
        ['tweak', 'changed'],
        ['docs', 'added'],
      ]),
    };
    assert.deepEqual(changesOf('### Tweaks\n- fix: a\n### Doc\n- b\n### Pads\n- [TWEAK] c', { rules }), [
      change('changed', '**Tweaks:** fix: a'),
      change('added', '**Doc:** b'),
      change('changed', '**Pads:** [TWEAK] c'),
    ]);
  });

  it('`Major Changes` mean what changesets means by them only in its files', () => {
    assert.deepEqual(changesOf('### Major Changes\n- a\n### Minor Changes\n- b'), [
      change('changed', '**Major Changes:** a'),
      change('changed', '**Minor Changes:** b'),
    ]);
    const commit = '[#1](https://x/1) [`abc1234`](https://x/abc1234) Thanks! - ';
    assert.deepEqual(typesOf(`### Major Changes\n- ${commit}a\n### Minor Changes\n- b`), [
      'changed!',
      'added',
    ]);
    assert.deepEqual(typesOf('### Minor Changes\n- a\n### Patch Changes\n- b'), ['added', 'fixed']);
  });
});

describe('prefixes', () => {
  it('a prefix gives the type where no section does, and stays in the text', () => {
    const types: Record<string, string> = {
      '[BUGFIX] a': 'fixed',
      '[FEATURE] a': 'added',
      '[ENHANCEMENT] TSDB: a': 'added',
      '[CHANGE] a': 'changed',
      '[SECURITY] a': 'security',
      '**[Fix]** a': 'fixed',
      '(feature) a': 'added',
      'feat: a': 'added',
      'fix(cli): a': 'fixed',
      'feat(cli)!: a': 'added!',
      'perf: a': 'changed',
      'docs: add a': 'other',
      'chore(deps): a': 'changed',
      'security: a': 'security',
      'Fix: a': 'fixed',
      'New: a': 'added',
      'Breaking: a': 'changed!',
      '**Breaking:** a': 'changed!',
      '**Bug Fix:** a': 'fixed',
      '**Bug Fix**\n  * a': 'fixed',
      'Features\n  * a': 'added',
      'bug #123 [Console] a': 'fixed',
      'feature #123 a': 'added',
      '[`abc1234`](https://x/abc1234) fix: a': 'fixed',
      'abc1234: feat: a': 'added',
      '**cli_core:** fix: a': 'fixed',
      '***:** feat!: a': 'added!',
      '[[`abc1234`](https://x/1)] - **fs**: fix: a': 'fixed',
      '\\[[`abc1234`](https://x/1)] - **(CVE-2026-0001)** **fs**: a': 'security',
      'CVE-2026-0001: a': 'security',
      'api-change:`ec2`: a': 'changed',
      '✨ feat: a': 'added',
      'BUG/MINOR: a': 'fixed',
      'BUG/MEDIUM: server: a': 'fixed',
      'MINOR: a': 'changed',
      'MEDIUM: server: a': 'changed',
      'CLEANUP: a': 'other',
      'DOC/MINOR: a': 'other',
      'REORG: a': 'changed',
      'Defect #12: a': 'fixed',
      'Feature #12: a': 'added',
      'Patch #12: a': 'changed',
      'Enhancement - a': 'added',
      'Feature - a': 'added',
      'Fix - a': 'fixed',
      'Tweak - a': 'changed',
      'Dev - Add a': 'other',
      'Performance - a': 'changed',
      '**Security** – a': 'security',
      'Rocket - a': 'other',
      'FIX: a': 'fixed',
      '[NEXT-1 - Remove a](https://x/1)': 'removed',
      '🐞 a': 'fixed',
      '🐛 Add a check': 'fixed',
      '🚑️ a': 'fixed',
      '🆕 a': 'added',
      '⚡️ a': 'changed',
      '♻️ Add a': 'changed',
      '🔒️ a': 'security',
      '🔥 a': 'removed',
      '🗑️ a': 'deprecated',
      '💥 a': 'changed!',
      '📝 Add a': 'other',
      ':bug: a': 'fixed',
      ':sparkles: a': 'added',
      ':boom: a': 'changed!',
      '#12 ✨ **core:** a': 'added',
      '🐛 docs: a': 'other',
      '🚀 Fix a': 'fixed',
      '🚀 a': 'added',
      '🧑‍🚀 a': 'other',
    };
    for (const [text, type] of Object.entries(types)) assert.deepEqual(typesOf(`- ${text}`), [type], text);
    assert.deepEqual(changesOf('- [BUGFIX] a'), [change('fixed', '[BUGFIX] a')]);
  });

  it('an emoji gives the type of a section whose name does not', () => {
    assert.deepEqual(changesOf('### 🐛 Squashed\n- a\n### Fixes :wrench:\n- b\n### ⭐ New Features\n- c'), [
      change('fixed', '**🐛 Squashed:** a'),
      change('fixed', 'b'),
      change('added', 'c'),
    ]);
    assert.deepEqual(typesOf('### 🎈 Pads\n- a\n### 💥 Pads\n- b'), ['other', 'changed!']);
  });

  it('a section with a type wins over a prefix, and one that tells little does not', () => {
    assert.deepEqual(typesOf('### Changed\n- fix: a\n### Commits\n- fix: b\n### Pads\n- feat: c'), [
      'changed',
      'fixed',
      'added',
    ]);
    assert.deepEqual(typesOf("### What's Changed\n- feat: a\n- b"), ['added', 'changed']);
  });

  it('a list with prefixes before sections is a list of changes', () => {
    assert.deepEqual(typesOf('- [BUGFIX] a\n- b\n\n### Added\n- c'), ['fixed', 'other', 'added']);
  });
});

describe('first words', () => {
  it('the first word gives the type in a version without sections that tell types', () => {
    const types: Record<string, string> = {
      'Add a': 'added',
      'Added a': 'added',
      'Fixes a': 'fixed',
      'fix a': 'fixed',
      'Removed a': 'removed',
      'Drop a': 'removed',
      'Deprecate a': 'deprecated',
      'Deprecated a was removed': 'removed',
      'Improve a': 'changed',
      'Bump a': 'changed',
      'core: Add a': 'added',
      '**core** Add a': 'added',
      '[Fix a](https://x/1)': 'fixed',
      '#12 Renamed a': 'changed',
      'Add-ons are a': 'other',
      'Support a': 'other',
      'A fix of a': 'other',
      'If you use a: remove it': 'other',
      Additionally: 'other',
    };
    for (const [text, type] of Object.entries(types)) assert.deepEqual(typesOf(`- ${text}`), [type], text);
    assert.deepEqual(typesOf('### React DOM\n- Fix a\n### Changes\n- Add b\n- c'), [
      'fixed',
      'added',
      'changed',
    ]);
  });

  it('the first word gives no type beside sections that do, in a guide, or in a paragraph', () => {
    assert.deepEqual(typesOf('### Added\n- a\n### Pads\n- Fix b'), ['added', 'other']);
    assert.deepEqual(typesOf('### Migration\n- Remove a\n### Pads\n\nAdd b'), ['other', 'other']);
  });
});

describe('no change', () => {
  it('an item that says that there is none is not a change', () => {
    for (const text of ['None.', 'N/A', 'Nothing', '_No changes_', '(none)', '<!-- to come -->'])
      assert.deepEqual(versionOf(`### Added\n\n- ${text}\n\n### Fixed\n\n${text}\n`), {
        description: null,
        changes: [],
      });
    const { description, changes } = versionOf(
      '### Added\n- a\n### Fixed\n- No user-facing changes in this release.',
    );
    assert.deepEqual([description, changes.length], ['No user-facing changes in this release.', 1]);
    assert.equal(changesOf('- No longer changes a.').length, 1);
  });
});
