// Normalises the names of sections for look-ups.

/** A longer text is not a name. */
const NAME_CHARACTERS_MAX = 200;

/** `⚠ BREAKING CHANGES` → `breaking changes` */
export function plainName(name: string): string {
  if (name.length > NAME_CHARACTERS_MAX) return '';
  return name
    .toLowerCase()
    .replaceAll(/:\w+:/g, '')
    .replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    .replaceAll(/\s+/g, ' ');
}

const LINK = /\[([^[\]]*)\]\([^()]*\)/g;

/** Cached, because the same names repeat. */
const KNOWN_MAX = 10_000;
const known = new Map<string, string>();

/** Also removes links, emphasis, hyphens and the plural. */
export function singularName(name: string): string {
  if (name.length > NAME_CHARACTERS_MAX) return '';
  const found = known.get(name);
  if (found !== undefined) return found;
  const singular = makeSingular(name);
  if (known.size === KNOWN_MAX) known.clear();
  known.set(name, singular);
  return singular;
}

/** Not cached, for tables. */
export function makeSingular(name: string): string {
  const folded = fold(name);
  const plain = LETTERS.test(folded) ? folded : plainName(fold(withoutMarkup(name)));
  const joined = ASCII.test(plain) ? plain : plain.replaceAll(SPACE_OF_CJK, '');
  return joined.split(/[ -]/).map(singular).join(' ');
}

function withoutMarkup(name: string): string {
  return name.replaceAll(LINK, '$1').replace(ATTRIBUTES, '').replaceAll(/[*_`]/g, '').replaceAll('’', "'");
}

/** Most names in tables, which are made at every start. */
const LETTERS = /^\p{L}+(?: \p{L}+)*$/u;
/** `### Fixed {#fixed}` */
const ATTRIBUTES = /\{[^{}]*\}\s*$/;
const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]`;
/** Korean is written with and without spaces, and so are foreign words in all three. */
const SPACE_OF_CJK = new RegExp(`(?<=${CJK}) | (?=${CJK})`, 'gu');

export function isCjk(key: string): boolean {
  return FIRST_CJK.test(key);
}

const FIRST_CJK = new RegExp(CJK, 'u');

/** Removes accents, which people leave out, and makes full-width characters normal. A Turkish `ı` has a dot as a capital. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .normalize('NFC');
}

const ASCII = /^\p{ASCII}*$/u;

function singular(word: string): string {
  if (word === 'news' || !/[s.]$/.test(word)) return word;
  return word
    .replace(/\.$/, '')
    .replace(/ies$/, 'y')
    .replace(/(x|ss|sh|ch)es$/, '$1')
    .replace(/(?<=[^su'])s$/, '');
}
