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
const KNOWN_MAX = 1_000;
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

function makeSingular(name: string): string {
  const text = name.replaceAll(LINK, '$1').replaceAll(/[*_`]/g, '').replaceAll('’', "'");
  const words = plainName(text).split(/[ -]/);
  return words.map(singular).join(' ');
}

function singular(word: string): string {
  if (word === 'news') return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(x|ss|sh|ch)es$/, '$1')
    .replace(/(?<=[^su'])s$/, '');
}
