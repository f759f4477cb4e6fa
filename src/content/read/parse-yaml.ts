// Parses YAML, and finds the lines of its fields.
import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import type { FieldPath } from '../../domain/content/content.ts';
import { duplicateField, lineAt, SyntaxProblem } from './syntax-problem.ts';

/** Aliases may repeat other nodes this many times in all: nested, they make a small text stand for an endless value. */
const REPEATED_NODES_MAX = 100_000;

/** The memory that js-yaml takes grows with the number of values, by 150 to 350 bytes each, however small they are. */
export const YAML_TOKENS_MAX = 3_000_000;

/** Characters that begin, end or separate values in YAML. They also occur in text, but rarely. */
const IS_TOKEN = new Uint8Array(128);
for (const character of Buffer.from('\n,:-?[]{}&*#"\'!|>')) IS_TOKEN[character] = 1;

/** `splitAdvice` is for a file with a second document. */
export function parseYaml(source: string, splitAdvice = 'put each team into a separate file'): unknown {
  requireFewTokens(source);
  try {
    const { text, events } = readEvents(source);
    requireUsableAliases(text, events);
    readNamesAsText(events);
    const [value = null, ...others] = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    if (others.length > 0) throw secondDocument(text, events, splitAdvice);
    return value;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { position = 0, buffer = source } = error.mark ?? {};
    throw describe(error.reason, buffer, position);
  }
}

/** The line of each path, or of the nearest thing around it that the text has. */
export function findLinesInYaml(source: string, paths: readonly FieldPath[]): number[] {
  const { text, events } = readEvents(source);
  return paths.map((path) => lineAt(text, positionOf(text, events, path)));
}

function requireFewTokens(text: string): void {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) tokens += IS_TOKEN[text.charCodeAt(at)] ?? 0;
  if (tokens > YAML_TOKENS_MAX)
    throw new SyntaxProblem(
      1,
      'too many fields and items for YAML; split the document by product, or write it as JSON.',
    );
}

function readEvents(text: string): { text: string; events: Event[] } {
  try {
    return { text, events: parseEvents(text, {}) };
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== TOO_LITTLE_INDENTATION) throw error;
    if (!/^[\]}]/.test(text.slice(error.mark?.position))) throw error;
    const indented = indentBrackets(text);
    return { text: indented, events: parseEvents(indented, {}) };
  }
}

const BLOCK_SCALAR_HEADER = /[|>][-+\d]*(?:[ \t]+#.*)?\s*$/;

/** Most authors align a closing bracket with the field that it belongs to; js-yaml requires one more space. */
function indentBrackets(text: string): string {
  const lines = text.split('\n');
  let before = '';
  const indented = lines.map((line) => {
    // The first line of a block scalar sets the indentation there.
    const isIndented = /^ *[\]}]/.test(line) && !BLOCK_SCALAR_HEADER.test(before);
    if (line.trim() !== '') before = line;
    return isIndented ? ` ${line}` : line;
  });
  const blocks = parseEvents(indented.join('\n'), {})
    .filter((event) => event.type === EVENT_ID.SCALAR)
    .filter(isBlockScalar)
    .values();
  let block = blocks.next().value;
  let position = 0;
  const restored = indented.map((line, index) => {
    while (block !== undefined && block.valueEnd <= position) block = blocks.next().value;
    const isText = block !== undefined && block.valueStart <= position;
    position += line.length + 1;
    return isText ? lines[index] : line;
  });
  return restored.join('\n');
}

const TOO_LITTLE_INDENTATION = 'deficient indentation';
const NEEDS_QUOTES =
  'bad indentation, or a text that needs quotes: it starts with @, ` or %, or contains ": "';

/** For reasons that an author would not understand. */
const REASONS: Readonly<Record<string, string>> = {
  'bad indentation of a mapping entry': NEEDS_QUOTES,
  [TOO_LITTLE_INDENTATION]:
    'too little indentation, a bracket or quote that is not closed, or a tab outside of quotes',
  'end of the stream or a document separator is expected': NEEDS_QUOTES,
  'object-based map does not support complex keys':
    'the name of a field must be plain text; put it in quotes',
  'the stream contains non-printable characters':
    'a control character; write it as an escape in double quotes, such as "\\x1b"',
};

