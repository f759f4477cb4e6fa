// Names that are read together, in a breadcrumb or a title: what one says, the next does not repeat.
import type { Locale } from '../../words/locale.ts';

const AROUND_WORD = /^[-–—:,;|/·()]+|[-–—:,;|/·()]+$/gu;
const keyOf = (word: string): string => word.replaceAll(AROUND_WORD, '').toLowerCase();
const wordsOf = (name: string): string[] => name.split(/\s+/).filter((word) => word !== '');

/** A name without the first words that the one before it has; empty if no other remains. */
export function afterName(before: string, name: string, { tag }: Pick<Locale, 'tag'>): string {
  const said = new Set(['', ...wordsOf(before).map(keyOf)]);
  const words = wordsOf(name);
  const first = words.findIndex((word) => !said.has(keyOf(word)));
  if (first === 0) return name;
  const rest = first === -1 ? '' : words.slice(first).join(' ');
  const beginsSentence = /^\p{Lu}/u.test(name) && /^\p{Ll}+(?: |$)/u.test(rest);
  return beginsSentence ? rest.charAt(0).toLocaleUpperCase(tag) + rest.slice(1) : rest;
}

/** The title of a page of which one part belongs to another: `Rocket 2.0 · Changelog`. */
export function titleWithin(title: string, of: string, locale: Pick<Locale, 'tag'>): string {
  const rest = afterName(title, of, locale);
  return rest === '' ? title : `${title} · ${rest}`;
}
