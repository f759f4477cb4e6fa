import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { CHANGE_TYPES, sectionsOf } from '../../../src/domain/model.ts';
import * as notes from '../../../src/present/outputs/markdown.ts';
import { hostile } from '../../support/hostile-markdown.ts';
import { change, noted } from '../notes/sample.ts';

const markdown = new MarkdownIt({ html: true });
const NO_LINKS = { linkBase: null, repositoryUrl: null };
const writeNotesMarkdown = (
  version: Parameters<typeof notes.writeNotedMarkdown>[0],
  noteOn: Parameters<typeof notes.writeNotedMarkdown>[2] = () => '',
) => notes.writeNotedMarkdown(version, NO_LINKS, noteOn);

describe('release notes as Markdown', () => {
  it('they have the description, then sections, breaking changes first, and no heading', async () => {
    const version = noted({
      description: 'Uploads *overlap*.\n',
      changes: [
        change('fixed', 'A leak.'),
        change('added', 'A countdown.\n\nIt beeps.'),
        change('removed', 'The `v1` API.', 1),
        change('other', 'Nothing is breaking.', 1),
        change('security', 'Keys expire.'),
      ],
    });
    assert.equal(
      await writeNotesMarkdown(version),
      `Uploads *overlap*.

### Breaking changes

- **Removed:** The \`v1\` API.
- Nothing is breaking.

### Security

- Keys expire.

### Added

- A countdown.

  It beeps.

### Fixed

- A leak.
`,
    );
  });

  it('those of a yanked version start with that fact', async () => {
    assert.equal(
      await writeNotesMarkdown(noted({ yanked: 1, description: 'One.' })),
      '**Yanked:** withdrawn after its release.\n\nOne.\n',
    );
  });

  it('those of a version without description and changes are empty', async () => {
    assert.equal(await writeNotesMarkdown(noted({})), '');
    assert.equal(await writeNotesMarkdown(noted({ description: ' \n' })), '');
  });

  it('a description is as written, or a block quote if it would swallow what follows', async () => {
    for (const description of [
      '### New\n\n- one\n  ```\n  two\n  ```',
      '<details>x</details>',
      '~~~\n```\n~~~',
    ])
      assert.equal(await writeNotesMarkdown(noted({ description })), `${description}\n`);
    for (const description of [
      '```\ncode',
      '- one\n\n  ~~~\n  two\n~~~',
      'One.\n\n<!-- two',
      '<pre>\n',
      '<details>\n\nTwo.',
    ])
      assert.match(await writeNotesMarkdown(noted({ description })), /^(?:>.*\n)+$/, description);
  });

  it('a comment stands only where a text would mean something else after the dash', async () => {
    const written = await writeNotesMarkdown(
      noted({ changes: [change('added', 'On breaking news.  \n'), change('added', '| a |\n|---|\n| b |')] }),
    );
    assert.equal(written, '### Added\n\n- On breaking news.\n- <!-- -->\n\n  | a |\n  |---|\n  | b |\n');
  });

  it('a note is below its text, or before a text that would swallow it, whatever that contains', async () => {
    const write = (text: string) =>
      writeNotesMarkdown(
        noted({ changes: [change('added', text)] }),
        () => 'Also in [it](https://example.com/)',
      );
    assert.equal(
      await write('One.\n- two'),
      '### Added\n\n- One.\n  - two\n\n  Also in [it](https://example.com/)\n',
    );
    assert.equal(
      await write('```\ncode'),
      '### Added\n\n-   (Also in [it](https://example.com/))\n\n    ```\n    code\n',
    );
    await fc.assert(
      fc.asyncProperty(hostile(1), async (text) => {
        const written = await write(text);
        const notes = markdown
          .parse(written, {})
          .filter(
            ({ level, type, content }) =>
              level === 3 && type === 'inline' && /^\(?Also in \[it\]/.test(content),
          );
        assert.equal(notes.length, 1, written);
      }),
      { numRuns: 500 },
    );
  });

  it('no text ends its item, adds a heading or reaches another part, whatever it contains', async () => {
    const texts = fc.array(
      fc.record({
        id: fc.constant('chg_1'),
        type: fc.constantFrom(...CHANGE_TYPES),
        text: hostile(1),
        breaking: fc.constantFrom<0 | 1>(0, 1),
      }),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(hostile(), texts, async (description, changes) => {
        const written = await writeNotesMarkdown(noted({ description, changes }));
        const sections = sectionsOf(changes);
        const outer = markdown.parse(written, {}).filter(({ level, type }) => {
          return level === 0
            ? /^(?:heading|bullet_list)_open$/.test(type)
            : level === 1 && type === 'list_item_open';
        });
        const ours = outer.slice(-(changes.length + 2 * sections.length) || outer.length);
        assert.deepEqual(
          ours.map(({ tag }) => tag),
          sections.flatMap((section) => ['h3', 'ul', ...section.changes.map(() => 'li')]),
          written,
        );
      }),
      { numRuns: 500 },
    );
  });
});
