// Rows for people: aligned columns under their names, within the window if there is one.
import type { Cli } from '../cli.ts';
import { outputPaint } from './colours.ts';
import { escapeControls } from './plain.ts';
import { padToWidth, splitAtWidth, widthOf } from './width.ts';

type Row = Readonly<Record<string, unknown>>;
type TableOptions = Pick<Cli, 'environment' | 'columns'>;

const GAP = '  ';
/** Of a moment, the date says most. */
const TIMESTAMPS = ['published', 'createdAt', 'lastUsedAt'];
/** What things are called by gives way last, since it is what people copy. */
const IDENTIFIERS = ['id', 'version', 'slug', 'team', 'product'];
/** With fewer cells than these, a column says too little. */
const WIDTH_MIN = 11;
const IDENTIFIER_WIDTH_MIN = 8;

/** To how few cells a column may be shrunk. */
type MinWidth = (column: string) => number;
const timestampsFirst: MinWidth = (column) =>
  TIMESTAMPS.includes(column) ? WIDTH_MIN : Number.POSITIVE_INFINITY;
const thenTexts: MinWidth = (column) => (IDENTIFIERS.includes(column) ? Number.POSITIVE_INFINITY : WIDTH_MIN);
const atLastAll: MinWidth = () => IDENTIFIER_WIDTH_MIN;

/** What does not fit the window is shortened, or goes on below if it is to be shown whole. */
export function formatTable(
  page: TableOptions,
  rows: readonly Row[],
  nothing: string,
  { whole = false } = {},
): string {
  const [first] = rows;
  if (first === undefined) return nothing;
  const columns = Object.keys(first);
  const headings = columns.map(writeHeading);
  const cells = rows.map((row) => columns.map((column) => writeCell(row[column])));
  const natural = headings.map((heading, index) =>
    cells.reduce((most, line) => Math.max(most, widthOf(line[index] ?? '')), widthOf(heading)),
  );
  const widths = page.columns === undefined ? natural : fit(columns, natural, page.columns());
  if (widths === null) return rows.map(formatRecord).join('\n\n');
  const write = whole ? writeBroken : writeShortened;
  const paint = outputPaint(page);
  return [paint('bold', write(headings, widths)), ...cells.map((line) => write(line, widths))].join('\n');
}

/** One thing, a field a line. */
export function formatRecord(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${writeCell(value)}`)
    .join('\n');
}

/** Null if there is no room for a table. */
function fit(columns: readonly string[], natural: readonly number[], room: number): number[] | null {
  // An id that is cut cannot be copied, and so leaves its room to the rest.
  const withCutIds = natural.map((width, index) =>
    columns[index] === 'id' ? Math.min(width, IDENTIFIER_WIDTH_MIN) : width,
  );
  for (const [start, stages] of [
    [natural, [timestampsFirst, thenTexts]],
    [withCutIds, [timestampsFirst, thenTexts, atLastAll]],
  ] as const) {
    const widths = [...start];
    if (stages.some((leastOf) => shrink(columns, widths, room, leastOf))) return widths;
  }
  return null;
}

/** Takes from the widest column, again and again, and says whether all have room then. */
function shrink(columns: readonly string[], widths: number[], room: number, leastOf: MinWidth): boolean {
  let tooMany = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - room;
  for (; tooMany > 0; tooMany--) {
    const able = widths.map((width, index) => (width > leastOf(columns[index] ?? '') ? width : 0));
    const widest = able.indexOf(Math.max(...able));
    if (able[widest] === 0) return false;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return true;
}

function writeShortened(line: readonly string[], widths: readonly number[]): string {
  const cells = line.map((cell, index) => {
    const width = widths[index] ?? 0;
    return widthOf(cell) <= width ? cell : `${splitAtWidth(cell, width - 1)[0].trimEnd()}…`;
  });
  return align(cells, widths);
}

function writeBroken(line: readonly string[], widths: readonly number[]): string {
  const broken = line.map((cell, index) => breakAt(cell, widths[index] ?? 0));
  const height = Math.max(...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, below) =>
    align(
      broken.map((lines) => lines[below] ?? ''),
      widths,
    ),
  ).join('\n');
}

/** Between words, or within one that is too long for a line. */
function breakAt(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const [fits, after] = splitAtWidth(rest, width);
    const blank = after.startsWith(' ') ? fits.length : fits.lastIndexOf(' ');
    const end = blank > 0 ? blank : fits.length;
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
function writeHeading(column: string): string {
  return column.replaceAll(/[A-Z]/g, ' $&').toUpperCase();
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = Array.isArray(value) ? value.join(', ') || '-' : String(value);
  return escapeControls(text.replaceAll(/\s+/g, ' '));
}
