// Extracts the text of a list item.

import { BREAKING, END, NOTHING_SPECIAL } from '../../domain/content/changelog-markdown.ts';
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';

const MARKER = /^([ \t]*)([-+*]|\d{1,9}[.)])([ \t]*)(.*)$/s;
const TAB_COLUMNS = 4;

export type Item = Readonly<{
  text: string;
  /** Null if it is not marked; then the text decides. */
  breaking: boolean | null;
  /** The type in a column of a table. */
  kind?: string | null;
}>;

/** A block of Markdown at the top level. */
export type Block =
  | Readonly<{ kind: 'heading'; level: number; name: string; text: string }>
  /** A list, or a table with a change in each row. */
  | Readonly<{ kind: 'list'; text: string; items: readonly Item[] }>
  /** Code or a table, which belongs to the block before it. */
  | Readonly<{ kind: 'inset'; text: string }>
  | Readonly<{ kind: 'text'; text: string }>;

/** Removes the marker, and the indentation of the other lines. */
export function parseItem(lines: readonly string[]): Item {
  const [first = '', ...others] = lines;
  const [, indent = '', marker = '', gap = '', rest = ''] = MARKER.exec(first) ?? [];
  const markerEnd = widthOf(indent) + marker.length;
  const gapWidth = widthOf(indent + ' '.repeat(marker.length) + gap) - markerEnd;
  // If code follows the marker, or nothing, the content is indented by one column.
  const isOneColumn = gapWidth > TAB_COLUMNS || rest === '';
  const columns = markerEnd + (isOneColumn ? 1 : gapWidth);
  const head = isOneColumn ? ' '.repeat(Math.max(0, gapWidth - 1)) + rest : rest;
  return parseMarked([head, ...others.map((line) => outdent(line, columns))]);
}

export function parseMarked(lines: readonly string[]): Item {
  const [first = '', second] = lines;
  if ((first === BREAKING || first === NOTHING_SPECIAL) && second?.trim() === '')
    return { text: textOf(lines.slice(2), true), breaking: first === BREAKING };
  if (!first.startsWith(`${BREAKING} `)) return { text: textOf(lines, false), breaking: null };
  return { text: textOf([first.slice(BREAKING.length + 1), ...lines.slice(1)], false), breaking: true };
}

const TYPE_BEFORE = new RegExp(`^\\*\\*(${CHANGE_TYPES.join('|')}):\\*\\*(?: |\\n\\n)`, 'i');

/** The type before a text of a section that has changes of all types: `**Removed:** …`. */
export function splitType(text: string): { type: ChangeType | null; text: string } {
  const [before = '', type] = TYPE_BEFORE.exec(text) ?? [];
  return { type: (type?.toLowerCase() as ChangeType) ?? null, text: text.slice(before.length) };
}

/** Removes blank lines and spaces at both ends, unless they are marked as content. */
function textOf(lines: readonly string[], isExactStart: boolean): string {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === '') end--;
  const isExactEnd = lines[end - 1]?.trim() === END;
  let start = 0;
  while (!isExactStart && start < end && lines[start]?.trim() === '') start++;
  const text = lines.slice(start, isExactEnd ? end - 1 : end).join('\n');
  return isExactEnd ? text : text.trimEnd();
}

function widthOf(indent: string): number {
  let width = 0;
  for (const character of indent) width += character === '\t' ? TAB_COLUMNS - (width % TAB_COLUMNS) : 1;
  return width;
}

/** Removes at most this many columns of indentation; the rest of a wider tab stays as spaces. */
function outdent(line: string, columns: number): string {
  let width = 0;
  let at = 0;
  while (at < line.length && width < columns && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? TAB_COLUMNS - (width % TAB_COLUMNS) : 1;
    at++;
  }
  return ' '.repeat(Math.max(0, width - columns)) + line.slice(at);
}