function describe(reason: string, text: string, position: number): SyntaxProblem {
  const line = lineAt(text, position);
  if (reason === 'duplicated mapping key')
    return duplicateField(line, /^["']?([\w$-]{1,60})/.exec(text.slice(position))?.[1]);
  const message = REASONS[reason] ?? `cannot be parsed: ${reason.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`;
  return new SyntaxProblem(line, `${message}.`);
}

function secondDocument(text: string, events: readonly Event[], splitAdvice: string): SyntaxProblem {
  const second = events.findIndex(({ type }, index) => type === EVENT_ID.DOCUMENT && index > 0);
  const end = Math.max(0, ...events.slice(0, second).map(endOf));
  const separator = /^(?:---|\.\.\.)/m.exec(text.slice(end))?.index ?? 0;
  return new SyntaxProblem(lineAt(text, end + separator), `a second document begins here; ${splitAdvice}.`);
}

/** An alias needs an anchor before it, and may not be inside of the node that it repeats. */
function requireUsableAliases(text: string, events: readonly Event[]): void {
  const sizes = new Map<string, number>();
  const open: { anchor: string | null; size: number }[] = [];
  let repeated = 0;
  const close = (anchor: string | null, size: number) => {
    if (anchor !== null) sizes.set(anchor, size);
    const around = open.at(-1);
    if (around !== undefined) around.size += size;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const node = open.pop();
      if (node !== undefined) close(node.anchor, node.size);
    } else if (event.type === EVENT_ID.DOCUMENT) open.push({ anchor: null, size: 1 });
    else if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      const size = sizes.get(name);
      const fail = (message: string) => {
        throw new SyntaxProblem(lineAt(text, event.anchorStart), message);
      };
      if (open.some(({ anchor }) => anchor === name))
        fail(`the alias *${name} is inside of what it repeats.`);
      if (size === undefined) fail(`no anchor &${name} before the alias *${name}; check its name.`);
      repeated += size ?? 0;
      if (repeated > REPEATED_NODES_MAX) fail('aliases make the document too large; write it out.');
      close(null, size ?? 0);
    } else {
      const anchor = event.anchorStart === -1 ? null : text.slice(event.anchorStart, event.anchorEnd);
      if (event.type === EVENT_ID.SCALAR) close(anchor, 1);
      else open.push({ anchor, size: 1 });
    }
  }
}

/** Otherwise the field `1.10` would be reported as "1.1", and one without a name as "null". */
function readNamesAsText(events: readonly Event[]): void {
  const open: { isMapping: boolean; children: number }[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const around = open.at(-1);
    const isName = around?.isMapping && around.children++ % 2 === 0;
    if (event.type === EVENT_ID.SCALAR) {
      if (isName && event.style === SCALAR_STYLE.PLAIN) event.style = SCALAR_STYLE.SINGLE_QUOTED;
    } else if (event.type !== EVENT_ID.ALIAS)
      open.push({ isMapping: event.type === EVENT_ID.MAPPING, children: 0 });
  }
}

/** Where the name of a field is, or an item of a list, or the nearest thing around it. */
function positionOf(text: string, events: readonly Event[], path: FieldPath): number {
  let node = 1;
  let position = Math.max(0, startOf(events[node]));
  for (const part of path) {
    const child = childOf(text, events, node, part);
    if (child === null) break;
    ({ node, position } = child);
  }
  return position;
}

function childOf(text: string, events: readonly Event[], parent: number, part: string | number) {
  const type = events[parent]?.type;
  const isMapping = type === EVENT_ID.MAPPING;
  if (!isMapping && type !== EVENT_ID.SEQUENCE) return null;
  let end = startOf(events[parent]);
  let next = parent + 1;
  for (let index = 0; events[next]?.type !== EVENT_ID.POP; index++) {
    const first = next;
    const event = events[first] as Event;
    const node = isMapping ? nodeAfter(events, first) : first;
    next = nodeAfter(events, node);
    if (isMapping) {
      if (event.type === EVENT_ID.SCALAR && getScalarValue(text, event) === String(part))
        return { node, position: startOf(event) };
    } else if (index === part) {
      // An empty item is nowhere in the text; its dash is.
      const start = startOf(event);
      return { node, position: start === -1 ? Math.max(end, text.indexOf('-', end)) : start };
    } else for (let at = first; at < next; at++) end = Math.max(end, endOf(events[at] as Event));
  }
  return null;
}

function nodeAfter(events: readonly Event[], node: number): number {
  let depth = 0;
  for (let at = node; at < events.length; at++) {
    const type = events[at]?.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
    else if (type === EVENT_ID.POP) depth--;
    if (depth === 0) return at + 1;
  }
  return events.length;
}

function startOf(event: Event | undefined): number {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return -1;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  // The value of a block scalar starts on the line after its header.
  return isBlockScalar(event) ? event.valueStart - 1 : event.valueStart;
}

function isBlockScalar({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
}

function endOf(event: Event): number {
  return event.type === EVENT_ID.SCALAR ? event.valueEnd : startOf(event);
}
