// Text → a content document that is known to be right, or what is wrong with it and on which line.
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
  visit,
} from 'yaml';
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
  type FieldPath,
  writeFieldPath,
} from '../domain/content.ts';
import { Refusal } from '../errors.ts';
import { findProblems } from './problems.ts';

/** The document is held in memory, at about a hundred times its size. */
const BYTES_MAX = 32 * 1024 * 1024;

export type SourceDocument = Readonly<{
  content: Content;
  /** Says of a problem where in the file it is. */
  locate: (problem: ContentProblem) => Refusal;
}>;

/** Reads YAML, of which JSON is a part. `file` is how the source is called in messages. */
export function readContent(bytes: Uint8Array, file: string): SourceDocument {
  const lines = new LineCounter();
  const source = parseDocument(decode(bytes, file), {
    lineCounter: lines,
    version: '1.2',
    prettyErrors: false,
    stringKeys: true,
  });
  const [syntax] = source.errors;
  if (syntax !== undefined) {
    const message = SYNTAX_MESSAGES[syntax.code] ?? syntax.message.replaceAll('\n', ' ');
    throw new Refusal(`${file}:${lines.linePos(syntax.pos[0]).line}: ${message}`);
  }
  refuseUnusableAliases(source, (alias, message) => {
    throw new Refusal(`${file}:${lines.linePos(alias.range?.[0] ?? 0).line}: ${message}`);
  });
  const locate = (problem: ContentProblem, others = 0) =>
    new Refusal(
      `${file}:${lineOf(source, lines, problem.path)}: ${writeFieldPath(problem.path) || 'document'}: ${problem.message}` +
        (others > 0 ? ` (and ${others} more)` : ''),
      { cause: problem },
    );

  const value: unknown = toPlainValue(source, file);
  const [first, ...others] = findProblems(value)
    .map((problem) => ({ problem, line: lineOf(source, lines, problem.path) }))
    .sort((a, b) => a.line - b.line)
    .map(({ problem }) => problem);
  if (first !== undefined) throw locate(first, others.length);
  return { content: completeContent(value as ContentDocument), locate };
}

/** Where the library speaks to programmers. */
const SYNTAX_MESSAGES: Record<string, string> = {
  DUPLICATE_KEY: 'this field stands in its mapping already; each may stand once.',
  MULTIPLE_DOCS: 'a second document begins here; put each team into a file of its own.',
  NON_STRING_KEY: 'the name of a field must be plain text; put it in quotes.',
};

function decode(bytes: Uint8Array, file: string): string {
  if (bytes.byteLength > BYTES_MAX)
    throw new Refusal(`${file} is over ${BYTES_MAX / 2 ** 20} MiB: split it up.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file} is not UTF-8 text: save it in that encoding.`);
  }
}

/** An alias of nothing, or of something that it stands in itself, has no value. */
function refuseUnusableAliases(
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
function toPlainValue(source: Document.Parsed, file: string): unknown {
  try {
    return source.toJS();
  } catch (error) {
    throw new Refusal(`${file}: ${(error as Error).message}`);
  }
}

/** The line of a field, or of the nearest thing around it that the file has. */
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
