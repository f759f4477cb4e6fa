import type { NamedVersion } from '../present/page-paths.ts';

const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Writes a version once, as far as memory allows: it is on several pages. Bytes are copied to a page in a fraction of the
 * time that characters take.
 */
export function keepWritten<V extends NamedVersion, T>(
  write: (version: V) => Promise<T>,
  bytesOf: (written: T) => number,
): (version: V) => Promise<T> {
  const kept = new Map<string, T>();
  let bytes = 0;
  return async (version) => {
    const known = kept.get(version.id);
    if (known !== undefined) return known;
    const written = await write(version);
    bytes += bytesOf(written);
    if (bytes <= KEPT_BYTES_MAX) kept.set(version.id, written);
    return written;
  };
}
