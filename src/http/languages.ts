// The languages of public changelogs, so that errors on their pages speak them too (R59).
import { LRUCache } from 'lru-cache';
import { visibleRows } from '../domain/access/visibility.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { touchesOn } from '../store/engine/touches.ts';
import { findLanguage, type ProductPath } from '../store/read/reads.ts';
import type { Source } from '../store/source/source.ts';

/** Changes with each public write. A revision would not: another database in its place may have the same one. */
export function countPublicWrites(source: Source): () => number {
  let writes = 0;
  source.onTouched((touches) => {
    if (touchesOn('public', touches).length > 0) writes++;
  });
  return () => writes;
}

const PUBLIC_ROWS = visibleRows('public');

export type Languages = Readonly<{
  /** English unless it is known, without a read. */
  of: (path: ProductPath) => string;
  /** Reads it if it is not known. A hidden product takes as long as none, and has no language either (R9). */
  learn: (path: ProductPath) => Promise<void>;
  /** Takes note of what a read found that began after this many public writes. */
  note: (path: ProductPath, language: string, writes: number) => void;
  /** After each one, nothing is known. */
  writes: () => number;
}>;

export function createLanguages(source: Source): Languages {
  const writes = countPublicWrites(source);
  /** No language is the empty one. */
  const known = new LRUCache<string, string>({ max: 1_000 });
  const keyAt = (at: number, { team, product }: ProductPath) => `${at} ${team}/${product}`;
  return {
    of: (path) => known.get(keyAt(writes(), path)) || DEFAULT_LANGUAGE,
    note: (path, language, at) => void known.set(keyAt(at, path), language),
    writes,
    learn: async (path) => {
      const key = keyAt(writes(), path);
      if (known.has(key)) return;
      try {
        known.set(key, (await source.read((db) => findLanguage(db, path, PUBLIC_ROWS))) ?? '');
      } catch {
        // The error is what matters; it is in English then.
      }
    },
  };
}
