/** An entry's title starts with the label unless it already contains it: `2.1.0: Faster launches`. */
export function titleOf(version: Readonly<{ label: string; title: string }>): string {
  const [label, title] = [version.label.toWellFormed(), version.title.toWellFormed()];
  if (title === '') return label;
  return hasLabel(title, label) ? title : `${label}: ${title}`;
}

/** Many releases have only their label as a title, with or without a `v`. */
export function isOnlyLabel({ label, title }: Readonly<{ label: string; title: string }>): boolean {
  return title === '' || withoutV(title) === withoutV(label);
}

const withoutV = (text: string): string => text.replace(/^v(?=\d)/i, '');

/**
 * As a separate word, with or without a `v`: `Rocket v2.1.0` has `2.1.0`, unlike `12.1.0`, `1.2.1.0` and `2.1.0-beta`.
 * Only cased letters extend a word: Chinese, for example, has no spaces.
 */
function hasLabel(title: string, label: string): boolean {
  const name = RegExp.escape(withoutV(label));
  return new RegExp(
    `(?<![\\p{LC}\\p{N}]|\\p{N}[.+-])v?${name}(?![\\p{LC}\\p{N}]|[.+-][\\p{LC}\\p{N}])`,
    'iu',
  ).test(title);
}
