// An item of a list → its text, as if it stood alone.

const MARKER = /^([ \t]*)([-+*]|\d{1,9}[.)])([ \t]*)(.*)$/s;
const TAB_COLUMNS = 4;

/** Takes away the marker, and from the other lines the columns by which they stand under the text behind it. */
export function itemText(lines: readonly string[]): string {
  const [first = '', ...others] = lines;
  const [, indent = '', marker = '', gap = '', rest = ''] = MARKER.exec(first) ?? [];
  const markerEnd = widthOf(indent) + marker.length;
  const gapWidth = widthOf(indent + ' '.repeat(marker.length) + gap) - markerEnd;
  // Code that begins behind the marker, and a text that begins below it, stand one column from it.
  const isOneColumn = gapWidth > TAB_COLUMNS || rest === '';
  const columns = markerEnd + (isOneColumn ? 1 : gapWidth);
  const head = isOneColumn ? ' '.repeat(Math.max(0, gapWidth - 1)) + rest : rest;
  const text = [head, ...others.map((line) => outdent(line, columns))];
  while (text.length > 0 && text[0]?.trim() === '') text.shift();
  while (text.length > 0 && text.at(-1)?.trim() === '') text.pop();
  return text.join('\n');
}

function widthOf(blanks: string): number {
  let width = 0;
  for (const blank of blanks) width += blank === '\t' ? TAB_COLUMNS - (width % TAB_COLUMNS) : 1;
  return width;
}

/** Takes away up to so many columns of blanks; of a tab that reaches further, the rest stays as spaces. */
function outdent(line: string, columns: number): string {
  let width = 0;
  let at = 0;
  while (at < line.length && width < columns && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? TAB_COLUMNS - (width % TAB_COLUMNS) : 1;
    at++;
  }
  return ' '.repeat(Math.max(0, width - columns)) + line.slice(at);
}
