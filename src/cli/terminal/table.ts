// Aligned columns under headings, fitted to the width of the terminal.
import { eastAsianWidth } from 'get-east-asian-width';
import type { Cli } from '../cli.ts';
import { escapeControls, outputPaint } from './text.ts';

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
/** What users copy is never shortened, and the other columns to no less than this. */
const IDENTIFIERS = ['id', 'version', 'slug', 'team', 'product'];
const NARROWEST = 8;
const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|[\u1160-\u11ff])$/u;

/** Cells that are too wide for the terminal are shortened. */
export function formatTable(
  options: Pick<Cli, 'environment' | 'columns'>,
  rows: readonly Row[],
  emptyText: string,
): string {
  const [first] = rows;
  if (first === undefined) return emptyText;
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])));
  const headings = columns.map(formatHeading);
  const widths = headings.map((heading, index) =>
    cells.reduce((most, line) => Math.max(most, widthOf(line[index] ?? '')), widthOf(heading)),
  );
  if (options.columns !== undefined) narrow(columns, widths, options.columns());
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

/** Narrows the widest column until all fit. */
function narrow(columns: readonly string[], widths: number[], widthMax: number): void {
  let excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - widthMax;
  for (; excess > 0; excess--) {
    const able = widths.map((width, index) => (IDENTIFIERS.includes(columns[index] ?? '') ? 0 : width));
    const widest = Math.max(...able);
    if (widest <= NARROWEST) return;
    widths[able.indexOf(widest)] = widest - 1;
  }
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

export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = Array.isArray(value) ? value.join(', ') || '-' : String(value);
  return escapeControls(text.replaceAll(/\s+/g, ' '));
}

/** In columns of the terminal. The text must not contain control characters. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...text].reduce((width, character) => width + widthOfCharacter(character), 0);
}

function widthOfCharacter(character: string): number {
  return ZERO_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) as number);
}

/** The text, or as much of it as fits and an ellipsis. */
export function cutToWidth(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text;
  let width = '…'.length;
  const fitting = [...text].filter((character) => {
    width += widthOfCharacter(character);
    return width <= widthMax;
  });
  return `${fitting.join('').trimEnd()}…`;
}
