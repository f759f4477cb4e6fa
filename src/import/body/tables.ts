// Tables with a change in each row: `| Commit | Type | Description |`.
import type { Token } from 'markdown-it';
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

/** Null if the table is data: its header tells. */
export function changesInTable(tokens: readonly Token[], start: number): Item[] | null {
  const [header = [], ...rows] = rowsOf(tokens, start);
  const columns = header.map(columnOf);
  const isOfChanges =
    !columns.includes(undefined) &&
    columns.filter((one) => one === 'text').length === 1 &&
    columns.includes('reference');
  return isOfChanges ? rows.flatMap((row) => itemOf(columns as Column[], row)) : null;
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

/** `fix: text (reference)`, as such a change would be written in a list. */
function itemOf(columns: readonly Column[], cells: readonly string[]): Item[] {
  const of = (wanted: Column) => cells.filter((cell, index) => columns[index] === wanted && cell !== '');
  const [type, scope, references] = [of('type'), of('scope'), of('reference')];
  const lead = [...scope.map((each) => `**${each}:** `), ...type.map((each) => `${each}: `)].join('');
  const tail = references.length === 0 ? '' : `(${references.join(', ')})`;
  const text = [`${lead}${of('text')[0] ?? ''}`.trim(), tail].filter((part) => part !== '').join(' ');
  return text === '' ? [] : [{ text, breaking: null, kind: type[0] ?? null }];
}

function rowsOf(tokens: readonly Token[], start: number): string[][] {
  const rows: string[][] = [];
  for (let at = start + 1; (tokens[at]?.level ?? 0) > 0; at++) {
    const { type, content } = tokens[at] as Token;
    if (type === 'tr_open') rows.push([]);
    if (type === 'inline') rows.at(-1)?.push(content.trim());
  }
  return rows;
}
