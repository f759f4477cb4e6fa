// Parses YAML and JSON, and finds the lines of what is wrong. JSON is YAML, too: where JSON.parse says too little,
// js-yaml reads it.
import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';
import type { FieldPath } from '../../domain/content/content.ts';

/** Why a text cannot be parsed, and where. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** js-yaml takes longer and more memory than JSON.parse. */
export const YAML_BYTES_MAX = 16 * 1024 * 1024;

/** The memory that a value takes grows with the number of its parts, however small they are. */
export const YAML_TOKENS_MAX = 3_000_000;
export const JSON_TOKENS_MAX = 6_000_000;
const DEPTH_MAX = 100;
/** Nested aliases make a small text stand for an endless value. */
const REPEATED_NODES_MAX = 100_000;

const JSON_START = /^\s*(?:[{[]\s*["/{[\]}]|\/[/*])/;

const YAML_TOO_LARGE = new SyntaxProblem(
  1,
  `YAML may have at most ${YAML_BYTES_MAX / 2 ** 20} MiB; split it by product, or write it as JSON.`,
);

/** What begins like JSON and is not may be YAML in flow style. */
export function parse(text: string): unknown {
  const isJson = JSON_START.test(text);
  const value = isJson ? parseJson(text) : undefined;
  if (value !== undefined) return value;
  const problem = isJson ? findJsonProblem(text) : YAML_TOO_LARGE;
  // Its fields appear twice, or are nested too deeply.
  if (problem === null) return readYaml(text);
  if (isJson) requireNoComments(text);
  if (Buffer.byteLength(text) > YAML_BYTES_MAX) throw problem;
  return parseYaml(text);
}

const [SPACE, QUOTE, COMMA, COLON] = [0x20, 0x22, 0x2c, 0x3a];
const [OPEN_LIST, BACKSLASH, OPEN_MAP] = [0x5b, 0x5c, 0x7b];

/** Undefined if it is not JSON, or if its fields are not all there: JSON.parse takes the last of duplicate ones. */
function parseJson(text: string): unknown {
  let [fields, items] = [0, 0];
  for (const at of structureOf(text)) {
    const code = text.charCodeAt(at);
    if (code === COLON) fields++;
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_MAP) items++;
  }
  if (fields + items > JSON_TOKENS_MAX)
    throw new SyntaxProblem(1, 'too many fields and items; split the document by product.');
  try {
    const value = JSON.parse(text);
    return fieldsIn(value) === fields ? value : undefined;
  } catch {
    return undefined;
  }
}

/** NaN if it is nested too deeply. */
function fieldsIn(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_MAX) return Number.NaN;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += fieldsIn(inner, depth + 1);
  return count;
}

/** The positions in JSON of what is outside of texts and not blank, and of the quotes that begin a text. */
export function* structureOf(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE && code !== 0) continue;
    yield at;
    if (code === QUOTE)
      while (++at < text.length && text.charCodeAt(at) !== QUOTE) if (text.charCodeAt(at) === BACKSLASH) at++;
  }
}

