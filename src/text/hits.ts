// What a search found, marked in texts.
import { ASCII, foldCase, type SearchWords, SOLID_WORD, SPACED_WORD } from '../domain/feed-query.ts';
import { isElement, type Node } from './tree.ts';

const PARTS = new RegExp(`(${SPACED_WORD})|${SOLID_WORD}`, 'gu');
/** The same in a text of ASCII. */
const ASCII_PARTS = /([0-9A-Za-z]+)/g;

/** Where a word is: in which text, and from where to where. It is null for text that no phrase has. */
type Word = Readonly<{ word: string | null; text: number; start: number; end: number }>;
type Range = { text: number; start: number; end: number };

/** Puts `mark` around every word that the search found. Returns the same nodes if there is none. */
export function markHits(nodes: readonly Node[], words: SearchWords | null): readonly Node[] {
  if (words === null) return nodes;
  const texts: string[] = [];
  collectTexts(nodes, texts);
  const hits = findHits(texts, words);
  if (hits.length === 0) return nodes;
  let text = 0;
  let next = 0;
  const mark = (inside: readonly Node[]): Node[] =>
    inside.flatMap((node): Node[] => {
      if (isElement(node)) return [{ ...node, children: mark(node.children) }];
      const own: Range[] = [];
      while (hits[next]?.text === text) own.push(hits[next++] as Range);
      text++;
      return markIn(node, own);
    });
  return mark(nodes);
}

function markIn(text: string, hits: readonly Range[]): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const { start, end } of hits) {
    if (start > at) nodes.push(text.slice(at, start));
    nodes.push({ tag: 'mark', attributes: {}, children: [text.slice(start, end)] });
    at = end;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

function collectTexts(nodes: readonly Node[], texts: string[]): void {
  for (const node of nodes)
    if (isElement(node)) collectTexts(node.children, texts);
    else texts.push(node);
}

/** In order, without overlaps, each within one text. */
function findHits(texts: readonly string[], { phrases, within }: SearchWords): Range[] {
  const hits = [
    ...(phrases.length > 0 ? findPhrases(wordsIn(texts, phrases), phrases) : []),
    ...(within.length > 0 ? findWithin(texts, within) : []),
  ].sort((one, other) => one.text - other.text || one.start - other.start);
  const merged: Range[] = [];
  for (const hit of hits) {
    const last = merged.at(-1);
    if (last === undefined || last.text !== hit.text || hit.start >= last.end) merged.push({ ...hit });
    else last.end = Math.max(last.end, hit.end);
  }
  return merged;
}

/** None if no phrase can begin here. */
function wordsIn(texts: readonly string[], phrases: SearchWords['phrases']): Word[] {
  const folded = texts.map(foldCase);
  if (!phrases.some(([first = '']) => folded.some((text) => text.includes(first)))) return [];
  return texts.flatMap((whole, text) =>
    [...whole.matchAll(ASCII.test(whole) ? ASCII_PARTS : PARTS)].map(({ 0: part, 1: word, index }) => ({
      word: word === undefined ? null : foldCase(word),
      text,
      start: index,
      end: index + part.length,
    })),
  );
}

function findPhrases(words: readonly Word[], phrases: SearchWords['phrases']): Range[] {
  const hits: Range[] = [];
  for (const index of words.keys())
    for (const phrase of phrases) {
      const matches = phrase.every((wanted, place) => {
        const word = words[index + place]?.word ?? '';
        return place === phrase.length - 1 ? word.startsWith(wanted) : word === wanted;
      });
      if (matches) hits.push(...byText(words.slice(index, index + phrase.length)));
    }
  return hits;
}

/** A phrase may go on in another text, where another mark starts. */
function byText(words: readonly Word[]): Range[] {
  const ranges: Range[] = [];
  for (const { text, start, end } of words) {
    const last = ranges.at(-1);
    if (last?.text === text) last.end = end;
    else ranges.push({ text, start, end });
  }
  return ranges;
}

/** These texts consist of letters and their marks. */
function findWithin(texts: readonly string[], wanted: readonly string[]): Range[] {
  const longestFirst = wanted.toSorted((one, other) => other.length - one.length).join('|');
  const found = new RegExp(longestFirst, 'gu');
  return texts.flatMap((whole, text) =>
    [...whole.matchAll(found)].map(({ 0: part, index }) => ({
      text,
      start: index,
      end: index + part.length,
    })),
  );
}
