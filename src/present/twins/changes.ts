// The changes between two versions as Markdown, for programs that read it.
import type { SectionKind } from '../../domain/content/sections.ts';
import type { ChangeRow, HeadRow } from '../../store/read/reads.ts';
import { headingOf, leadOf } from '../outputs/groups.ts';
import { escapeInline, layOutItem } from '../outputs/markdown.ts';

type Range = Readonly<Partial<Record<string, readonly string[]>>>;
type RangeChange = Pick<ChangeRow, 'type' | 'text' | 'breaking'> & Readonly<{ version: string }>;

export function frameRangeMarkdown({ changelogName }: HeadRow, range: Range, changeCount: number): string {
  const count = changeCount === 1 ? '1 change' : `${changeCount} changes`;
  return `# ${escapeInline(changelogName)}\n\n${count}${describeRange(range)}.\n`;
}

export function writeRangeSection({
  kind,
  changes,
}: Readonly<{ kind: SectionKind; changes: readonly RangeChange[] }>): string {
  return `\n## ${headingOf(kind)}\n\n${changes.map(writeRangeChange).join('\n')}\n`;
}

/** Unescaped, labels often mean a link or a numbered list. */
function writeRangeChange({ version, text, ...change }: RangeChange): string {
  const lead = leadOf(change);
  const mark = `**${escapeInline(version)}**${lead && ` **${lead}**`}`;
  return layOutItem(text, { lead: `${mark} `, leadAlone: mark });
}

/** The labels have the form of a version, so they need no escaping. */
function describeRange({ from, to }: Range): string {
  const after = from === undefined ? '' : ` after ${from}`;
  const upTo = to === undefined ? '' : ` up to ${to}`;
  return after + (from !== undefined && to !== undefined ? ',' : '') + upTo;
}
