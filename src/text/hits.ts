// What a search found, marked in texts.
import { foldCase, type SearchWords, SOLID_WORD, SPACED_WORD } from '../domain/feed-query.ts';
import { cutOut, elementOf, isElement, type Node, type Range, textsIn } from './tree.ts';

const PARTS = new RegExp(`(${SPACED_WORD})|${SOLID_WORD}`, 'gu');

/** Puts `mark` around every word that the search found. Returns the same nodes if there is none. */
export function markHits(nodes: readonly Node[], words: SearchWords): readonly Node[] {
  const hits = findHits(textsIn(nodes).join(BETWEEN), words);
  if (hits.length === 0) return nodes;
  let [start, next] = [0, 0];
  const mark = (inside: readonly Node[]): Node[] =>
    inside.flatMap((node): Node[] => {
      if (isElement(node)) return [{ ...node, children: mark(node.children) }];
      const own: Range[] = [];
      const end = start + node.length;
      for (let hit = hits[next]; hit !== undefined && hit.start < end; hit = hits[++next]) {
        own.push({ start: Math.max(hit.start - start, 0), end: Math.min(hit.end, end) - start });
        // A phrase may go on in another text, where another mark starts.
        if (hit.end > end) break;
      }
      start = end + BETWEEN.length;
      return cutOut(node, own, (found) => elementOf('mark', found));
    });
  return mark(nodes);
}

/** Text of different elements is not one word. */
const BETWEEN = '\0';

/** In order, without overlaps. */
function findHits(text: string, { phrases, within }: SearchWords): Range[] {
  const hits = [...findPhrases(text, phrases), ...findWithin(text, within)];
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of hits.sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) merged.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return merged;
}

function findPhrases(text: string, phrases: SearchWords['phrases']): Range[] {
  const folded = foldCase(text);
  if (!phrases.some(([first = '']) => folded.includes(first))) return [];
  // A word is null for text that no phrase has.
  const words = [...text.matchAll(PARTS)].map(({ 0: part, 1: word, index }) => ({
    word: word === undefined ? null : foldCase(word),
    start: index,
    end: index + part.length,
  }));
  const isAt = (phrase: readonly string[], at: number) =>
    phrase.every((wanted, place) => {
      const word = words[at + place]?.word ?? '';
      return place === phrase.length - 1 ? word.startsWith(wanted) : word === wanted;
    });
  return words.flatMap(({ start }, at) =>
    phrases
      .filter((phrase) => isAt(phrase, at))
      .map(({ length }) => ({ start, end: words[at + length - 1]?.end ?? start })),
  );
}

/** Such words consist of letters and their marks. */
function findWithin(text: string, wanted: readonly string[]): Range[] {
  if (wanted.length === 0) return [];
  const longestFirst = wanted.toSorted((one, other) => other.length - one.length).join('|');
  const found = text.matchAll(new RegExp(longestFirst, 'gu'));
  return [...found].map(({ 0: part, index }) => ({ start: index, end: index + part.length }));
}
