// docs/import.md, compared with the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { IMPORT_FORMATS, type ImportFormat } from '../../src/import/changelog.ts';
import { SECTIONS } from '../../src/import/dialects.ts';
import { readVersionHeading } from '../../src/import/headings.ts';
import { bare, codeBlock, tableUnder } from '../support/markdown.ts';

const DOCUMENT = readFileSync(path.resolve(import.meta.dirname, '../../docs/import.md'), 'utf8');

describe('docs/import.md', () => {
  it('lists every format', () => {
    const formats = tableUnder(DOCUMENT, 'Format').map(([format = '']) => bare(format));
    assert.deepEqual(formats, [...IMPORT_FORMATS]);
  });

  it('lists every section with its type', () => {
    const documented = new Map<string, string>();
    const write = (format: ImportFormat, name: string, type: string, breaking: boolean, isNamed: boolean) =>
      documented.set(`${format} ${name}`, `${type} ${breaking} ${isNamed}`);
    for (const [names = '', type = '', breaking, format] of tableUnder(DOCUMENT, 'Section'))
      for (const name of names.toLowerCase().split(', '))
        for (const one of formatsIn(format))
          write(
            one,
            name,
            type === 'the same' ? name : (type.split(',')[0] ?? ''),
            breaking === 'yes',
            type.includes('with'),
          );
    const coded = new Map<string, string>();
    for (const format of IMPORT_FORMATS)
      for (const [name, { type, breaking, isSaidByType }] of Object.entries(SECTIONS[format]))
        if (!name.includes('’')) coded.set(`${format} ${name}`, `${type} ${breaking} ${!isSaidByType}`);
    assert.deepEqual(new Map([...documented].sort()), new Map([...coded].sort()));
  });

  it('shows headings that are versions', () => {
    for (const heading of codeBlock(DOCUMENT, 'markdown').trimEnd().split('\n'))
      assert.notEqual(readVersionHeading(heading.replace(/^#+ /, '')), null, heading);
  });
});

/** Releases of GitHub have the sections of each format. */
function formatsIn(cell = ''): readonly ImportFormat[] {
  if (cell === 'all') return IMPORT_FORMATS;
  const formats = cell.split(', ') as ImportFormat[];
  return formats.length > 1 ? formats : [...formats, 'github-releases'];
}
