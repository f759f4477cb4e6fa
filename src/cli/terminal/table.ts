// Aligned columns under headings, fitted to the width of the terminal.
import type { Cli } from '../cli.ts';
import { outputPaint } from './colours.ts';
import { escapeControls } from './plain.ts';
import { cutToWidth, widthOf } from './width.ts';

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
const TIMESTAMPS = ['published', 'createdAt', 'lastUsedAt', 'lastAt'];
const IDENTIFIERS = ['id', 'version', 'slug', 'team', 'product'];
const [NARROW, NARROWEST] = [11, 8];

/** How narrow a column may become: first timestamps, to their date, then texts, and then what users copy. */
const STAGES: readonly ((column: string) => number)[] = [
  (column) => (TIMESTAMPS.includes(column) ? NARROW : Number.POSITIVE_INFINITY),
  (column) => (IDENTIFIERS.includes(column) ? Number.POSITIVE_INFINITY : NARROW),
  () => NARROWEST,
];

/** Cells that are too wide are shortened, unless the table must be `whole`. */
export function formatTable(
  options: Pick<Cli, 'environment' | 'columns'>,
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
  const widths = whole || options.columns === undefined ? natural : fit(columns, natural, options.columns());
  if (widths === null) return rows.map(formatRecord).join('\n\n');
  const paint = outputPaint(options);
  return [paint('bold', align(headings, widths)), ...cells.map((line) => align(line, widths))].join('\n');
}

/** One field per line. */
export function formatRecord(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`)
    .join('\n');
}

/** Narrows the widest column until all fit. Null if the terminal is too narrow for a table. */
function fit(columns: readonly string[], natural: readonly number[], widthMax: number): number[] | null {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - widthMax;
  for (const widthMin of STAGES)
    while (excess > 0) {
      const able = widths.map((width, index) => (width > widthMin(columns[index] ?? '') ? width : 0));
      const widest = Math.max(...able);
      if (widest === 0) break;
      widths[able.indexOf(widest)] = widest - 1;
      excess--;
    }
  return excess > 0 ? null : widths;
}

function align(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, index) => {
    const width = widths[index] ?? 0;
    const text = cutToWidth(cell, width);
    return text + ' '.repeat(width - widthOf(text));
  });
  return padded.join(GAP).trimEnd();
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
