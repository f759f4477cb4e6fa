// docs/import.md, compared with the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { SECTION_NAMES } from '../../src/import/body/sections.ts';
import { READABLE_FORMATS } from '../../src/import/changelog.ts';
import { parseVersionHeading } from '../../src/import/markdown/headings.ts';
import { bare, codeBlock, tableUnder } from '../support/markdown.ts';
import { typesOf } from './body/bodies.ts';

const DOCUMENT = readFileSync(path.resolve(import.meta.dirname, '../../docs/import.md'), 'utf8');

describe('docs/import.md', () => {
  it('docs/import.md lists every format', () => {
    const formats = tableUnder(DOCUMENT, 'Format').map(([format = '']) => bare(format));
    assert.deepEqual(formats, [...READABLE_FORMATS]);
  });

  it('docs/import.md lists every section with its type', () => {
    const rows = SECTION_NAMES.map(([names, { type, breaking, isVague, isImpliedByType }]) => [
      names.join(', '),
      [type, ...(breaking ? ['breaking'] : []), ...(isVague ? ['unless the text tells more'] : [])].join(
        ', ',
      ),
      isImpliedByType ? 'no' : 'yes',
    ]);
    assert.deepEqual(tableUnder(DOCUMENT, 'Section'), rows);
  });

  it('docs/import.md lists every first word that gives a type', () => {
    const [, words = ''] = /\*\*First words\*\*([\s\S]*?)\n\n/.exec(DOCUMENT) ?? [];
    const listed = words.split(/\(`(\w+)`\)/);
    for (let at = 0; at + 1 < listed.length; at += 2)
      for (const [, word = ''] of (listed[at] ?? '').matchAll(/\*(\w+)\*/g))
        assert.deepEqual(typesOf(`- ${word} it`), [listed[at + 1]], word);
  });

  it('docs/import.md shows headings that are versions', () => {
    for (const heading of codeBlock(DOCUMENT, 'markdown').trimEnd().split('\n'))
      assert.notEqual(parseVersionHeading(heading.replace(/^#+ /, '')), null, heading);
  });
});
