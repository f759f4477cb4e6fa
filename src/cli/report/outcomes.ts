// What the reports of apply and import share, and warnings.
import type { Cli } from '../cli.ts';
import { errorPaint, escapeControls, escapeName, formatNumber, type Paint } from '../terminal/text.ts';

/** The limit of a report; `--json` has none. */
const LINES_MAX = 1_000;

const MARKS = {
  created: ['green', '+'],
  changed: ['yellow', '~'],
  deleted: ['red', '-'],
  unchanged: ['bold', ' '],
  kept: ['yellow', '!'],
} as const;

export function formatOutcome(paint: Paint, action: keyof typeof MARKS, what: string): string {
  const [style, mark] = MARKS[action];
  return `${paint(style, mark)} ${what}`;
}

export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - LINES_MAX;
  const rest = more > 0 ? [`… and ${formatNumber(more)} more; --json lists all.`] : [];
  return [...lines.slice(0, LINES_MAX), ...rest];
}

/** `Done: 2 created, 0 changed.` */
export function formatVerdict(
  touched: number,
  counts: Readonly<Record<string, number>>,
  isDryRun: boolean,
): string {
  const verdict = touched === 0 ? 'Nothing to do' : isDryRun ? 'Would be done' : 'Done';
  return `${verdict}: ${formatActions(counts)}.`;
}

export function formatActions(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([action, amount]) => `${amount} ${action}`)
    .join(', ');
}

export function warn(cli: Cli, warnings: readonly string[]): void {
  const prefix = errorPaint(cli)('yellow', 'changelog: warning:');
  for (const warning of warnings) cli.say(`${prefix} ${escapeControls(warning)}`);
}

/** Warns if this state hides something: people who lock a product to freeze it do not expect it to disappear. */
export function sayIfHidden(cli: Cli, what: string, state?: string): void {
  if (state === undefined || state === 'published' || state === 'public') return;
  cli.say(`${escapeName(what)} is ${state}: the public API does not show it, and API keys still read it.`);
}
