// The comments that this program adds to a CHANGELOG.md for what the format cannot express (docs/feeds.md). In all
// changelogs, a first paragraph in bold is a title.
import { VERSION_RULES } from '../../domain/content/appearance.ts';
import {
  CODE_CHANGES,
  DRAFT,
  END,
  PUBLISHED,
  QUOTED,
  UNTITLED,
} from '../../domain/content/changelog-markdown.ts';
import { unescapeInline } from './versions/parse.ts';

type Annotations = Readonly<{
  compare: string | null;
  status: 'draft' | 'published' | null;
  timestamp: string | null;
  title: string;
  /** Null if the lines contain it. */
  description: string | null;
  lines: readonly string[];
}>;

const LINK = new RegExp(String.raw`^\[${CODE_CHANGES}\]\(([^\s()<>]+)\)$`);
const TIMESTAMP = /^<!-- (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) -->$/;
const TITLE = /^\*\*((?:\\.|[^\\*])+)\*\*$/;

/** Removes the annotations from the lines after the heading of a version. */
export function parseAnnotations(
  lines: readonly string[],
  isTitle: (bold: string, next: string) => boolean,
): Annotations {
  let at = 0;
  const take = <T>(read: (line: string) => T | null | undefined): T | null => {
    let next = at;
    while (next < lines.length && lines[next]?.trim() === '') next++;
    const taken = next < lines.length ? (read(lines[next] as string) ?? null) : null;
    if (taken !== null) at = next + 1;
    return taken;
  };
  const compare = take((line) => VERSION_RULES.compare.read(LINK.exec(line)?.[1] ?? ''));
  const status = take((line) => (line === DRAFT ? 'draft' : line === PUBLISHED ? 'published' : null));
  const timestamp = take((line) => TIMESTAMP.exec(line)?.[1]);
  const isUntitled = take((line) => (line === UNTITLED ? true : null)) ?? false;
  const title = isUntitled
    ? null
    : take((line) => {
        const bold = TITLE.exec(line)?.[1];
        const after = lines.indexOf(line, at) + 1;
        if (bold === undefined || !isEnd(lines[after])) return null;
        return isTitle(bold, lines.slice(after).find((each) => each.trim() !== '') ?? '') ? bold : null;
      });
  const isQuoted = take((line) => (line === QUOTED ? true : null)) ?? false;
  const description = isQuoted ? takeQuotation(lines, at) : takeEnded(lines, at);
  return {
    compare,
    status,
    timestamp,
    title: unescapeInline(title ?? ''),
    description: description === null ? null : description.text,
    lines: lines.slice(description?.end ?? at),
  };
}

/** Whether a paragraph ends before this line. */
function isEnd(next: string | undefined): boolean {
  return next === undefined || next.trim() === '' || next.startsWith('#');
}

function takeQuotation(lines: readonly string[], from: number): { text: string; end: number } {
  let start = from;
  while (start < lines.length && lines[start]?.trim() === '') start++;
  let end = start;
  while (end < lines.length && lines[end]?.startsWith('>')) end++;
  const text = lines.slice(start, end).map((line) => line.replace(/^> ?/, ''));
  return { text: text.join('\n'), end };
}

/** Finds a description whose end is marked, because it ends in spaces. */
function takeEnded(lines: readonly string[], from: number): { text: string; end: number } | null {
  for (let at = from; at < lines.length && !lines[at]?.startsWith('#'); at++) {
    if (lines[at] !== END) continue;
    let start = from;
    while (start < at && lines[start]?.trim() === '') start++;
    return { text: lines.slice(start, at).join('\n'), end: at + 1 };
  }
  return null;
}
