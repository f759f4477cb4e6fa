// YAML → a value that knows the line of each of its fields. Slow, and the authority on what a text means.
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { FieldPath } from '../../domain/content/content.ts';

export type Parsed = Readonly<{
  value: unknown;
  /** The line of a field, or of the nearest thing around it that the text has. */
  lineOf: (path: FieldPath) => number;
}>;

/** Why a text is no YAML that can be used, and on which line; without a line, all of it. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly line: number | null;
  /** Could it be right where there is more text around it? */
  readonly isOfAlias: boolean;

  constructor(line: number | null, message: string, isOfAlias = false) {
    super(message);
    this.line = line;
    this.isOfAlias = isOfAlias;
  }
}

/** Reads YAML, of which JSON is a part. */
export function parseText(text: string): Parsed {
  const lines = new LineCounter();
  const source = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    prettyErrors: false,
    stringKeys: true,
    // The library compares each name with all before it, which takes minutes for some ten thousand.
    uniqueKeys: false,
  });
  const [syntax] = source.errors;
  if (syntax !== undefined) {
    const message = STACK_MESSAGE.test(syntax.message)
      ? 'this is nested too deeply.'
      : (SYNTAX_MESSAGES[syntax.code] ?? syntax.message.replaceAll('\n', ' '));
    throw new SyntaxProblem(lines.linePos(syntax.pos[0]).line, message);
  }
  requireUniqueKeys(source, (key) => {
    throw new SyntaxProblem(lines.linePos(key.range?.[0] ?? 0).line, REPEATED_NAME);
  });
  requireUsableAliases(source, (alias, message) => {
    throw new SyntaxProblem(lines.linePos(alias.range?.[0] ?? 0).line, message, true);
  });
  return { value: toPlainValue(source), lineOf: (path) => lineOf(source, lines, path) };
}

/** Where the library speaks to programmers. */
const SYNTAX_MESSAGES: Record<string, string> = {
  MULTIPLE_DOCS: 'a second document begins here; put each team into a file of its own.',
  NON_STRING_KEY: 'the name of a field must be plain text; put it in quotes.',
};

const REPEATED_NAME = 'this field stands in its mapping already; each may stand once.';
const STACK_MESSAGE = /call stack/;

function requireUniqueKeys(source: Document.Parsed, refuse: (key: Scalar) => never): void {
  visit(source, {
    Map: (_key, { items }) => {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) refuse(key);
        names.add(key.value);
      }
    },
  });
}

/** An alias of nothing, or of something that it stands in itself, has no value. */
function requireUsableAliases(
  source: Document.Parsed,
  refuse: (alias: Alias, message: string) => never,
): void {
  const anchored = new Map<string, Node>();
  visit(source, {
    Node: (_key, node, around) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      const meant = anchored.get(node.source);
      if (meant === undefined)
        refuse(node, `there is no anchor &${node.source} before this alias; check its name.`);
      if (around.includes(meant)) refuse(node, `the alias *${node.source} stands inside of what it means.`);
    },
  });
}

/** Aliases can make a small file stand for an endless document; the library counts them. */
function toPlainValue(source: Document.Parsed): unknown {
  try {
    return source.toJS();
  } catch (error) {
    throw new SyntaxProblem(null, (error as Error).message, true);
  }
}

function lineOf(source: Document.Parsed, lines: LineCounter, path: FieldPath): number {
  for (let length = path.length; length >= 0; length--) {
    const found = nodeAt(source, path.slice(0, length));
    if (found !== undefined) return lines.linePos(found).line;
  }
  return 1;
}

/** Where a field's name stands, or an item of a list, or the document. */
function nodeAt(source: Document.Parsed, path: FieldPath): number | undefined {
  const node = path.length === 0 ? source.contents : nameOrItem(source, path);
  return isNode(node) ? node.range?.[0] : undefined;
}

function nameOrItem(source: Document.Parsed, path: FieldPath): unknown {
  const around = path.length === 1 ? source.contents : source.getIn(path.slice(0, -1), true);
  if (!isMap(around)) return source.getIn(path, true);
  return around.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))?.key;
}
