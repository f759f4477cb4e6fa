// The languages of public changelogs, so that errors on their pages speak them too (R59).
import { visibleRows } from '../domain/access/visibility.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { findLanguage, type ProductPath } from '../store/read/reads.ts';
import type { Source } from '../store/source/source.ts';

const LANGUAGES_MAX = 1_000;
const PUBLIC_ROWS = visibleRows('public');

export type Languages = Readonly<{
  /** English unless it is known, without a read. */
  of: (path: ProductPath) => string;
  /** Reads it if it is not known. A hidden product takes as long as none, and has no language either (R9). */
  learn: (path: ProductPath) => Promise<void>;
  /** Takes note of what a read found that began at this revision. */
  note: (path: ProductPath, language: string | null, revision: number) => void;
  /** Changes with each public write, after which nothing is known. */
  revision: () => number;
}>;

export function createLanguages(source: Source): Languages {
  const known = new Map<string, string | null>();
  let knownAt = -1;
  const revision = () => source.revision('public');

  function current(): typeof known {
    if (knownAt !== revision() || known.size >= LANGUAGES_MAX) known.clear();
    knownAt = revision();
    return known;
  }

  function note(path: ProductPath, language: string | null, readAt: number): void {
    if (readAt === revision()) current().set(keyOf(path), language);
  }

  return {
    of: (path) => current().get(keyOf(path)) ?? DEFAULT_LANGUAGE,
    note,
    revision,
    learn: async (path) => {
      if (current().has(keyOf(path))) return;
      const readAt = revision();
      try {
        note(path, await source.read((db) => findLanguage(db, path, PUBLIC_ROWS)), readAt);
      } catch {
        // The error is what matters; it is in English then.
      }
    },
  };
}

const keyOf = ({ team, product }: ProductPath): string => `${team}/${product}`;
