// Aligned columns under headings, fitted to the width of the terminal.
import type { Cli } from '../cli.ts';
import { outputPaint } from './colours.ts';
import { escapeControls } from './plain.ts';
import { padToWidth, splitAtWidth, widthOf } from './width.ts';

type Row = Readonly<Record<string, unknown>>;
type TableOptions = Pick<Cli, 'environment' | 'columns'>;

const GAP = '  ';
/** Shortened first, to their date. */
const TIMESTAMPS = ['published', 'createdAt', 'lastUsedAt', 'lastAt'];
/** Shortened last, because users copy them. */
const IDENTIFIERS = ['id', 'version', 'slug', 'team', 'product'];
const WIDTH_MIN = 11;
const IDENTIFIER_WIDTH_MIN = 8;

/** How narrow a column may become. */
type MinWidth = (column: string) => number;
const timestampsFirst: MinWidth = (column) =>
  TIMESTAMPS.includes(column) ? WIDTH_MIN : Number.POSITIVE_INFINITY;
const thenTexts: MinWidth = (column) => (IDENTIFIERS.includes(column) ? Number.POSITIVE_INFINITY : WIDTH_MIN);
const atLastAll: MinWidth = () => IDENTIFIER_WIDTH_MIN;

/** Cells that are too wide are shortened, or wrapped if `whole`. */
export function formatTable(
  options: TableOptions,
  rows: readonly Row[],
  emptyText: string,
  { whole = false } = {},
): string {
  const [first] = rows;
  if (first === undefined) return emptyText;
  const columns = Object.keys(first);
  const headings = columns.map(formatHeading);
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])));
  const natural = headings.map((heading, index) =>
    cells.reduce((most, line) => Math.max(most, widthOf(line[index] ?? '')), widthOf(heading)),
  );
  const widths = options.columns === undefined ? natural : fit(columns, natural, options.columns());
  if (widths === null) return rows.map(formatRecord).join('\n\n');
  const formatRow = whole ? formatWrapped : formatShortened;
  const paint = outputPaint(options);
  return [paint('bold', formatRow(headings, widths)), ...cells.map((line) => formatRow(line, widths))].join(
    '\n',
  );
}

/** One field per line. */
export function formatRecord(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`)
    .join('\n');
}

/** Null if the terminal is too narrow for a table. */
function fit(columns: readonly string[], natural: readonly number[], width: number): number[] | null {
  // A shortened id cannot be copied anyway, so the other columns get its space.
  const withShortIds = natural.map((each, index) =>
    columns[index] === 'id' ? Math.min(each, IDENTIFIER_WIDTH_MIN) : each,
  );
  for (const [start, stages] of [
    [natural, [timestampsFirst, thenTexts]],
    [withShortIds, [timestampsFirst, thenTexts, atLastAll]],
  ] as const) {
    const widths = [...start];
    if (stages.some((minWidth) => shrink(columns, widths, width, minWidth))) return widths;
  }
  return null;
}

/** Narrows the widest column until all fit; false if they cannot. */
function shrink(columns: readonly string[], widths: number[], widthMax: number, minWidth: MinWidth): boolean {
  let excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - widthMax;
  for (; excess > 0; excess--) {
    const able = widths.map((width, index) => (width > minWidth(columns[index] ?? '') ? width : 0));
    const widest = able.indexOf(Math.max(...able));
    if (able[widest] === 0) return false;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return true;
}

function formatShortened(line: readonly string[], widths: readonly number[]): string {
  const cells = line.map((cell, index) => {
    const width = widths[index] ?? 0;
    return widthOf(cell) <= width ? cell : `${splitAtWidth(cell, width - 1)[0].trimEnd()}…`;
  });
  return align(cells, widths);
}

function formatWrapped(line: readonly string[], widths: readonly number[]): string {
  const wrapped = line.map((cell, index) => wrap(cell, widths[index] ?? 0));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, below) =>
    align(
      wrapped.map((lines) => lines[below] ?? ''),
      widths,
    ),
  ).join('\n');
}

/** Breaks lines between words, or within a word that is too long for a line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const [fits, after] = splitAtWidth(rest, width);
    const space = after.startsWith(' ') ? fits.length : fits.lastIndexOf(' ');
    const end = space > 0 ? space : fits.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function align(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => padToWidth(widths[index] ?? 0, cell))
    .join(GAP)
    .trimEnd();
}

/** `createdAt` → `CREATED AT` */
function formatHeading(column: string): string {
  return column.replaceAll(/[A-Z]/g, ' $&').toUpperCase();
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = Array.isArray(value) ? value.join(', ') || '-' : String(value);
  return escapeControls(text.replaceAll(/\s+/g, ' '));
}
