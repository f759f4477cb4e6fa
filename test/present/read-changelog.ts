// Reads a CHANGELOG.md back as docs/feeds.md says: what is a heading and what is an item is for a Markdown parser to
// decide, and what they say is taken from the lines.
import assert from 'node:assert/strict';
import MarkdownIt, { type Token } from 'markdown-it';
import { CHANGE_TYPES, type ChangeType } from '../../src/domain/model.ts';

export type ReadVersion = {
  label: string;
  publishedAt: string;
  yanked: boolean;
  title: string;
  description: string | null;
  changes: { type: ChangeType; breaking: boolean; text: string }[];
};

const markdown = new MarkdownIt({ html: true });
const HEADING = /^## \[((?:\\.|[^\]\\])*)\] - (\d{4}-\d{2}-\d{2})( \[YANKED\])?$/su;
const TIME = /^<!-- (\d{4}-\d{2}-\d{2}T\S+Z) -->$/;
const TITLE = /^\*\*(.+)\*\*$/su;

export function readChangelog(text: string): { name: string; versions: ReadVersion[] } {
  assert.ok(text.endsWith('\n'));
  const lines = text.slice(0, -1).split('\n');
  const tokens = markdown.parse(text, {}).filter(({ level }) => level === 0);
  const headings = tokens.filter(({ type }) => type === 'heading_open');
  const [first, ...others] = headings;
  assert.equal(first?.tag, 'h1');
  const versions: ReadVersion[] = [];
  for (const [index, heading] of others.entries()) {
    const from = lineOf(heading);
    const to = others[index + 1] ? lineOf(others[index + 1]) : lines.length;
    const body = bodyOf(lines.slice(from + 1, to), to === lines.length);
    if (heading.tag === 'h2') {
      versions.push(readVersion(lines[from] ?? '', body));
      continue;
    }
    assert.equal(heading.tag, 'h3', lines[from]);
    const type = (lines[from] ?? '').slice('### '.length).toLowerCase() as ChangeType;
    assert.ok(CHANGE_TYPES.includes(type), lines[from]);
    const within = tokens.filter(
      (token) => token.nesting !== -1 && lineOf(token) > from && lineOf(token) < to,
    );
    assert.deepEqual(
      within.map((token) => token.type),
      ['bullet_list_open'],
      `more than a list under ${lines[from]}`,
    );
    const starts = markdown
      .parse(text, {})
      .filter((token) => token.type === 'list_item_open' && token.level === 1)
      .map(lineOf)
      .filter((line) => line > from && line < to);
    const items = starts.map((start, item) => {
      const end = starts[item + 1] ?? from + 2 + body.length;
      return readItem(lines.slice(start, end));
    });
    versions.at(-1)?.changes.push(...items.map((item) => ({ type, ...item })));
  }
  return { name: unescapeInline((lines[0] ?? '').slice('# '.length)), versions };
}

/** What stands between two headings, without the blank lines that part it from them. */
function bodyOf(lines: readonly string[], isLast: boolean): string[] {
  if (lines.length === 0) return [];
  assert.equal(lines[0], '');
  return isLast ? lines.slice(1) : lines.slice(1, -1);
}

function readVersion(heading: string, body: string[]): ReadVersion {
  const [, label = '', day = '', yanked] = HEADING.exec(heading) ?? [];
  assert.notEqual(label, '', heading);
  const rest = [...body];
  const time = TIME.exec(rest[0] ?? '')?.[1];
  if (time !== undefined) rest.splice(0, 2);
  const title = TITLE.exec(rest[0] ?? '')?.[1];
  if (title !== undefined || rest[0] === '<!-- untitled -->') rest.splice(0, 2);
  const isQuoted = rest[0]?.startsWith('>') ?? false;
  const description = rest.map((line) => (isQuoted ? line.replace(/^> ?/, '') : line)).join('\n');
  return {
    label: unescapeInline(label),
    publishedAt: time ?? `${day}T00:00:00.000Z`,
    yanked: yanked !== undefined,
    title: unescapeInline(title ?? ''),
    description: description === '' ? null : description,
    changes: [],
  };
}

function readItem(lines: readonly string[]): { breaking: boolean; text: string } {
  const width = /^-( {3}| )/.exec(lines[0] ?? '')?.[0].length ?? 0;
  assert.ok(width > 0, lines[0]);
  const inner = lines.map((line, index) => {
    assert.ok(index === 0 || line === '' || line.startsWith(' '.repeat(width)), line);
    return line.slice(width);
  });
  const mark = /^(?:\*\*Breaking:\*\*|<!-- -->)$/.exec(inner[0] ?? '')?.[0];
  if (mark !== undefined) return { breaking: mark !== '<!-- -->', text: inner.slice(2).join('\n') };
  const whole = inner.join('\n');
  const breaking = whole.startsWith('**Breaking:** ');
  return { breaking, text: breaking ? whole.slice('**Breaking:** '.length) : whole };
}

function unescapeInline(inline: string): string {
  return inline.replaceAll(/\\(.)|&#(\d+);/g, (_, escaped, code) => escaped ?? String.fromCodePoint(+code));
}

function lineOf(token: Token | undefined): number {
  assert.ok(token?.map);
  return token.map[0];
}
