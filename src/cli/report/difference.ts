// What an import would change in a version, in a limited number of lines.
import type { ChangeContent } from '../../domain/content/content.ts';
import type { ChangeDifference, VersionDifference } from '../../domain/content/version-difference.ts';
import { escapeControls } from '../terminal/text.ts';

const CHARACTERS_MAX = 100;
const LINES_MAX = 50;

export function formatDifference(difference: VersionDifference): string[] {
  const { title, status, publishedAt, publishAt, yanked, compare, description, changes = [] } = difference;
  const pairs = {
    title: title && { from: `"${shorten(title.from)}"`, to: `"${shorten(title.to)}"` },
    state: status,
    date: publishedAt,
    schedule: publishAt,
    comparison: compare,
  };
  const lines = [
    ...Object.entries(pairs).map(([name, pair]) => pair && `${name}: ${arrow(pair)}`),
    yanked && (yanked.to ? 'is yanked' : 'is no longer yanked'),
    description && 'description:',
    ...(description?.removed ?? []).map((line) => `  - ${shorten(line)}`),
    ...(description?.added ?? []).map((line) => `  + ${shorten(line)}`),
    ...changes.map(formatChange),
    difference.isReordered && 'its changes are in a different order',
  ].filter((line) => typeof line === 'string');
  const more = lines.length - LINES_MAX;
  const shown = more > 0 ? [...lines.slice(0, LINES_MAX), `… and ${more} more lines`] : lines;
  return shown.map((line) => `    ${line}`.trimEnd());
}

function arrow({ from, to }: Readonly<{ from: string | null; to: string | null }>): string {
  return `${from ?? 'none'} → ${to ?? 'none'}`;
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

/** The first line, shortened and escaped. */
function shorten(text: string): string {
  const [first = '', ...more] = text.slice(0, CHARACTERS_MAX * 4).split('\n', 2);
  const characters = [...escapeControls(first)];
  if (characters.length > CHARACTERS_MAX) return `${characters.slice(0, CHARACTERS_MAX - 1).join('')}…`;
  return more.length > 0 ? `${characters.join('')} …` : characters.join('');
}
