// The figures as Markdown, for the terminal and for docs/performance.md.
import { type Figure, type Goal, isReached, type Results } from './results.ts';
import { median, type Summary } from './statistics.ts';

type NameOf = (id: string) => string;
type Column = readonly [heading: string, cell: (figure: Figure, nameOf: NameOf) => string];

const NONE = '–';

const MEASURE: Column = ['Measure', ({ name, note }) => (note === undefined ? name : `${name} (${note})`)];
const JUDGEMENT: readonly Column[] = [
  ['Goal', ({ goal }) => formatGoal(goal)],
  ['Reached', (figure) => formatReached(isReached(figure))],
];
const COMPARISON: readonly Column[] = [
  ['Ratio', ({ ratio }) => formatRatio(ratio)],
  [
    'Compared with',
    ({ comparedWith, ratio }, nameOf) => (ratio === null ? NONE : nameOf(comparedWith ?? '')),
  ],
  ...JUDGEMENT,
];

const REQUESTS: readonly Column[] = [
  MEASURE,
  ['Processor time', ({ cpuMicros = [] }) => `${amount(median(cpuMicros))} µs`],
  ['Requests/s', ({ summary }) => (summary === null ? NONE : amount(summary.median))],
  ...COMPARISON,
];
const OTHERS: readonly Column[] = [
  MEASURE,
  ['Median', ({ summary, unit }) => (summary === null ? NONE : `${amount(summary.median)} ${unit}`)],
  ['Range', ({ summary }) => (summary === null ? NONE : `${amount(summary.min)} to ${amount(summary.max)}`)],
];

export function renderTables({ figures }: Pick<Results, 'figures'>): string {
  const names = new Map(figures.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return [...Map.groupBy(figures, ({ group }) => group)]
    .map(([group, rows]) => `### ${group}\n\n${renderGroup(rows, nameOf)}`)
    .join('\n\n');
}

function renderGroup(figures: readonly Figure[], nameOf: NameOf): string {
  if (figures.every(({ engine }) => engine !== undefined)) return renderTimes(figures);
  const columns = columnsFor(figures);
  return renderTable([
    columns.map(([heading]) => heading),
    ...figures.map((figure) => columns.map(([, cell]) => cell(figure, nameOf))),
  ]);
}

/** A row for each name, with columns for each engine. */
function renderTimes(figures: readonly Figure[]): string {
  const engines = [...new Set(figures.map(({ engine }) => engine))];
  const rows = [...Map.groupBy(figures, ({ name }) => name)].map(([name, group]) => [
    name,
    ...engines.flatMap((engine) => timesOf(group.find((figure) => figure.engine === engine))),
  ]);
  return renderTable([['Query', ...engines.flatMap((engine) => [`${engine}, p50`, 'p99'])], ...rows]);
}

/** A p99 that misses its goal is bold. */
function timesOf(figure: Figure | undefined): [p50: string, p99: string] {
  if (figure === undefined) return [NONE, NONE];
  const [p50, p99] = [figure.p50Ms, figure.p99Ms].map((ms = 0) => `${ms.toFixed(1)} ms`) as [string, string];
  return [p50, isReached(figure) === false ? `**${p99}**` : p99];
}

function columnsFor(figures: readonly Figure[]): readonly Column[] {
  if (figures.every(({ cpuMicros }) => cpuMicros !== undefined)) return REQUESTS;
  return [...OTHERS, ...(figures.some(({ ratio }) => ratio !== null) ? COMPARISON : JUDGEMENT)];
}

function formatRatio(ratio: Summary | null): string {
  if (ratio === null) return NONE;
  return `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`;
}

export function formatGoal(goal: Goal | undefined): string {
  if (goal === undefined) return NONE;
  return 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
}

function formatReached(reached: boolean | null): string {
  if (reached === null) return NONE;
  return reached ? 'yes' : 'no';
}

/** Three digits: more would be false precision. */
function amount(value: number): string {
  const digits =
    Math.abs(value) >= 1_000 ? Number(value.toPrecision(3)) : Number(value.toFixed(value < 100 ? 1 : 0));
  return digits.toLocaleString('en');
}

function renderTable(rows: readonly string[][]): string {
  const [headings = [], ...body] = rows;
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(headings), rule, ...body.map(line)].join('\n');
}
