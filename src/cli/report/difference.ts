// What an import would change in a version, in a limited number of lines.
import type { ChangeContent } from '../../domain/content/content.ts';
import type { ChangeDifference, VersionDifference } from '../../domain/content/version-difference.ts';
import { escapeControls } from '../terminal/plain.ts';

const CHARACTERS_MAX = 100;
const DESCRIPTION_LINES_MAX = 10;
const CHANGES_MAX = 50;

export function formatDifference(difference: VersionDifference): string[] {
  const { title, status, publishedAt, publishAt, yanked, compare, description, changes = [] } = difference;
  const pairs = {
    title: title && { from: `"${shorten(title.from)}"`, to: `"${shorten(title.to)}"` },
    state: status,
    date: publishedAt,
    schedule: publishAt,
    comparison: compare,
  };
  const signed = (sign: string, lines: readonly string[] = []) =>
    limit(
      lines.map((line) => `  ${sign} ${shorten(line)}`.trimEnd()),
      DESCRIPTION_LINES_MAX,
      'line',
    );
  const lines = [
    ...Object.entries(pairs).flatMap(([name, pair]) =>
      pair ? [`${name}: ${pair.from ?? 'none'} → ${pair.to ?? 'none'}`] : [],
    ),
    ...(yanked ? [yanked.to ? 'is yanked' : 'is no longer yanked'] : []),
    ...(description ? ['description:'] : []),
    ...signed('-', description?.removed),
    ...signed('+', description?.added),
    ...limit(changes.map(formatChange), CHANGES_MAX, 'change'),
    ...(difference.isReordered ? ['its changes are in a different order'] : []),
  ];
  return lines.map((line) => `    ${line}`);
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

/** The first line, shortened and escaped. */
export function shorten(text: string): string {
  const [first = '', ...more] = text.slice(0, CHARACTERS_MAX * 4).split('\n', 2);
  const characters = [...escapeControls(first)];
  if (characters.length > CHARACTERS_MAX) return `${characters.slice(0, CHARACTERS_MAX - 1).join('')}…`;
  return more.length > 0 ? `${characters.join('')} …` : characters.join('');
}
