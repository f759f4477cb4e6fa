import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rdocToMarkdown } from '../../../src/import/markup/rdoc.ts';
import { surveyText } from '../../../src/import/markup/survey.ts';
import { read } from './helpers.ts';

const CHANGELOG = `=== 2.0.0 / 2026-05-04

* 2 bug fixes:

  * Fixed the +fuse+. (ada)
  * Fixed <tt>Pad#launch</tt>,
    see {the docs}[https://x.example/docs].

* 1 minor enhancement:

  * A countdown.

=== 1.0.0 / 2025-01-01

* Birthday!

    launch
`;

describe('a changelog in RDoc', () => {
  it('titles are versions, and items that only name a kind of change are sections', () => {
    for (const name of ['History.rdoc', 'CHANGELOG', 'standard input']) {
      const { markup, labels, lines, days, changes, types } = read(name, CHANGELOG);
      assert.equal(markup, 'rdoc');
      assert.deepEqual(
        [labels, lines],
        [
          ['2.0.0', '1.0.0'],
          [1, 13],
        ],
      );
      assert.deepEqual(days, ['2026-05-04', '2025-01-01']);
      assert.equal(types[0]?.[0], 'fixed');
      assert.match(
        String(changes[0]?.[1]),
        /Fixed `Pad#launch`,\nsee \[the docs\]\(https:\/\/x\.example\/docs\)\.$/,
      );
      assert.match(String(changes[0]?.[2]), /A countdown\.$/);
      assert.match(String(changes[1]?.[0]), /^Birthday!\n\n {4}launch$/);
    }
  });

  it('inline markup, labels and code', () => {
    const lines =
      `A *bold* word, \\Rake and <b>more</b>; a + b + c, a[https://x.example], {Pad}[rdoc-ref:Pad], <x>.

  code <here>
  more

[Pad] Where it stands
* a
  * b
---
:stopdoc:`.split('\n');
    assert.deepEqual(
      [...rdocToMarkdown(lines, surveyText(lines))],
      [
        'A **bold** word, Rake and **more**; a + b + c, [a](https://x.example), Pad, \\<x>.',
        '',
        '    code <here>',
        '    more',
        '',
        '**Pad:** Where it stands',
        '* a',
        '  * b',
        '',
        '',
      ],
    );
  });
});
