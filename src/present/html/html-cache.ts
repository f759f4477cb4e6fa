// Rendered HTML by its source text.

type CachedHtml = Readonly<{ html: string; syntaxCount: number }>;

/** The cost of an entry in addition to its text and HTML. */
const OVERHEAD_BYTES = 200;

/**
 * Two generations: entries that are used move to the young one, and when that reaches half of the limit, the old one is
 * evicted. This needs no order and no search for entries to evict.
 */
export function createHtmlCache(bytesMax: number) {
  let young = new Map<string, CachedHtml>();
  let old = new Map<string, CachedHtml>();
  let youngBytes = 0;

  function put(text: string, entry: CachedHtml): void {
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(entry.html) + OVERHEAD_BYTES;
    if (bytes > bytesMax / 2) return;
    if (youngBytes + bytes > bytesMax / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(text, entry);
    youngBytes += bytes;
  }

  return {
    find: (text: string): CachedHtml | undefined => {
      const entry = young.get(text);
      if (entry !== undefined) return entry;
      const older = old.get(text);
      if (older !== undefined) put(text, older);
      return older;
    },
    put,
  };
}
