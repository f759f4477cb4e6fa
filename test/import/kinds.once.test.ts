// What a refusal says of a file that is not a changelog.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Refusal } from '../../src/errors.ts';
import { readChangelog } from '../../src/import/read.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const pandoc = (from: string) => new RegExp(`pandoc -f ${from} -t gfm`);

/** The name of the file, what is in it, and what must be said of it. */
const FILES: readonly (readonly [string, string | Buffer, RegExp, RegExp])[] = [
  ['x.zip', latin1('PK\x03\x04\x14\0\0\0'), /:1: this is an archive; unpack it/, /from it\.$/],
  ['x.docx', latin1('PK\x03\x04\x14\0\0\0word/document.xml'), /:1: this is a Word document/, pandoc('docx')],
  ['x.gz', gzipSync('# Changelog'), /:1: this is an archive/, /unpack/],
  ['x.tar', `CHANGELOG.md${'\0'.repeat(245)}ustar`, /:1: this is an archive/, /unpack/],
  ['x.pdf', latin1('%PDF-1.7\n%\xe2\xe3'), /:1: this is a PDF/, /pass a content document or a changelog/],
  ['x.png', latin1('\x89PNG\r\n\x1a\n\0'), /:1: this is a picture/, /pass/],
  ['x.html', '<!DOCTYPE html>\n<h2>1.0.0</h2>\n', /:1: this looks like HTML/, pandoc('html')],
  ['x.xml', '<?xml version="1.0"?>\n<a/>\n', /:1: this looks like XML/, /Markdown/],
  ['x', '<?xml version="1.0"?>\n<feed xmlns="a"/>\n', /:1: this looks like XML/, /Markdown/],
  ['package.json', '{"version":"1.0.0"}', /:1: this looks like JSON of another kind/, /releases/],
  ['list.json', '["1.0.0", "2.0.0"]', /:1: this looks like JSON of another kind/, /releases/],
  ['x.yaml', 'versions:\n  - 1.0.0\n', /:1: this looks like YAML/, /Markdown/],
  [
    'changelog',
    'My packages.\n\nrocket (1.2-1) unstable; urgency=low\n\n  * Fix.\n',
    /:1: this looks like a Debian changelog/,
    /--format debian/,
  ],
  [
    'ChangeLog',
    '2026-05-04  Ada  <a@x.example>\n\n\t* pad.c: Fix.\n',
    /:1: this looks like a ChangeLog/,
    /NEWS/,
  ],
  ['log', `commit ${'0a'.repeat(20)}\nAuthor: Ada\n`, /:1: this looks like output of `git log`/, /heading/],
  ['x.org', '#+TITLE: x\n* One\n', /:1: no version headings/, /It was read as Org/],
  ['x.adoc', '= Title\n\nWords.\n', /:1: no version headings/, /It was read as AsciiDoc; --format/],
  ['x.rst', 'Title\n=====\n\nWords.\n', /:1: no version headings/, /It was read as reStructuredText/],
  ['x.md', 'Once upon a time.\n', /:1: no version headings/, /changelog/],
];

describe('a file that is not a changelog', () => {
  it('a file that is not a changelog is refused by name, with what to do', () => {
    for (const [name, content, what, advice] of FILES) {
      const input = { bytes: Buffer.from(content as string), name: name };
      assert.throws(
        () => readChangelog(input, { format: 'auto' }),
        (error: unknown) =>
          error instanceof Refusal &&
          [what, advice].every((part) => part.test(error.message)) &&
          !error.message.includes('\n'),
        name,
      );
    }
  });
});
