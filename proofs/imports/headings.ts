// Headings that look like versions, found in another way than the program finds them: it may be wrong about some, and only
// says where to look.

const VERSION = String.raw`v?\d+(?:\.\d+){1,3}(?:[-.+]?(?:alpha|beta|rc|pre|dev|next|canary)[\w.+-]*)?`;
const DATE = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}(?:st|nd|rd|th)?[ -][a-z]{3,9}\.?,?[ -]\d{4}|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})`;
export const DATES = new RegExp(DATE, 'gi');
/** A date or up to three words, then the label, then nothing that belongs to it. */
const HEADING = new RegExp(
  String.raw`^(?:${DATE}[,:\s-]+)?(?:[a-z@][\w@/.'-]*\s+){0,3}?[[(]?(${VERSION})[\])]?(?=$|[\s,:;([/|–—-])`,
  'i',
);
const REST_WORDS_MAX = 6;

/** `LINE: heading`, of those whose label is not part of any that was read. */
export function findUnread(source: string, labels: readonly string[]): string[] {
  const read = new Set(labels.map(normalise));
  const all = labels.join('\n');
  const unread = new Map<string, string>();
  for (const { line, text } of headingsOf(source)) {
    const label = labelIn(text);
    if (label === null || read.has(normalise(label)) || all.includes(normalise(label))) continue;
    unread.set(normalise(label), `${line}: ${text}`);
  }
  return [...unread.values()];
}

/** Null if the text does not look like the heading of a version. */
export function labelIn(text: string): string | null {
  const found = HEADING.exec(text);
  if (found === null || countWords(text.slice(found[0].length)) > REST_WORDS_MAX) return null;
  return found[1] ?? null;
}

function normalise(label: string): string {
  return label.replace(/^v/i, '');
}

export function countWords(rest: string): number {
  return rest.replaceAll(DATES, '').match(/[a-z]{3,}/gi)?.length ?? 0;
}

function* headingsOf(source: string): Generator<{ line: number; text: string }> {
  const lines = source.split(/\r\n?|\n/);
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== undefined) fence = mark;
    const hashes = /^ {0,3}#{1,4}[ \t]+(\S.*?)[ \t#]*$/.exec(line)?.[1];
    const isUnderlined = /^(?:={3,}|-{3,})\s*$/.test(lines[index + 1] ?? '') && /^[\w[v]/.test(line);
    const text = hashes ?? (isUnderlined ? line.trim() : undefined);
    if (text !== undefined) yield { line: index + 1, text: plain(text) };
  }
}

function plain(text: string): string {
  return text
    .replaceAll(/<[^>]*>|[*`]/g, '')
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, '$1 ')
    .trim();
}
