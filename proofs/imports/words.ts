// Finds words of a changelog that the API does not return.
import type { ApiVersion } from './sandbox.ts';

const WORD = /[\p{L}\p{N}]+/gu;
/** Anchors are meaningless outside the page that they were written for. */
const ANCHOR = /<a\s+(?:name|id)=["']?[^"'<>]*["']?\s*(?:\/>|>\s*<\/a>)/gi;
const REFERENCE = /\]\[[^[\]\n]*\]|^ ?\[[^[\]\n]*\]:/gm;
const TAGS_IN_HEADING = /^(#+ .*)$/gm;
const TAG = /<\/?(?:small|a|span|sub|sup)\b[^<>]*>/gi;
const DAY = /^(\d+)(?:st|nd|rd|th)$/;
/** Words that the API expresses as fields. */
const SAID_BY_FIELDS = ['changelog', 'breaking', 'yanked', 'unreleased'];

function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.toLowerCase().matchAll(WORD)) yield word.replace(/^0+(?=\d)/, '');
}

/** The words of the source that are missing from the API's versions. */
export function lostWords(source: string, versions: readonly ApiVersion[]): string[] {
  const known = new Set(SAID_BY_FIELDS);
  for (const { version, title, status, publishedAt, description, changes } of versions) {
    const texts = [
      version,
      title,
      status,
      publishedAt?.replace('T', ' '),
      description,
      ...changes.flatMap(({ type, text }) => [type, text]),
    ];
    for (const text of texts) for (const word of wordsOf(text ?? '')) known.add(word);
    if (publishedAt !== null) for (const word of monthsOf(publishedAt)) known.add(word);
  }
  const plain = source
    .replaceAll(ANCHOR, ' ')
    .replaceAll(REFERENCE, ' ')
    .replaceAll(TAGS_IN_HEADING, (heading) => heading.replaceAll(TAG, ' '));
  return [...new Set(wordsOf(plain))].filter(
    (word) => !known.has(word) && !known.has(DAY.exec(word)?.[1] ?? word),
  );
}

function monthsOf(timestamp: string): string[] {
  const name = new Date(timestamp).toLocaleString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase();
  return [name, name.slice(0, 3)];
}
