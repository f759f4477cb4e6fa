// Tables of changes, `<details>` and comments.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { change, changesOf, versionOf } from './bodies.ts';

describe('tables', () => {
  it('a table of changes has one in each row, with the type of its column', () => {
    const body = `### core
| Commit | Type | Description |
| -- | -- | -- |
| [abc](https://x/abc) | feat | a \\| b |
| [def](https://x/def) | fix | c \`x|y\` | |
|  | docs | d |
### Fixed
| # | Change | Scope |
|---|---|---|
| 12 | e | cli |
| | | |
`;
    assert.deepEqual(changesOf(body), [
      change('added', '**core:** [abc](https://x/abc) feat: a | b'),
      change('fixed', '**core:** [def](https://x/def) fix: c `x|y`'),
      change('other', '**core:** docs: d'),
      change('fixed', '12 e (cli)'),
    ]);
  });

  it('a table of data stays what it is', () => {
    for (const header of ['Option | Type | Description', 'Type | Description', 'a | b', 'Commit | Option'])
      assert.deepEqual(
        changesOf(`### Added\n\n- one\n\n${header}\n${header.replaceAll(/[^|]+/g, '---')}\n1 | 2\n`),
        [change('added', `one\n\n${header}\n${header.replaceAll(/[^|]+/g, '---')}\n1 | 2`)],
        header,
      );
    const inItem = 'one\n\n| Commit | Description |\n|---|---|\n| a | b |';
    assert.deepEqual(changesOf(`### Added\n- ${inItem.replaceAll('\n', '\n  ')}`), [change('added', inItem)]);
  });
});

describe('HTML', () => {
  it('<details> keep together', () => {
    const details =
      '<details>\n<summary>All</summary>\n\n### Fixed\n\n- a\n\n<details>\n\n- b\n\n</details>\n\n</details>';
    assert.deepEqual(versionOf(`### Added\n\n- one\n\n${details}\n\n### Removed\n\n- two\n`), {
      description: details,
      changes: [change('added', 'one'), change('removed', 'two')],
    });
    assert.deepEqual(changesOf(`### Pads\n\n${details}`), [change('other', `**Pads:**\n\n${details}`)]);
    const twice = '<details>\n\n- a\n\n</details>\n<details>\n\n- b\n\n</details>';
    assert.deepEqual(versionOf(twice), { description: twice, changes: [] });
  });

  it('<details> that never end, or are code, keep nothing together', () => {
    assert.deepEqual(versionOf('### Added\n\n- one\n\n<details>\n\n### Fixed\n\n- two\n'), {
      description: '<details>',
      changes: [change('added', 'one'), change('fixed', 'two')],
    });
    const code = '```\n<details>\n```';
    assert.deepEqual(changesOf(`### Added\n- one\n\n${code}\n\n- two\n\n</details>`), [
      change('added', `one\n\n${code}`),
      change('added', 'two'),
    ]);
  });

  it('blocks that are only comments are left out', () => {
    const body =
      '<!-- one -->\n\nWords.\n\n<!--\n\n## 9.9.9\n\n- two\n-->\n<!-- three -->\n\n### Added\n\n<!-- four -->\n- a <!-- five -->\n';
    assert.deepEqual(versionOf(body), {
      description: 'Words.',
      changes: [change('added', 'a <!-- five -->')],
    });
    assert.equal(versionOf('<!-- one --> two').description, '<!-- one --> two');
    assert.equal(versionOf('Before.\n\n<!-- one -->\n\nWords.').description, 'Before.\n\nWords.');
  });
});
