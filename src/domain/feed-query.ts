// What can be asked of a changelog besides all of it (R32), as values.
import type { ChangeType } from './model.ts';

/** Versions must pass all of it. Null and empty: not restricted. */
export type FeedFilter = Readonly<{
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
export type SearchWords = Readonly<{
  /** Whole words, in any case of their letters. */
  whole: readonly string[];
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

export const WHOLE_FEED: FeedQuery = Object.freeze({
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

/** Letters with capitals, and digits, are told from one another by spaces and signs in every language. */
const SPACED = '\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lm}\\p{N}\\p{Co}';
const WORDS = new RegExp(`(?<within>\\p{Lo}[\\p{Lo}\\p{M}]*)|(?<whole>[${SPACED}][${SPACED}\\p{M}]*)`, 'gu');

/** Whatever is no letter and no digit only separates words: nothing that is typed is syntax. */
export function readWords(text: string): SearchWords {
  const words = { whole: new Set<string>(), within: new Set<string>() };
  for (const { groups } of text.normalize('NFC').matchAll(WORDS)) {
    if (groups?.whole !== undefined) words.whole.add(groups.whole.toLowerCase());
    if (groups?.within !== undefined) words.within.add(groups.within);
  }
  return { whole: [...words.whole].sort(), within: [...words.within].sort() };
}
