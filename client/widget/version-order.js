/** A text that sorts like the version; undefined if the label is not a version. */
export function orderOf(label) {
  const [, numbers, rest = '~'] = /^v?(\d[\d.]*)(-[^+]*)?/i.exec(label) ?? [];
  if (!numbers) return;
  const three = [...numbers.split('.'), 0, 0].slice(0, 3).join('.');
  return (three + rest).replace(/\b\d+\b/g, (digits) => digits.padStart(9, 0));
}
