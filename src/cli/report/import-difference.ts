// What an import would change in a version, in a limited number of lines.
import type { ChangeContent } from '../../domain/content/content.ts';
import type { ChangeDifference, VersionDifference } from '../../domain/content/version-difference.ts';
import { escapeControls } from '../terminal/plain.ts';

const CHARACTERS_MAX = 100;
const DESCRIPTION_LINES_MAX = 10;
const CHANGES_MAX = 50;

const INDENT = '    ';

export function formatDifference(difference: VersionDifference): string[] {
  const {
    title,
    status,
    publishedAt,
    publishAt,
    yanked,
    compare,
    description,
    changes = [],
    isReordered,
  } = difference;
  const lines = [
    title && `title: ${quote(title.from)} → ${quote(title.to)}`,
    status && `state: ${status.from} → ${status.to}`,
    publishedAt && `date: ${publishedAt.from ?? 'none'} → ${publishedAt.to ?? 'none'}`,
    publishAt && `schedule: ${publishAt.from ?? 'none'} → ${publishAt.to ?? 'none'}`,
    yanked && (yanked.to ? 'is yanked' : 'is no longer yanked'),
    compare && `comparison: ${compare.from ?? 'none'} → ${compare.to ?? 'none'}`,
    ...(description ? ['description:', ...indent(formatDescription(description))] : []),
    ...limit(changes.map(formatChange), CHANGES_MAX, 'change'),
    isReordered && 'its changes are in a different order',
  ];
  return indent(lines.filter((line) => typeof line === 'string'));
}

const indent = (lines: readonly string[]) => lines.map((line) => `${INDENT}${line}`);

function formatDescription({ removed, added }: NonNullable<VersionDifference['description']>): string[] {
  const format = (mark: string, lines: readonly string[]) =>
    limit(
      lines.map((line) => `${mark} ${shorten(line)}`.trimEnd()),
      DESCRIPTION_LINES_MAX,
      'line',
    );
  return [...format('-', removed), ...format('+', added)];
}

function formatChange(change: ChangeDifference): string {
  if (change.action !== 'edited')
    return `${change.action === 'added' ? '+' : '-'} ${nameOf(change)}: ${shorten(change.text)}`;
  const { from, to } = change;
  const [was, is] = [nameOf(from), nameOf(to)];
  if (from.text === to.text) return `~ ${was} → ${is}: ${shorten(to.text)}`;
  const [removed, added] = firstDifferentLines(from.text, to.text);
  return `~ ${was}: ${shorten(removed)} → ${was === is ? '' : `${is}: `}${shorten(added)}`;
}

const nameOf = ({ type, breaking }: ChangeContent) => `${type}${breaking ? ', breaking' : ''}`;

function firstDifferentLines(before: string, after: string): [string, string] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  return at === -1 ? ['(nothing)', now[old.length] ?? ''] : [old[at] ?? '', now[at] ?? '(nothing)'];
}

function limit(lines: readonly string[], max: number, noun: string): string[] {
  if (lines.length <= max) return [...lines];
  return [...lines.slice(0, max - 1), `… and ${lines.length - max + 1} more ${noun}s`];
}

const quote = (text: string) => `"${shorten(text)}"`;

/** The first line, shortened and escaped. */
export function shorten(text: string): string {
  const [first = '', ...more] = text.slice(0, CHARACTERS_MAX * 4).split('\n', 2);
  const characters = [...escapeControls(first)];
  if (characters.length > CHARACTERS_MAX) return `${characters.slice(0, CHARACTERS_MAX - 1).join('')}…`;
  return more.length > 0 ? `${characters.join('')} …` : characters.join('');
}
