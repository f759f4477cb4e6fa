// Renders texts as the program does and through sanitize-html, and compares the bytes.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { renderMarkdown } from '../../src/present/html/markdown.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';
import { diceOf } from '../imports/writers/dice.ts';
import { renderSanitised } from './sanitised.ts';
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

function assertSame(text: string): void {
  const [written, sanitised] = [renderMarkdown(text), renderSanitised(text)];
  const differs = () => `${JSON.stringify(text)}\nwritten:   ${written}\nsanitised: ${sanitised}`;
  assert.ok(written === sanitised, written === sanitised ? '' : differs());
}
