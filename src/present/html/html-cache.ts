// HTML by the text that it was rendered from, for as long as there is room.

export type CachedHtml = Readonly<{ html: string; syntaxCount: number }>;

/** What an entry costs besides its text and its HTML. */
const OVERHEAD_BYTES = 200;

/**
 * Two generations: what is used moves to the young one, and when that has grown to half of the room, the old one goes.
 * No order has to be kept, and nothing is ever looked for to be dropped.
 */
export function createHtmlCache(bytesMax: number) {
  let young = new Map<string, CachedHtml>();
  let old = new Map<string, CachedHtml>();
  let youngBytes = 0;

  function keep(text: string, entry: CachedHtml): void {
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
      if (older !== undefined) keep(text, older);
      return older;
    },
    keep,
  };
}
