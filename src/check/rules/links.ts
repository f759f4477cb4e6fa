// Links by reference, such as `[text][name]` and `## [1.2.0]`, and their definitions.

import type { WrittenVersion as Version } from '../../import/markdown/markdown.ts';
import { parseDefinition, type ReferenceUse } from '../../import/markdown/references.ts';
import { keyOf, numberOf } from '../../import/markdown/versions/candidate.ts';
import type { InspectedText } from '../../import/read.ts';
import { quote } from '../../import/warnings.ts';
import type { Found, Rule } from '../rule.ts';

export const undefinedLink: Rule = {
  id: 'undefined-link',
  level: 'error',
  summary: 'A link has no definition.',
  help: 'A link such as [text][name] needs a line such as [name]: https://… somewhere in the file. Without it, readers see the brackets. Add the line, or correct the name. Words that may be tags, such as [core][ui], are left alone: at the start of an item, and in a file without such links.',
  *find(text) {
    if (text.markup !== 'markdown') return;
    const uses = usesIn(text);
    const missing = uses.filter(({ isDefined }) => !isDefined);
    // Two words may be tags, unless the file has links of that form.
    const hasLinks = uses.some((use) => use.isDefined && isInSentence(use));
    for (const use of missing) {
      const { line, column } = use;
      const name = use.name.replaceAll(/\s+/g, ' ');
      if (!isCertain(use) && !(hasLinks && isInSentence(use))) continue;
      const advice = /^https?:/.test(name)
        ? 'put the URL in parentheses'
        : `add a line such as \`[${name}]: https://…\`, or correct the name`;
      yield { line, column, message: `the link to ${quote(`[${name}]`)} has no definition; ${advice}.` };
    }
  },
};

type Use = Omit<ReferenceUse, 'text' | 'at'> &
  Readonly<{
    text: string;
    line: number;
    column: number;
    /** What is before it in its line, or as much of it as matters. */
    before: string;
  }>;

/** What can be a link. `[a][b][c]` are tags or issues, and `a[i][j]` is code. */
function usesIn(text: InspectedText): Use[] {
  const found: Use[] = [];
  for (const { from, lines } of partsOf(text)) {
    const whole = lines.join('\n');
    let line = from;
    let lineStart = 0;
    let lineEnd = endOfLine(whole, 0);
    for (const { at, text: shown, ...use } of text.found.references.findUses(whole)) {
      for (; lineEnd < at; lineEnd = endOfLine(whole, lineStart)) {
        line++;
        lineStart = lineEnd + 1;
      }
      if (shown === null || /["'[(^]/.test(use.name)) continue;
      const start = at - shown.length - 2;
      const near = whole.slice(Math.max(0, start - BEFORE_CHARACTERS_MAX), start);
      const before = near.slice(near.lastIndexOf('\n') + 1);
      const isChain = before.endsWith(']') || whole[whole.indexOf(']', at) + 1] === '[';
      const isCode = /[\w\\]$|^ {4}/.test(before);
      if (!isChain && !isCode) found.push({ ...use, text: shown, line, column: at - lineStart + 1, before });
    }
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const BEFORE_CHARACTERS_MAX = 300;
const ISSUE = /^(?:#|!|GH-|PR-)?(\d+)$/i;

function isCertain({ text, name, isCollapsed, before }: Use): boolean {
  // `[string, number][]` is a type.
  if (isCollapsed) return /^[^,|<>]{2,}$/.test(text);
  const issue = ISSUE.exec(text)?.[1];
  const isImage = before.endsWith('!');
  const isOfIssue = issue !== undefined && name.endsWith(issue) && !name.startsWith('#');
  return isImage || isOfIssue || /\w\s+\w/.test(text) || text === name || /^https?:/.test(name);
}

/** After a word; tags are at the start of an item. */
function isInSentence({ text, name, isCollapsed, before }: Use): boolean {
  return !isCollapsed && /[\p{L},] \(?$/u.test(before) && !(text.startsWith('#') && name.startsWith('#'));
}

/** The text without code and comments, in parts that links do not cross. */
function* partsOf({ versions, found }: InspectedText): Generator<{ from: number; lines: readonly string[] }> {
  const raw = new Set(found.raw);
  const shown = (lines: readonly string[], from: number) =>
    lines.map((line, at) => (raw.has(from + at) ? '' : line));
  const first = versions[0]?.line ?? found.lines.length + 1;
  yield { from: 1, lines: shown(found.lines.slice(0, first - 1), 1) };
  for (const { line, lines } of versions) yield { from: line + 1, lines: shown(lines, line + 1) };
}

/** So many versions with links make one without stand out. */
const LINKED_MIN = 3;
const LINKED_SHARE_MIN = 0.8;

export const versionLink: Rule = {
  id: 'version-link',
  level: 'error',
  summary: 'The link of a version is missing or leads to another version.',
  help: 'The heading of a version is in brackets, as in ## [1.2.0], but its line [1.2.0]: https://… is missing while almost all others have one, or leads to the tag or comparison of another version in the file.',
  *find(text) {
    if (text.markup !== 'markdown') return;
    yield* findUndefined(text);
    yield* findWrong(text);
  },
};

function referenceOf({ heading: { link } }: Version): string | null {
  return link !== null && 'reference' in link ? link.reference : null;
}

function* findUndefined({ versions, found: { references } }: InspectedText): Iterable<Found> {
  const bracketed = versions.filter(
    (version) => referenceOf(version) !== null && !version.heading.isUnreleased,
  );
  const missing = bracketed.filter(
    (version) => references.find(referenceOf(version) as string) === undefined,
  );
  const linked = bracketed.length - missing.length;
  if (linked < LINKED_MIN || linked < bracketed.length * LINKED_SHARE_MIN) return;
  for (const version of missing) {
    const name = referenceOf(version);
    yield {
      line: version.line,
      message: `version ${version.heading.label} has no link while the others do; add a line such as \`[${name}]: https://…\`.`,
    };
  }
}

/** The last version in a URL: of `…/compare/v1.1.0...v1.2.0`, `…/releases/tag/v1.2.0` and `…/tree/v1.2.0`. */
const LINE_CHARACTERS_MAX = 2_000;
const TARGET = /(?:\/compare\/.*?\.{2,3}|\/releases\/tag\/|\/tree\/)(?:refs\/tags\/)?([^/?#]+)\/?$/;

function* findWrong({ versions, written, found: { raw } }: InspectedText): Iterable<Found> {
  const labels = new Set(versions.map(({ heading }) => numberOf(heading.label)));
  const named = new Set(versions.map(({ heading }) => keyOf(heading.label)));
  const code = new Set(raw);
  for (const [index, line] of written.entries()) {
    if (!line.startsWith('[') || line.length > LINE_CHARACTERS_MAX || code.has(index + 1)) continue;
    const definition = parseDefinition(line);
    if (definition === null || !named.has(keyOf(definition.name))) continue;
    const target = TARGET.exec(definition.url)?.[1];
    const own = numberOf(definition.name);
    const led = target === undefined ? own : numberOf(decode(target));
    if (led === own || !labels.has(led) || !/\d/.test(own)) continue;
    yield {
      line: index + 1,
      message: `the link of version ${definition.name} leads to ${led}; correct its URL.`,
    };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
