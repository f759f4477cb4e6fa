import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orgToMarkdown } from '../../../src/import/markup/org.ts';
import { read } from './helpers.ts';

const VERSIONS = `* v2.0.0   2026-05-04

- Fixed the ~fuse~, see [[https://x.example/1][#1]].

** Added

- A countdown
  that goes on.

* v1.0.0   2025-01-01

- Birthday!
`;

describe('a changelog in Org', () => {
  for (const [name, file, text] of [
    ['a name', 'CHANGELOG.org', VERSIONS],
    ['Transient', 'CHANGELOG', `# -*- mode: org -*-\n${VERSIONS}`],
    ['a title', 'NEWS', `#+title: Rocket\n#+options: toc:nil\n\n${VERSIONS}`],
    ['lsp-mode', 'CHANGELOG.org', `* Changelog\n${VERSIONS.replaceAll(/^\*+/gm, '*$&')}`],
  ] as const)
    it(`is one by ${name}`, () => {
      const { markup, labels, days, changes, types } = read(file, text);
      assert.equal(markup, 'org');
      assert.deepEqual(
        [labels, days],
        [
          ['v2.0.0', 'v1.0.0'],
          ['2026-05-04', '2025-01-01'],
        ],
      );
      assert.deepEqual(changes, [
        ['Fixed the `fuse`, see [#1](https://x.example/1).', 'A countdown\nthat goes on.'],
        ['Birthday!'],
      ]);
      assert.equal(types[0]?.[1], 'added');
    });

  it('the first line of other files may name another mode', () => {
    const { markup } = read('NEWS', '-*- mode: outline -*-\n\n* Changes in 1.2 (2026-05-04)\n\n- One\n');
    assert.equal(markup, 'text');
  });

  /** What is written, and how it is shown. */
  const LINES: Readonly<Record<string, readonly [org: string, markdown: string]>> = {
    'a day in brackets': ['* 1.2.0 [2026-05-04 Mon] :stable:', '## 1.2.0 (2026-05-04)'],
    'a task': ['* TODO 1.2.0 <2026-05-04>', '## 1.2.0 (2026-05-04)'],
    code: ['=a *b*= and ~c=d~, a = b = c, ~/home/~.', '`a *b*` and `c=d`, a = b = c, `/home/`.'],
    emphasis: [
      '*bold* and /italic/, but 2*3*4 and a/b/c <b>',
      '**bold** and *italic*, but 2*3*4 and a/b/c \\<b>',
    ],
    links: [
      '[[https://x.example/a_b]] [[file:a.org][A]]',
      '[https://x.example/a_b](https://x.example/a_b) A',
    ],
    terms: ['- Pad :: where it stands', '- **Pad:** where it stands'],
    checkboxes: ['- [X] done\n- [ ] not yet', '- ☑ done\n- ☐ not yet'],
    'what is indented': ['* 1.2\n    - a\n      - b\n    c', '## 1.2\n- a\n  - b\nc'],
    'a block of code': [
      '- a\n  #+begin_src elisp\n  ,* (a)\n\n    <b> =c=\n  #+END_SRC\nb',
      '- a\n  ```elisp\n  * (a)\n\n    <b> =c=\n  ```\nb',
    ],
    'lines of code': [': make install\n:', '    make install\n    '],
    'what is not shown': [
      '# secret\n#+startup: overview\n:PROPERTIES:\n:ID: secret\n:END:\n#+begin_comment\nsecret\n#+end_comment\n#+begin_quote\na\n#+end_quote',
      '\n\n\n\n\n\n\n\n\na\n',
    ],
  };
  for (const [name, [org, markdown]] of Object.entries(LINES))
    it(name, () => assert.equal([...orgToMarkdown(org.split('\n'))].join('\n'), markdown));
});
