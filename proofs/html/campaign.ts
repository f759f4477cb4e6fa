// Writes texts as the program does and through sanitize-html, and compares the HTML.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { isTooComplex } from '../../src/text/markdown-it.ts';
import { renderMarkdown } from '../../support/content/texts.ts';
import { readWritten } from '../../support/content/written-html.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';
import { diceOf } from '../imports/writers/dice.ts';
import { hasHtml, renderSanitised, sanitise } from './sanitised.ts';
import { writeText } from './texts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'demo/**/*.md', 'proofs/imports/samples/*.md'];

/** Throws at the first difference, with the shortest text that shows it. */
export function compareGenerated(count: number, seed: number): void {
  const compare = fc.property(fc.gen(), (draw) => assertSame(writeText(diceOf(draw))));
  const { errorInstance } = fc.check(compare, { numRuns: count, seed });
  if (errorInstance !== null) throw errorInstance;
}

/** Payloads and documents of this repository: whole, by paragraph and by line. Returns their number. */
export function compareWritten(): number {
  const documents = globSync(DOCUMENTS, { cwd: ROOT }).map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8'),
  );
  const paragraphs = documents.flatMap((text) => text.split(/\n{2,}/));
  const texts = new Set([
    ...PAYLOADS,
    ...documents,
    ...paragraphs,
    ...paragraphs.flatMap((text) => text.split('\n')),
  ]);
  texts.forEach(assertSame);
  return texts.size;
}

/** The sanitiser has nothing to remove; without HTML in the text, it leaves the same of what markdown-it writes. */
function assertSame(text: string): void {
  const written = renderMarkdown(text);
  readWritten(written);
  assertEqual(text, written, sanitise(written));
  if (!isTooComplex(text) && !hasHtml(text) && !ALERT.test(text))
    assertEqual(text, normalise(written), normalise(renderSanitised(text)));
}

const ALERT = /\[!(?:note|tip|important|warning|caution)\]/i;
const BLOCK = /\s*(<\/?(?:p|blockquote|pre|[uo]l|li|h\d|hr|table|t\w+)\b[^>]*>)\s*/g;

/** Without blanks beside blocks and more than one line end after a break, and with boxes as they are written. */
const normalise = (html: string): string =>
  html
    .replaceAll(BLOCK, '$1')
    .replaceAll(/<br>\n+/g, '<br>\n')
    .replaceAll('☐', '[ ]')
    .replaceAll(/☑|\[X\]/g, '[x]');

function assertEqual(text: string, written: string, sanitised: string): void {
  const differs = () => `${JSON.stringify(text)}\nwritten:   ${written}\nsanitised: ${sanitised}`;
  assert.ok(written === sanitised, written === sanitised ? '' : differs());
}
