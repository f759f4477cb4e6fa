// The languages of public changelogs, so that errors on their pages speak them too (R59).
import { visibleRows } from '../domain/access/visibility.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { findLanguage, type ProductPath } from '../store/read/reads.ts';
import type { Source } from '../store/source/source.ts';
import { countPublicWrites } from './public-writes.ts';

const LANGUAGES_MAX = 1_000;
const PUBLIC_ROWS = visibleRows('public');

export type Languages = Readonly<{
  /** English unless it is known, without a read. */
  of: (path: ProductPath) => string;
  /** Reads it if it is not known. A hidden product takes as long as none, and has no language either (R9). */
  learn: (path: ProductPath) => Promise<void>;
  /** Takes note of what a read found that began after this many public writes. */
  note: (path: ProductPath, language: string | null, writes: number) => void;
  /** After each one, nothing is known. */
  writes: () => number;
}>;

export function createLanguages(source: Source): Languages {
  const known = new Map<string, string | null>();
  let knownAt = -1;
  const writes = countPublicWrites(source);

  function current(): typeof known {
    if (knownAt !== writes() || known.size >= LANGUAGES_MAX) known.clear();
    knownAt = writes();
    return known;
  }

  function note(path: ProductPath, language: string | null, readAt: number): void {
    if (readAt === writes()) current().set(keyOf(path), language);
  }

  return {
    of: (path) => current().get(keyOf(path)) ?? DEFAULT_LANGUAGE,
    note,
    writes,
    learn: async (path) => {
      if (current().has(keyOf(path))) return;
      const readAt = writes();
      try {
        note(path, await source.read((db) => findLanguage(db, path, PUBLIC_ROWS)), readAt);
      } catch {
        // The error is what matters; it is in English then.
      }
    },
  };
}

const keyOf = ({ team, product }: ProductPath): string => `${team}/${product}`;
