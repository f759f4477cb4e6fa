// The difference that an import would make to a version, for people: a few lines, whatever its size.
import type { ChangeContent } from '../../domain/content/content.ts';
import type { ChangeDifference, VersionDifference } from '../../domain/content/version-difference.ts';
import { escapeControls } from '../terminal/plain.ts';

const CHARACTERS_MAX = 100;
const DESCRIPTION_LINES_MAX = 10;
const CHANGES_MAX = 50;

const INDENT = '    ';

export function formatDifference(difference: VersionDifference): string[] {
  const { title, status, publishedAt, yanked, description, changes = [], isReordered } = difference;
  const lines = [
    title && `title: ${quote(title.from)} → ${quote(title.to)}`,
    status && `state: ${status.from} → ${status.to}`,
    publishedAt && `date: ${publishedAt.from ?? 'none'} → ${publishedAt.to ?? 'none'}`,
    yanked && (yanked.to ? 'is yanked' : 'is not yanked any more'),
    ...(description ? ['description:', ...indent(writeDescription(description))] : []),
    ...cut(changes.map(writeChange), CHANGES_MAX, 'change'),
    isReordered && 'its changes stand in another order',
  ];
  return indent(lines.filter((line) => typeof line === 'string'));
}

const indent = (lines: readonly string[]) => lines.map((line) => `${INDENT}${line}`);

function writeDescription({ removed, added }: NonNullable<VersionDifference['description']>): string[] {
  const write = (mark: string, lines: readonly string[]) =>
    cut(
      lines.map((line) => `${mark} ${shorten(line)}`.trimEnd()),
      DESCRIPTION_LINES_MAX,
      'line',
    );
  return [...write('-', removed), ...write('+', added)];
}

function writeChange(change: ChangeDifference): string {
  if (change.action !== 'edited')
    return `${change.action === 'added' ? '+' : '-'} ${nameOf(change)}: ${shorten(change.text)}`;
  const { from, to } = change;
  const [was, is] = [nameOf(from), nameOf(to)];
  if (from.text === to.text) return `~ ${was} → ${is}: ${shorten(to.text)}`;
  const [gone, come] = firstDifferentLines(from.text, to.text);
  return `~ ${was}: ${shorten(gone)} → ${was === is ? '' : `${is}: `}${shorten(come)}`;
}

const nameOf = ({ type, breaking }: ChangeContent) => `${type}${breaking ? ', breaking' : ''}`;

function firstDifferentLines(before: string, after: string): [string, string] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const place = old.findIndex((line, index) => line !== now[index]);
  return place === -1 ? ['(nothing)', now[old.length] ?? ''] : [old[place] ?? '', now[place] ?? '(nothing)'];
}

function cut(lines: readonly string[], max: number, noun: string): string[] {
  if (lines.length <= max) return [...lines];
  return [...lines.slice(0, max - 1), `… and ${lines.length - max + 1} more ${noun}s`];
}

const quote = (text: string) => `"${shorten(text)}"`;

/** The first line, without anything that a terminal would obey. */
export function shorten(text: string): string {
  const [first = '', ...more] = text.slice(0, CHARACTERS_MAX * 4).split('\n', 2);
  const characters = [...escapeControls(first)];
  if (characters.length > CHARACTERS_MAX) return `${characters.slice(0, CHARACTERS_MAX - 1).join('')}…`;
  return more.length > 0 ? `${characters.join('')} …` : characters.join('');
}
