// The names of sections in the form that tables have.

/** A longer text is not a name, and gives none. */
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

/** The same names come again and again. */
const KNOWN_MAX = 1_000;
const known = new Map<string, string>();

/** Besides, without links, emphasis, hyphens and the plural. */
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
