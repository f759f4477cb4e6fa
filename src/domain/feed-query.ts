// What can be asked of a changelog besides all of it (R32), as values.
import type { ChangeType } from './model.ts';

/** Versions must pass all of it. Null and empty: not restricted. */
type FeedFilter = Readonly<{
  /** Moments in the one written form, both included. */
  since: string | null;
  until: string | null;
  /** Places in the order of versions: after the one, up to and including the other. */
  from: string | null;
  to: string | null;
  /** At least one change of one of these types. */
  types: readonly ChangeType[];
  withPrereleases: boolean;
  words: SearchWords | null;
}>;

/** All of them must be found; where there are none at all, nothing is. */
type SearchWords = Readonly<{
  /** Whole words in any case of their letters, those that were written without a space side by side: `2.1.0`. */
  phrases: readonly (readonly string[])[];
  /** Found within words, too: of scripts without capitals, many of which do not put spaces between words. */
  within: readonly string[];
}>;

/** The place of a version in the order in which versions are shown: what keyset paging goes on from. */
export type FeedPosition = Readonly<{ sortKey: string; id: string }>;

export type FeedQuery = FeedFilter &
  Readonly<{
    limit: number | null;
    after: FeedPosition | null;
    /** Each version as the full record. */
    withChanges: boolean;
  }>;

export const NO_FILTER: FeedQuery = Object.freeze({
  since: null,
  until: null,
  from: null,
  to: null,
  types: [],
  withPrereleases: true,
  words: null,
  limit: null,
  after: null,
  withChanges: false,
});

/** Two scripts whose capitals nobody uses. */
const WITHOUT_CAPITALS = '\\u10a0-\\u10ff\\u13a0-\\u13ff\\u1c90-\\u1cbf';
/** Belong to the letters of Japanese before them: that a vowel is long, or that a letter is repeated. */
export const JAPANESE_MARKS =
  '\\u3005\\u3031-\\u3035\\u303b\\u309d-\\u309e\\u30fc-\\u30fe\\uff70\\uff9e-\\uff9f';
/** Letters with capitals, and digits: words of them are set apart by spaces and signs in every language. */
export const SPACED_LETTER = `(?![${WITHOUT_CAPITALS}${JAPANESE_MARKS}])[\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lm}\\p{N}]`;
/** Accents that stand apart from their letters. All other marks belong to scripts without capitals, or to emoji. */
export const ACCENTS = '\\u0300-\\u036f';
const SPACED = new RegExp(`(?:${SPACED_LETTER}[${ACCENTS}]*)+`, 'gu');
/** Letters without, from where the scripts begin that have none. */
const UNSPACED = new RegExp(
  `(?:(?:(?![\\0-\\u058f])\\p{Lo}|[${WITHOUT_CAPITALS}${JAPANESE_MARKS}])\\p{M}*)+`,
  'gu',
);

/** Whatever is no letter and no digit only separates words: nothing that is typed is syntax. */
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

/** The small sigma that ends a word is no other letter, and the dot of the Turkish capital is none at all. */
function foldCase(word: string): string {
  return word.toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}

/** The words as they can be read again. */
export function formatWords({ phrases, within }: SearchWords): string {
  return [...phrases.map((phrase) => phrase.join('-')), ...within].join(' ');
}
