// Rows for people: aligned columns under their names.

export function writeTable(rows: readonly Readonly<Record<string, unknown>>[], nothing: string): string {
  const [first] = rows;
  if (first === undefined) return nothing;
  const columns = Object.keys(first);
  const cells = [
    columns.map(writeHeading),
    ...rows.map((row) => columns.map((column) => writeCell(row[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One thing, a field a line. */
export function writeRecord(record: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${writeCell(value)}`)
    .join('\n');
}

/** `createdAt` → `CREATED AT` */
function writeHeading(column: string): string {
  return column.replaceAll(/[A-Z]/g, ' $&').toUpperCase();
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(', ');
  return String(value).replaceAll(/\s+/g, ' ');
}
