// docs/import.md, compared with the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { READABLE_FORMATS } from '../../src/import/changelog.ts';
import { SECTIONS } from '../../src/import/markdown/dialects.ts';
import { parseVersionHeading } from '../../src/import/markdown/headings.ts';
import { bare, codeBlock, tableUnder } from '../support/markdown.ts';

const DOCUMENT = readFileSync(path.resolve(import.meta.dirname, '../../docs/import.md'), 'utf8');

describe('docs/import.md', () => {
  it('docs/import.md lists every format', () => {
    const formats = tableUnder(DOCUMENT, 'Format').map(([format = '']) => bare(format));
    assert.deepEqual(formats, [...READABLE_FORMATS]);
  });

  it('docs/import.md lists every section with its type', () => {
    const sectionsOf = (...formats: string[]) =>
      Object.fromEntries(
        tableUnder(DOCUMENT, 'Section')
          .filter(([, , , format = '']) => formats.includes(format))
          .flatMap(([names = '', type = '', breaking]) =>
            names
              .toLowerCase()
              .split(', ')
              .map((name) => [
                name,
                {
                  type: type === 'the same' ? name : type.split(',')[0],
                  breaking: breaking === 'yes',
                  isImpliedByType: !type.includes('with the name'),
                },
              ]),
          ),
      );
    const { 'github-releases': releases, 'keep-a-changelog': ofTypes, ...others } = SECTIONS;
    const { 'what’s changed': _curly, ...inAscii } = releases;
    assert.deepEqual(inAscii, sectionsOf('all', 'conventional', 'changesets', 'github-releases'));
    for (const sections of Object.values(others))
      assert.deepEqual(sections, sectionsOf('all', 'conventional', 'changesets'));
    const named = { type: 'changed', breaking: true, isImpliedByType: false };
    assert.deepEqual(ofTypes, {
      ...sectionsOf('all'),
      'breaking change': named,
      'breaking changes': named,
    });
  });

  it('docs/import.md shows headings that are versions', () => {
    for (const heading of codeBlock(DOCUMENT, 'markdown').trimEnd().split('\n'))
      assert.notEqual(parseVersionHeading(heading.replace(/^#+ /, '')), null, heading);
  });
});
