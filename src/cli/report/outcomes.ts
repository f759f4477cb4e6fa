// What the reports of apply and import share, and warnings.
import type { Cli } from '../cli.ts';
import { errorPaint } from '../terminal/colours.ts';
import { escapeControls, formatJson } from '../terminal/plain.ts';

/** The limit of a report; `--json` has none. */
export const LINES_MAX = 1_000;
const ELEMENTS_PER_CHUNK = 1_000;

export const MARKS = {
  created: ['green', '+'],
  changed: ['yellow', '~'],
  deleted: ['red', '-'],
  unchanged: ['bold', ' '],
  kept: ['yellow', '!'],
} as const;

/** Formats a JSON array, in chunks that end at a line break. */
export function* formatArray(
  elements: Iterable<unknown>,
  { before = '', indent = '', after = '' } = {},
): Generator<string> {
  let opening = `${before}[`;
  let chunk: string[] = [];
  for (const element of elements) {
    if (chunk.length === ELEMENTS_PER_CHUNK) {
      yield `${opening}${chunk.join(',\n')},`;
      [opening, chunk] = ['', []];
    } else if (chunk.length === 0 && opening !== '') opening += '\n';
    chunk.push(formatJson(element, 2).replaceAll(/^/gm, `${indent}  `));
  }
  yield `${opening}${chunk.join(',\n')}${chunk.length === 0 ? '' : `\n${indent}`}]${after}`;
}

export function formatVerdict(touched: number, { dryRun = false }: { dryRun?: boolean }): string {
  return touched === 0 ? 'Nothing to do' : dryRun ? 'Would be done' : 'Done';
}

export function warn(cli: Cli, warnings: readonly string[]): void {
  const prefix = errorPaint(cli)('yellow', 'changelog: warning:');
  for (const warning of warnings) cli.say(`${prefix} ${escapeControls(warning)}`);
}
