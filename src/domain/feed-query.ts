// A changelog's filters (R32).
import letters from './letters.json' with { type: 'json' };
import type { ChangeType } from './model.ts';

/** Versions must match all of them. Null and empty mean no restriction. */
export type FeedFilter = Readonly<{
  /** Normalised timestamps, both inclusive. */
  since: string | null;
  until: string | null;
  /** Sort keys of versions: after `from`, up to and including `to`. */
  from: string | null;
  to: string | null;
  /** Versions with a change of one of these types. */
  types: readonly ChangeType[];
  /** Versions with a breaking change, of one of the types if there are any. */
  isBreaking: boolean;
  withPrereleases: boolean;
  words: SearchWords | null;
}>;

/** All must match; with none, nothing matches. */
export type SearchWords = Readonly<{
  /**
   * Case-insensitive; words not separated by a space must be adjacent: `2.1.0`. The last word of each also matches
   * longer words that begin with it.
   */
  phrases: readonly (readonly string[])[];
  /** Also match within words: for scripts without capitals, many of which do not separate words by spaces. */
  within: readonly string[];
}>;

/** A version's position in the list, for keyset pagination. */
export type FeedPosition = Readonly<{ sortKey: string; id: string }>;

/** The order of a changelog (R12). */
export function byPosition(one: FeedPosition, other: FeedPosition): number {
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

export type FeedQuery = FeedFilter &
  Readonly<{
    limit: number | null;
    after: FeedPosition | null;
    /** Whether to return full version records. */
    withChanges: boolean;
  }>;

/** For so many versions. */
export type LimitedQuery = FeedQuery & Readonly<{ limit: number }>;

export const NO_FILTER: FeedQuery = Object.freeze({
  since: null,
  until: null,
  from: null,
  to: null,
  types: [],
  isBreaking: false,
  withPrereleases: true,
  words: null,
  limit: null,
  after: null,
  withChanges: false,
});

export type ChangeFilter = Pick<FeedFilter, 'types' | 'isBreaking'>;

/** Whether a filter asks for changes of some kind; a version needs one change that is all it asks for. */
export function isOfChanges({ types, isBreaking }: ChangeFilter): boolean {
  return types.length > 0 || isBreaking;
}

export function matchesChange(
  { types, isBreaking }: ChangeFilter,
  { type, breaking }: Readonly<{ type: ChangeType; breaking: boolean | 0 | 1 }>,
): boolean {
  return (types.length === 0 || types.includes(type)) && (!isBreaking || Boolean(breaking));
}

/** The inside of a character class, for the flag `u`. */
export const classOf = (ranges: readonly string[]): string =>
  ranges
    .join(' ')
    .replaceAll(/[0-9a-f]+/g, '\\u{$&}')
    .replaceAll(' ', '');

// The characters that make up words are hexadecimal ranges of code points from Unicode 17. Written out because each
// Node.js has its own tables, but all servers and the database must agree on what a word is.

/**
 * Letters with capitals, and digits: spaces and punctuation separate their words in every language. Most of Georgian
 * and Cherokee is excluded, because nobody uses its capitals.
 */
const SPACED_LETTERS = classOf(letters.spaced);
/** Letters of scripts without capitals, with the marks that repeat or lengthen a letter in Japanese. */
const UNSPACED_LETTERS = classOf(letters.unspaced);
/** Marks that belong to the letter before them. */
const MARKS = classOf(letters.marks);

/** Combining accents. All other marks belong to scripts without capitals, or to emoji. */
const ACCENTS = '\\u0300-\\u036f';
/** The pattern of a word in a text, for the flag `u`; `foldCase` gives the form in which a search has it. */
export const SPACED_WORD = `(?:[${SPACED_LETTERS}][${ACCENTS}]*)+`;
/** Text without capitals that stands between words; other such text only separates them. */
export const SOLID_WORD =
  '[\\u3400-\\u9fff\\uac00-\\ud7a3\\u3005\\u3031-\\u3035\\u303b\\u309d-\\u309e\\u30fc-\\u30fe\\uff70\\uff9e-\\uff9f]+';
const SPACED = new RegExp(SPACED_WORD, 'gu');
const UNSPACED = new RegExp(`(?:[${UNSPACED_LETTERS}][${MARKS}]*)+`, 'gu');

/** Anything but letters and digits only separates words: there is no query syntax. */
export function parseWords(text: string): SearchWords {
  const phrases = new Map<string, string[]>();
  const within = new Set<string>();
  for (const chunk of text.normalize('NFC').split(/\s+/)) {
    for (const word of chunk.match(UNSPACED) ?? []) within.add(word);
    for (const part of chunk.split(UNSPACED)) {
      const phrase = (part.match(SPACED) ?? []).map(foldCase);
      if (phrase.length > 0) phrases.set(phrase.join(' '), phrase);
    }
  }
  const sorted = [...phrases].sort(([one], [other]) => (one < other ? -1 : 1));
  return { phrases: sorted.map(([, phrase]) => phrase), within: [...within].sort() };
}

/** Treats the final sigma as a sigma, and ignores the dot of the Turkish capital I. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}

/** Most texts are: they take a fraction of the time. */
const ASCII = /^[\0-\x7f]*$/;

/** Whether the texts of a version have all words; a phrase must stand in one of them. */
export function hasWords(texts: readonly string[], { phrases, within }: SearchWords): boolean {
  if (!within.every((word) => texts.some((text) => text.includes(word)))) return false;
  if (phrases.length === 0) return within.length > 0;
  const wordsOf = texts.map((text) => (text.match(SPACED) ?? []).map(foldCase));
  return phrases.every((phrase) => wordsOf.some((words) => hasPhrase(words, phrase)));
}

/** The last word of a phrase is a beginning. */
function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const last = phrase.length - 1;
  return words.some((_, start) =>
    phrase.every((word, place) =>
      place === last ? words[start + place]?.startsWith(word) : words[start + place] === word,
    ),
  );
}
