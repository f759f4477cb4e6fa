// Tables with a change in each row: `| Commit | Type | Description |`.
import type { Item } from './items.ts';

type Column = 'text' | 'type' | 'scope' | 'reference';

const COLUMNS: Readonly<Record<Column, ReadonlySet<string>>> = {
  text: new Set([
    'description',
    'change',
    'changes',
    'summary',
    'subject',
    'message',
    'title',
    'commit message',
  ]),
  type: new Set(['type', 'kind', 'category', 'change type', 'type of change']),
  scope: new Set(['scope', 'component', 'area', 'package', 'module']),
  reference: new Set([
    ...[
      'commit',
      'commits',
      'hash',
      'sha',
      'id',
      'pr',
      'prs',
      'pull request',
      'pull requests',
      'issue',
      'issues',
    ],
    ...['ticket', 'link', 'links', 'reference', 'author', 'authors', 'contributor', 'date'],
  ]),
};

/** Null if the header shows that the table is data. */
export function changesInTable(table: string): Item[] | null {
  const [header = '', , ...rows] = table.split('\n');
  const names = header
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split(PIPE);
  const columns = names.map(columnOf);
  const isOfChanges =
    !columns.includes(undefined) &&
    columns.filter((one) => one === 'text').length === 1 &&
    columns.includes('reference');
  return isOfChanges
    ? rows.flatMap((row) => itemOf(columns as Column[], cellsOf(row, columns.length)))
    : null;
}

function columnOf(name: string): Column | undefined {
  const plain = name
    .replaceAll(/[*_`#]/g, '')
    .trim()
    .toLowerCase();
  // `#` alone is a number.
  if (plain === '') return name.includes('#') ? 'reference' : undefined;
  return (Object.keys(COLUMNS) as Column[]).find((column) => COLUMNS[column].has(plain));
}

/** `reference fix: text (more)`, in the order of the columns, as such a change would be written in a list. */
function itemOf(columns: readonly Column[], cells: readonly string[]): Item[] {
  const textAt = columns.indexOf('text');
  const written = (cell: string, index: number) => {
    if (cell === '' || index > textAt) return [];
    if (columns[index] === 'scope') return [`**${cell}:**`];
    return [columns[index] === 'type' ? `${cell}:` : cell];
  };
  const rest = cells.slice(textAt + 1).filter((cell) => cell !== '');
  const text = [...cells.flatMap(written), ...(rest.length === 0 ? [] : [`(${rest.join(', ')})`])].join(' ');
  return text === '' ? [] : [{ text, breaking: null, kind: cells[columns.indexOf('type')] || null }];
}

const PIPE = /(?<!\\)\|/;

/** Pipes beyond the last column are part of it, because authors forget to escape them in code. */
function cellsOf(row: string, columns: number): string[] {
  const cells = row.trim().replace(/^\|/, '').split(PIPE);
  while (cells.length > columns && cells.at(-1)?.trim() === '') cells.pop();
  const last = cells.slice(columns - 1).join('|');
  return [...cells.slice(0, columns - 1), last].map((cell) => cell.replaceAll('\\|', '|').trim());
}
