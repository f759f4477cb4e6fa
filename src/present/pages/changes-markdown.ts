// The changes between two versions as Markdown, for programs that read it.
import type { ChangeType } from '../../domain/model.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { headingOf } from '../outputs/groups.ts';
import { escapeInline, writeItem } from '../outputs/markdown.ts';

type Range = Readonly<Partial<Record<string, readonly string[]>>>;
type RangeChange = Readonly<{ text: string; breaking: boolean; version: string }>;

export function frameRangeMarkdown({ changelogName }: HeadRow, range: Range, changeCount: number): string {
  const count = changeCount === 1 ? '1 change' : `${changeCount} changes`;
  return `# ${escapeInline(changelogName)}\n\n${count}${describeRange(range)}.\n`;
}

export function writeRangeGroup({
  type,
  changes,
}: Readonly<{ type: ChangeType; changes: readonly RangeChange[] }>): string {
  return `\n## ${headingOf(type)}\n\n${changes.map(writeRangeChange).join('\n')}\n`;
}

/** Unescaped, labels often mean a link or a numbered list. */
function writeRangeChange({ text, breaking, version }: RangeChange): string {
  const mark = `**${escapeInline(version)}**${breaking ? ' **Breaking:**' : ''}`;
  return writeItem(text, `${mark} `, mark);
}

/** The labels have the form of a version, so they need no escaping. */
function describeRange({ from, to }: Range): string {
  const after = from === undefined ? '' : ` after ${from}`;
  const upTo = to === undefined ? '' : ` up to ${to}`;
  return after + (from !== undefined && to !== undefined ? ',' : '') + upTo;
}
