// Reads a CHANGELOG.md back as docs/feeds.md says: what is a heading and what is an item is for a Markdown parser to
// decide, and what they say is taken from the lines. Blank lines at the ends of a text are nothing to it.
import assert from 'node:assert/strict';
import MarkdownIt, { type Token } from 'markdown-it';
import { CHANGE_TYPES, type ChangeType, type VersionState } from '../../src/domain/model.ts';

export type ReadVersion = {
  label: string;
  status: VersionState;
  publishedAt: string | null;
  yanked: boolean;
  title: string;
  description: string | null;
  changes: { type: ChangeType; breaking: boolean; text: string }[];
};

const markdown = new MarkdownIt({ html: true });
const HEADING = /^## \[((?:\\.|[^\]\\])*)\](?: - (\d{4}-\d{2}-\d{2}))?( \[YANKED\])?$/u;
const TIME = /^<!-- (\d{4}-\d{2}-\d{2}T\S+Z) -->$/;
const TITLE = /^\*\*(.+)\*\*$/u;
const END = '<!-- end -->';

export function readChangelog(text: string): { name: string; versions: ReadVersion[] } {
  assert.ok(text.endsWith('\n'));
  const lines = text.slice(0, -1).split('\n');
  const tokens = markdown.parse(text, {});
  const [first, ...others] = tokens.filter(({ level, type }) => level === 0 && type === 'heading_open');
  assert.equal(first?.tag, 'h1');
  assert.deepEqual(
    lines.flatMap((line, index) => (/^ {0,3}#/.test(line) ? [index] : [])),
    [first, ...others].map(lineOf),
    'a line that could be a heading is one',
  );
  for (const line of lines) assert.doesNotMatch(line, /^ {0,3}(?:```|~~~|\[[^\]]*\]:)/);
  const starts = tokens.filter(({ level, type }) => level === 1 && type === 'list_item_open').map(lineOf);
  const versions: ReadVersion[] = [];
  for (const [index, heading] of others.entries()) {
    const [from, to] = [lineOf(heading), others[index + 1] ? lineOf(others[index + 1]) : lines.length];
    const line = lines[from] ?? '';
    if (heading.tag === 'h2') {
      assert.ok(!starts.some((start) => start > from && start < to), `a list right under ${line}`);
      versions.push(readVersion(line, withoutBlankEnds(lines.slice(from + 1, to))));
      continue;
    }
    assert.equal(heading.tag, 'h3', line);
    const type = line.slice('### '.length).toLowerCase() as ChangeType;
    assert.ok(CHANGE_TYPES.includes(type), line);
    const own = starts.filter((start) => start > from && start < to);
    assert.deepEqual(
      tokens
        .filter(({ level, nesting, map }) => level === 0 && nesting === 1 && isWithin(map, from, to))
        .map((token) => token.type),
      ['bullet_list_open'],
      `more than a list under ${line}`,
    );
    for (const [item, start] of own.entries())
      versions.at(-1)?.changes.push({ type, ...readItem(lines.slice(start, own[item + 1] ?? to)) });
  }
  return { name: unescapeInline((lines[0] ?? '').slice('# '.length)), versions };
}

function readVersion(heading: string, body: string[]): ReadVersion {
  const [, label = '', day, yanked] = HEADING.exec(heading) ?? [];
  assert.notEqual(label, '', heading);
  const take = (pattern: RegExp) => {
    const found = pattern.exec(body[0] ?? '');
    if (found !== null) assert.equal(body.splice(0, 2)[1] ?? '', '');
    return found;
  };
  const isDraft = take(/^<!-- draft -->$/) !== null;
  const time = take(TIME)?.[1];
  const title = take(TITLE)?.[1];
  if (title === undefined) take(/^<!-- untitled -->$/);
  return {
    label: unescapeInline(label),
    status: isDraft ? 'draft' : 'published',
    publishedAt: time ?? (day === undefined ? null : `${day}T00:00:00.000Z`),
    yanked: yanked !== undefined,
    title: unescapeInline(title ?? ''),
    description: take(/^<!-- quoted -->$/) ? unquote(body) : readText(body),
    changes: [],
  };
}

function unquote(lines: readonly string[]): string {
  return lines
    .map((line) => {
      assert.match(line, /^>/);
      return line.replace(/^> ?/, '');
    })
    .join('\n');
}

function readText(lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  return (lines.at(-1) === END ? lines.slice(0, -1) : lines).join('\n');
}

function readItem(raw: readonly string[]): { breaking: boolean; text: string } {
  const lines = withoutBlankEnds(raw);
  const width = /^-( {3}| )/.exec(lines[0] ?? '')?.[0].length ?? 0;
  assert.ok(width > 0, lines[0]);
  const inner = lines.map((line, index) => {
    assert.ok(index === 0 || line === '' || line.startsWith(' '.repeat(width)), line);
    return line.slice(width);
  });
  const mark = /^(?:\*\*Breaking:\*\*|<!-- -->)$/.exec(inner[0] ?? '')?.[0];
  if (mark !== undefined)
    return { breaking: mark !== '<!-- -->', text: readText(inner.slice(2)) ?? assert.fail('no text') };
  const whole = readText(inner) ?? '';
  const breaking = whole.startsWith('**Breaking:** ');
  return { breaking, text: breaking ? whole.slice('**Breaking:** '.length) : whole };
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isText = (line: string) => line.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

function unescapeInline(inline: string): string {
  return inline.replaceAll(/\\(.)|&#(\d+);/g, (_, escaped, code) => escaped ?? String.fromCodePoint(+code));
}

function isWithin(map: Token['map'], from: number, to: number): boolean {
  return map !== null && map[0] > from && map[0] < to;
}

function lineOf(token: Token | undefined): number {
  assert.ok(token?.map);
  return token.map[0];
}
