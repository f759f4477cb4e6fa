// What a search found, marked in the texts of a page.
import { ASCII, foldCase, type SearchWords, SOLID_WORD, SPACED_WORD } from '../../domain/feed-query.ts';
import { escapeHtml } from './escape.ts';

/** Matches to the end what is not closed, so that it never looks at a character twice. */
const TAG = `<(?:[^"'>]|"[^"]*(?:"|$)|'[^']*(?:'|$))*(?:>|$)`;
const REFERENCE = '&#?\\w+;';
const PARTS = new RegExp(`(${TAG})|${REFERENCE}|(${SPACED_WORD})|${SOLID_WORD}`, 'gu');
/** The same in a text of ASCII. */
const ASCII_PARTS = new RegExp(`(${TAG})|${REFERENCE}|([0-9A-Za-z]+)`, 'g');

/** Where it is in the HTML, and in which text between tags. The word is null for text that no phrase has. */
type Word = Readonly<{ word: string | null; node: number; start: number; end: number }>;
type Range = { start: number; end: number };

/** Puts `mark` around every word that the search found, in sanitised HTML. */
export function markHits(html: string, words: SearchWords | null): string {
  let marked = '';
  let end = 0;
  for (const hit of words === null ? [] : findHits(html, words)) {
    marked += `${html.slice(end, hit.start)}<mark>${html.slice(hit.start, hit.end)}</mark>`;
    end = hit.end;
  }
  return marked + html.slice(end);
}

/** The same for a text that is not HTML yet. */
export function markText(text: string, words: SearchWords | null): string {
  return markHits(escapeHtml(text), words);
}

/** Whether `markHits` would mark anything. */
export function hasHit(html: string, words: SearchWords | null): boolean {
  return words !== null && findHits(html, words).length > 0;
}

/** In order, without overlaps, each within one text between tags. */
function findHits(html: string, { phrases, within }: SearchWords): Range[] {
  const hits = [
    ...(phrases.length > 0 ? findPhrases(wordsIn(html, phrases), phrases) : []),
    ...(within.length > 0 ? findWithin(html, within) : []),
  ].sort((one, other) => one.start - other.start);
  const merged: Range[] = [];
  for (const hit of hits) {
    const last = merged.at(-1);
    if (last === undefined || hit.start >= last.end) merged.push({ ...hit });
    else last.end = Math.max(last.end, hit.end);
  }
  return merged;
}

/** None if no phrase can begin here. */
function wordsIn(html: string, phrases: SearchWords['phrases']): Word[] {
  const folded = foldCase(html);
  if (!phrases.some(([first = '']) => folded.includes(first))) return [];
  const words: Word[] = [];
  let node = 0;
  for (const { 0: part, 1: tag, 2: word, index } of html.matchAll(ASCII.test(html) ? ASCII_PARTS : PARTS)) {
    if (tag !== undefined) node++;
    else if (part[0] !== '&')
      words.push({
        word: word === undefined ? null : foldCase(word),
        node,
        start: index,
        end: index + part.length,
      });
  }
  return words;
}

function findPhrases(words: readonly Word[], phrases: SearchWords['phrases']): Range[] {
  const hits: Range[] = [];
  for (const [index, first] of words.entries())
    for (const phrase of phrases) {
      const matches = phrase.every((wanted, place) => {
        const word = words[index + place]?.word ?? '';
        return place === phrase.length - 1 ? word.startsWith(wanted) : word === wanted;
      });
      if (matches) hits.push(...byNode(words.slice(index, index + phrase.length), first));
    }
  return hits;
}

/** A phrase may go on behind a tag, where another mark starts. */
function byNode(words: readonly Word[], first: Word): Range[] {
  const ranges = [{ start: first.start, end: first.end }];
  for (const [index, { node, start, end }] of words.entries()) {
    const last = ranges.at(-1) as Range;
    if (index === 0 || words[index - 1]?.node === node) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

/** These texts consist of letters and their marks, so nothing needs escaping. */
function findWithin(html: string, texts: readonly string[]): Range[] {
  const longestFirst = texts.toSorted((one, other) => other.length - one.length).join('|');
  const hits: Range[] = [];
  for (const { 0: part, 1: text, index } of html.matchAll(new RegExp(`${TAG}|(${longestFirst})`, 'gu')))
    if (text !== undefined) hits.push({ start: index, end: index + part.length });
  return hits;
}