/** YAML would read them as text. */
function requireNoComments(text: string): void {
  for (const at of structureOf(text)) {
    // Not the slashes of a URL.
    if (text[at] === '/' && /(?<!\w:)\/[/*]$/.test(text.slice(Math.max(0, at - 2), at + 2)))
      throw new SyntaxProblem(
        lineAt(text, at),
        'JSON has no comments; remove it, or save the file as YAML, whose comments begin with #.',
      );
  }
}

/** Why JSON.parse fails, and on which line; null if it does not. */
export function findJsonProblem(text: string): SyntaxProblem | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as Error;
    const [, line] = /\(line (\d+) column/.exec(message) ?? [];
    // Without a position, the message has some text from around the error.
    const [, around] = /, (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
    const position = around === undefined ? text.length : text.indexOf(around);
    const reason = message.replace(/(?: in JSON)? at position .*|, (?:\.\.\.)?".*/s, '');
    return new SyntaxProblem(
      Number(line ?? lineAt(text, position)),
      `not valid JSON: ${reason.replaceAll(/[\s\p{Cc}]+/gu, ' ')}.`,
    );
  }
}

const IS_YAML_TOKEN = new Uint8Array(128);
/** Characters that begin, end or separate values in YAML. They also occur in text, but rarely. */
for (const character of Buffer.from('\n,:-?[]{}&*#"\'!|>')) IS_YAML_TOKEN[character] = 1;

/** `splitAdvice` is for a file with a second document. */
export function parseYaml(text: string, splitAdvice?: string): unknown {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) tokens += IS_YAML_TOKEN[text.charCodeAt(at)] ?? 0;
  if (tokens > YAML_TOKENS_MAX)
    throw new SyntaxProblem(
      1,
      'too many fields and items for YAML; split the document by product, or write it as JSON.',
    );
  return readYaml(text, splitAdvice);
}

function readYaml(source: string, splitAdvice = 'put each team into a separate file'): unknown {
  try {
    const { text, events } = readEvents(source);
    const [value = null, ...others] = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    if (others.length > 0) throw secondDocument(text, events, splitAdvice);
    requireUsableAliases(value, text, events);
    return value;
  } catch (error) {
    throw error instanceof YAMLException ? describe(error, source) : error;
  }
}

const TOO_LITTLE_INDENTATION = 'deficient indentation';

function readEvents(text: string): { text: string; events: Event[] } {
  try {
    return { text, events: parseEvents(text, {}) };
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== TOO_LITTLE_INDENTATION) throw error;
    if (!/^[\]}]/.test(text.slice(error.mark?.position).slice(0, 1))) throw error;
    const indented = indentBrackets(text);
    return { text: indented, events: parseEvents(indented, {}) };
  }
}

/**
 * Most authors align a closing bracket with the field that it belongs to; js-yaml requires one more space. Texts in
 * blocks, which are deeper than the field before them, stay as they are.
 */
function indentBrackets(text: string): string {
  let block = Number.POSITIVE_INFINITY;
  return text
    .split('\n')
    .map((line) => {
      const column = line.search(/\S/);
      if (column === -1 || column > block) return line;
      const field = /^ *(?:- +)*(?=[\w"'])/.exec(line)?.[0].length ?? 0;
      block = /[|>][-+\d]*(?:[ \t]+#.*)?\s*$/.test(line) ? field : Number.POSITIVE_INFINITY;
      return /^ *[\]}]/.test(line) ? ` ${line}` : line;
    })
    .join('\n');
}

const NEEDS_QUOTES =
  'bad indentation, or a text that needs quotes: it starts with @, ` or %, or contains ": "';

/** For reasons that an author would not understand. */
const REASONS: Readonly<Record<string, string>> = {
  'bad indentation of a mapping entry': NEEDS_QUOTES,
  [TOO_LITTLE_INDENTATION]:
    'too little indentation, a bracket or quote that is not closed, or a tab outside of quotes',
  'end of the stream or a document separator is expected': NEEDS_QUOTES,
  'the stream contains non-printable characters':
    'a control character; write it as an escape in double quotes, such as "\\x1b"',
  'duplicated mapping key': 'duplicate field',
  [`nesting exceeded maxDepth (${DEPTH_MAX})`]: 'nested too deeply',
};

function describe({ reason, mark }: YAMLException, source: string): SyntaxProblem {
  const { position = 0, buffer: text = source } = mark ?? {};
  const message = REASONS[reason] ?? `cannot be parsed: ${reason.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`;
  if (reason !== 'duplicated mapping key') return new SyntaxProblem(lineAt(text, position), `${message}.`);
  const [, name] = /^["']?([\w$-]{1,60})(?![\w$\\-])/.exec(text.slice(position, position + 100)) ?? [];
  return new SyntaxProblem(
    lineAt(text, position),
    `duplicate field${name === undefined ? '' : ` "${name}"`}; each field may appear once in a mapping.`,
  );
}

function secondDocument(text: string, events: readonly Event[], splitAdvice: string): SyntaxProblem {
  const second = events.findIndex(({ type }, index) => type === EVENT_ID.DOCUMENT && index > 0);
  const end = events.slice(0, second).findLast((event) => startOf(event) !== -1);
  const from = end === undefined ? 0 : startOf(end);
  const separator = /^(?:---|\.\.\.)/m.exec(text.slice(from))?.index ?? 0;
  return new SyntaxProblem(lineAt(text, from + separator), `a second document begins here; ${splitAdvice}.`);
}

/** An alias may not be inside of what it repeats, and all of them may repeat only so much. */
function requireUsableAliases(value: unknown, text: string, events: readonly Event[]): void {
  const alias = events.find(({ type }) => type === EVENT_ID.ALIAS);
  if (alias === undefined) return;
  const sizes = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    sizes.set(node, Number.POSITIVE_INFINITY);
    const size = Object.values(node).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
    sizes.set(node, size);
    return size;
  };
  if (sizeOf(value) - events.length > REPEATED_NODES_MAX)
    throw new SyntaxProblem(
      lineAt(text, startOf(alias)),
      'the aliases from here on make the document too large, or repeat what they are in; write it out.',
    );
}

/** The line of each path, or of the nearest thing around it that the text has. */
export function findLines(source: string, paths: readonly FieldPath[]): number[] {
  const { text, events } = readEvents(source);
  return paths.map((path) => lineAt(text, positionOf(text, events, path)));
}

type Around = { isMapping: boolean; children: number; isNext: boolean };

/** Where the name of a field is, or an item of a list, or the nearest thing around it. */
function positionOf(text: string, events: readonly Event[], path: FieldPath): number {
  let position = Math.max(0, startOf(events[1]));
  let end = position;
  /** How many of the lists and mappings around lead to the field. */
  let matched = 0;
  const around: Around[] = [];
  for (const event of events.slice(1)) {
    if (event.type === EVENT_ID.POP) around.pop();
    if (matched > around.length || matched > path.length) break;
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) continue;
    const start = startOf(event);
    const parent = around.at(-1);
    if (parent !== undefined && matched === around.length) {
      const index = parent.children++;
      const part = path[matched - 1];
      if (!parent.isMapping || index % 2 === 0) {
        const name = parent.isMapping && event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : index;
        parent.isNext = parent.isMapping ? name === String(part) : name === part;
        // An empty item is nowhere in the text; its dash is.
        if (parent.isNext) position = start === -1 ? Math.max(end, text.indexOf('-', end)) : start;
      }
    }
    end = Math.max(end, event.type === EVENT_ID.SCALAR ? event.valueEnd : start);
    if (event.type !== EVENT_ID.SEQUENCE && event.type !== EVENT_ID.MAPPING) continue;
    if (matched === around.length && (parent === undefined || parent.isNext)) matched++;
    around.push({ isMapping: event.type === EVENT_ID.MAPPING, children: 0, isNext: false });
  }
  return position;
}

function startOf(event: Event | undefined): number {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return -1;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  // The value of a block scalar starts on the line after its header.
  const { LITERAL_BLOCK, FOLDED_BLOCK } = SCALAR_STYLE;
  return event.style === LITERAL_BLOCK || event.style === FOLDED_BLOCK
    ? event.valueStart - 1
    : event.valueStart;
}

export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
