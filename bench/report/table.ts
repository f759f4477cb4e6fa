// The figures as Markdown, for the terminal and for docs/performance.md.
import { type Figure, type Goal, isReached, type Results } from './results.ts';

const HEADINGS = ['Measure', 'Median', 'Range', 'Ratio', 'Compared with', 'Goal', 'Reached'];

export function renderTables({ figures }: Pick<Results, 'figures'>): string {
  const groups = [...new Set(figures.map(({ group }) => group))];
  const nameOf = new Map(figures.map(({ id, name }) => [id, name]));
  return groups
    .map((group) => {
      const rows = figures.filter((figure) => figure.group === group).map((figure) => rowOf(figure, nameOf));
      return `### ${group}\n\n${renderTable([HEADINGS, ...rows])}`;
    })
    .join('\n\n');
}

function rowOf(figure: Figure, nameOf: ReadonlyMap<string, string>): string[] {
  const { name, unit, summary, ratio, comparedWith, goal, note } = figure;
  const label = note === undefined ? name : `${name} (${note})`;
  if (summary === null) return [label, '–', '–', '–', '–', formatGoal(goal), '–'];
  const reached = isReached(figure);
  return [
    label,
    `${amount(summary.median)} ${unit}`,
    `${amount(summary.min)} to ${amount(summary.max)}`,
    ratio === null ? '–' : `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`,
    comparedWith === undefined ? '–' : (nameOf.get(comparedWith) ?? comparedWith),
    formatGoal(goal),
    reached === null ? '–' : reached ? 'yes' : 'no',
  ];
}

function formatGoal(goal: Goal | undefined): string {
  if (goal === undefined) return '–';
  return 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
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
