// Tables of changes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { change, changesOf } from './bodies.ts';

describe('tables', () => {
  it('a table of changes has one in each row, with the type of its column', () => {
    const body = `### core
| Commit | Type | Description |
| -- | -- | -- |
| [abc](https://x/abc) | feat | a \\| b |
| [def](https://x/def) | fix | c |
|  | docs | d |
### Fixed
| # | Change | Scope |
|---|---|---|
| 12 | e | cli |
| | | |
`;
    assert.deepEqual(changesOf(body), [
      change('added', '**core:** feat: a | b ([abc](https://x/abc))'),
      change('fixed', '**core:** fix: c ([def](https://x/def))'),
      change('other', '**core:** docs: d'),
      change('fixed', '**cli:** e (12)'),
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
