import type { NamedVersion } from '../present/page-paths.ts';

const KEPT_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Writes a version once, as far as memory allows: it is on several pages. */
export function keepWritten<V extends NamedVersion, T>(
  write: (version: V) => Promise<T>,
  charactersOf: (written: T) => number,
): (version: V) => Promise<T> {
  const kept = new Map<string, T>();
  let characters = 0;
  return async (version) => {
    const known = kept.get(version.id);
    if (known !== undefined) return known;
    const written = await write(version);
    characters += charactersOf(written);
    if (characters <= KEPT_CHARACTERS_MAX) kept.set(version.id, written);
    return written;
  };
}
