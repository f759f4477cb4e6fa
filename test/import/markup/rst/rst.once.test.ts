import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rstToMarkdown } from '../../../../src/import/markup/rst/rst.ts';
import { surveyText } from '../../../../src/import/markup/survey.ts';
import { read } from '../helpers.ts';

const convert = (text: string) => {
  const lines = text.split('\n');
  return [...rstToMarkdown(lines, surveyText(lines))].join('\n');
};

describe('a changelog in reStructuredText', () => {
  it('titles are versions and sections by their underlines, at the lines of the file', () => {
    const { markup, labels, lines, days, changes, types } = read(
      'CHANGES.rst',
      `.. _changes:

=========
Changelog
=========

..
    Written by a tool.

.. towncrier release notes start

2.0.0 (2026-05-04)
==================

Added - 2.0.0
-------------

- A countdown. :issue:\`12\`

Changed - 2.0.0
---------------

- Two
  lines.

----

1.0.0 (2025-01-01)
==================

Fixed
-----

* The \`fuse <https://x.example/fuse>\`_.
`,
    );
    assert.equal(markup, 'rst');
    assert.deepEqual(
      [labels, lines],
      [
        ['2.0.0', '1.0.0'],
        [12, 28],
      ],
    );
    assert.deepEqual(days, ['2026-05-04', '2025-01-01']);
    assert.deepEqual(changes, [['A countdown. #12', 'Two\nlines.'], ['The [fuse](https://x.example/fuse).']]);
    assert.deepEqual(types, [['added', 'changed'], ['fixed']]);
  });

  it('inline markup becomes Markdown, also over two lines', () => {
    const source = `Text with \`\`a_literal\`\`, :class:\`~rocket.pad.Pad\`, :func:\`launch()\`, :pr:\`7\`,
:user:\`ada\`, :pep:\`8\`, :ref:\`the guide <guide>\`, **bold** and *stress*, see \`the
docs <https://x.example/docs>\`_, Pads_, \`the pads\`_, unknown_, \`first\`__ and |name|; <b> and __init__.

.. _pads: https://x.example/pads
.. _the pads: https://x.example/all
.. |name| replace:: Rocket
__ https://x.example/first
`;
    assert.equal(
      convert(source),
      `Text with \`a_literal\`, \`Pad\`, \`launch()\`, #7,
@ada, PEP 8, the guide, **bold** and *stress*, see [the
docs](https://x.example/docs), [Pads], [the pads], unknown\\_, [first][anonymous-1] and Rocket; \\<b> and \\_\\_init\\_\\_.

[pads]: https://x.example/pads
[the pads]: https://x.example/all

[anonymous-1]: https://x.example/first
`,
    );
  });

  it('code, notes, lists and quotations become those of Markdown', () => {
    assert.equal(
      convert(`1.0
---

:release-date: 2026-05-04

- One::

      code *here*

  more

  .. code-block:: python
     :linenos:

     x = "1"

#. Numbered
#. Again

.. note:: Mind
   the gap.

   - Really.

.. deprecated:: 2.0 Use more.

   * Quoted list.

.. contents::
   :local:

>>> launch()
True

.. include:: ../NEWS.rst
.. unknown:: thing

   Its text.
`),
      `## 1.0


**release-date:** 2026-05-04

- One:
  \`\`\`
  code *here*
  \`\`\`
  more



  \`\`\`python
  x = "1"
  \`\`\`
1. Numbered
1. Again

> **Note:** Mind
> the gap.
>
> - Really.

> **Deprecated since version 2.0:** Use more.
>
> * Quoted list.



\`\`\`
>>> launch()
True
\`\`\`
\`.. include:: ../NEWS.rst\`
\`.. unknown:: thing\`

Its text.
`,
    );
  });

  it('the directives of a changelog tool are versions and changes', () => {
    const { labels, changes, descriptions } = read(
      'changelog.rst',
      `.. changelog::
    :version: 1.1
    :released: May 4, 2026

    .. change::
        :tags: bug, pad
        :tickets: 12, 13

        Fixed the fuse.

        And the pad.

    .. change::
        :tags: feature

        A countdown.

.. changelog::
    :version: 1.0
`,
    );
    assert.deepEqual(labels, ['1.1', '1.0']);
    assert.deepEqual(changes[0], [
      '[bug] [pad] #12 #13 Fixed the fuse.\n\nAnd the pad.',
      '[feature] A countdown.',
    ]);
    assert.doesNotMatch(String(descriptions), /change|tags/);
  });

  it('roles as versions and changes, newest first: paramiko, fabric', () => {
    const { labels, days, changes, types } = read(
      'changelog.rst',
      `Changelog
=========

- :bug:\`13\` Soon.
- :release:\`2.0.0 <2026-05-04>\`
- :release:\`1.9.1 <2026-05-04>\` 12, 11
- :bug:\`12 major\` A leak
  in the tank. :issue:\`12\`
- :feature:\`-\` A countdown.

* :release:\`1.9.0 <24th February 2025>\`
* :support:\`1 backported\` Words about :release:\`1.8.0 <2025-01-01>\`
`,
    );
    assert.deepEqual(labels, ['Unreleased', '2.0.0', '1.9.1', '1.9.0']);
    assert.deepEqual(days, ['draft', '2026-05-04', '2026-05-04', '2025-02-24']);
    assert.deepEqual(changes, [
      ['bug #13 Soon.'],
      [],
      ['bug #12 A leak\nin the tank. #12', 'feature: A countdown.'],
      ['support #1 Words about 1.8.0'],
    ]);
    assert.deepEqual(types[2], ['fixed', 'added']);
  });

  it('a directive for each release', () => {
    const text =
      '.. release:: 2.0.0 (2026-05-04)\n\n   * One\n   * Two\n\n.. release:: 1.0.0\n\n   * First\n';
    const { labels, days, changes } = read('changes.rst', text);
    assert.deepEqual(
      [labels, days],
      [
        ['2.0.0', '1.0.0'],
        ['2026-05-04', 'draft'],
      ],
    );
    assert.deepEqual(changes, [['One', 'Two'], ['First']]);
  });

  it('every line of the file becomes one line', () => {
    const pieces = [
      '1.0 (2026-05-04)',
      '====',
      '----',
      '',
      '  ',
      '- a::',
      '    code',
      '.. note::',
      '..',
      '  x',
    ];
    pieces.push('.. code:: c', '`a', 'b <https://x.example>`_', '+--+', '>>> a', '.. _a:', ':f: v', '__ u');
    let seed = 1;
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return pieces[seed % pieces.length] as string;
    };
    for (let round = 0; round < 200; round++) {
      const lines = Array.from({ length: 30 }, next);
      const converted = [...rstToMarkdown(lines, surveyText(lines))];
      const extra = converted.length - lines.length;
      assert.ok(extra >= 0 && extra <= 6, `${extra} more lines of\n${lines.join('\n')}`);
    }
  });
});
