import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseYaml } from '../../../src/content/read/parse.ts';
import type { NotedVersion } from '../../../src/present/notes/form.ts';
import { writeNotesText } from '../../../src/present/notes/text.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import { misread } from '../../../support/content/plain-text.ts';
import { TEXT_HEAD } from '../../../support/content/texts.ts';
import { change, noted } from './sample.ts';

const write = (fields: Partial<NotedVersion>) => writeNotesText(noted(fields), TEXT_HEAD, renderAtOnce);

describe('release notes as text', () => {
  it('they have the description, then sections, breaking changes first', async () => {
    const text = await write({
      yanked: 1,
      description: '## New\n\nUploads *overlap*:\n[how](https://a.example).',
      changes: [
        change('fixed', 'A leak.'),
        change('added', 'A countdown.\n\nIt beeps.'),
        change('removed', 'The `v1` API.', 1),
        change('changed', '```\nrun\n```', 1),
        change('other', 'The colour.', 1),
      ],
    });
    assert.equal(
      text,
      `Yanked: withdrawn after its release.

New

Uploads overlap:
how (https://a.example).

Breaking changes
- Removed: The v1 API.
- Changed:
      run
- The colour.

Added
- A countdown.

  It beeps.

Fixed
- A leak.
`,
    );
  });

  it('those of a version without description and changes are empty', async () => {
    assert.equal(await write({ description: ' ' }), '');
  });

  it('those of the demo lose nothing but markup', async () => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const texts = globSync('demo/*.yaml', { cwd: root }).flatMap((file) =>
      textsIn(parseYaml(readFileSync(path.join(root, file), 'utf8'))),
    );
    assert.ok(texts.length > 40, `${texts.length} texts`);
    for (const text of texts) {
      const written = await write({ changes: [change('added', text)] });
      assert.equal(misread(text, written.replace('Added\n- ', '')), null);
    }
  });
});

/** The descriptions and changes of a content document. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'text' || key === 'description') && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}
