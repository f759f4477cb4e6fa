/** An entry's title starts with the label unless it already contains it: `2.1.0: Faster launches`. */
export function titleOf(version: Readonly<{ label: string; title: string }>): string {
  const [label, title] = [version.label.toWellFormed(), version.title.toWellFormed()];
  if (title === '') return label;
  return hasWord(title, withoutV(label)) ? title : `${label}: ${title}`;
}

/** Among versions of other products: `Rocket 2.1.0: Faster launches`. */
export function titleInTeam(product: string, version: Readonly<{ label: string; title: string }>): string {
  const title = titleOf(version);
  if (withoutV(title).startsWith(withoutV(version.label.toWellFormed()))) return `${product} ${title}`;
  return hasWord(title, product) ? title : `${product}: ${title}`;
}

/** Many releases have only their label as a title, with or without a `v`. */
export function isOnlyLabel({ label, title }: Readonly<{ label: string; title: string }>): boolean {
  return title === '' || withoutV(title) === withoutV(label);
}

const withoutV = (text: string): string => text.replace(/^v(?=\d)/i, '');

const WORD_STARTS = /(?<![\p{LC}\p{N}]|\p{N}[.+-])v?$/u;
const WORD_CONTINUES = /^[.+-]?[\p{LC}\p{N}]/u;

/**
 * As a separate word, with or without a `v`: `Rocket v2.1.0` has `2.1.0`, unlike `12.1.0`, `1.2.1.0` and `2.1.0-beta`.
 * Only cased letters extend a word: Chinese, for example, has no spaces. Patterns that contain the label would have to be
 * compiled for each entry, which takes longer than writing it.
 */
function hasWord(title: string, word: string): boolean {
  const [text, name] = [title.toLowerCase(), word.toLowerCase()];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (WORD_STARTS.test(text.slice(0, at)) && !WORD_CONTINUES.test(text.slice(at + name.length)))
      return true;
  return false;
}
