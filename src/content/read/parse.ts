// Parses YAML and JSON, and finds the lines of what is wrong. JSON is YAML, too: where JSON.parse says too little,
// js-yaml reads it.
import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import type { FieldPath } from '../../domain/content/content.ts';
import { DEPTH_MAX, findJsonProblem, lineAt, NO_COMMENTS, parseJson, SyntaxProblem } from './json.ts';

/** js-yaml takes longer and more memory than JSON.parse. */
export const YAML_BYTES_MAX = 16 * 1024 * 1024;

/** The memory that a value takes grows with the number of its parts, however small they are. */
export const YAML_TOKENS_MAX = 3_000_000;
/** Nested aliases make a small text stand for an endless value. */
const REPEATED_NODES_MAX = 100_000;

/** What begins like JSON and is not may be YAML in flow style. */
export function parse(text: string): unknown {
  if (!/^\s*(?:[{[]\s*["/{[\]}]|\/[/*])/.test(text)) return parseYaml(text);
  const value = parseJson(text);
  if (value !== undefined) return value;
  const problem = findJsonProblem(text);
  // Its fields appear twice, or are nested too deeply.
  if (problem === null) return readYaml(text);
  if (problem.message === NO_COMMENTS || Buffer.byteLength(text) > YAML_BYTES_MAX) throw problem;
  return parseYaml(text);
}

/** Characters that begin, end or separate values in YAML. They also occur in text, but rarely. */
const YAML_TOKEN = /[\n,:\-?[\]{}&*#"'!|>]/g;

/** `splitAdvice` is for a file with a second document. */
export function parseYaml(text: string, splitAdvice?: string): unknown {
  const advice = 'split the document by product, or write it as JSON.';
  if (Buffer.byteLength(text) > YAML_BYTES_MAX)
    throw new SyntaxProblem(1, `YAML may have at most ${YAML_BYTES_MAX / 2 ** 20} MiB; ${advice}`);
  if ((text.match(YAML_TOKEN)?.length ?? 0) > YAML_TOKENS_MAX)
    throw new SyntaxProblem(1, `too many fields and items for YAML; ${advice}`);
  return readYaml(text, splitAdvice);
}

function readYaml(source: string, splitAdvice = 'put each team into a separate file'): unknown {
  try {
    const { text, events } = readEvents(source);
    const [value = null, ...others] = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    if (others.length > 0) {
      const line = lineAt(text, text.lastIndexOf('\n---') + 1);
      throw new SyntaxProblem(line, `a second document begins here; ${splitAdvice}.`);
    }
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
    const { reason, mark } = error as YAMLException;
    if (reason !== TOO_LITTLE_INDENTATION || !']}'.includes(text.charAt(mark?.position ?? 0))) throw error;
    const indented = indentBrackets(text);
    return { text: indented, events: parseEvents(indented, {}) };
  }
}

/** Most authors align a closing bracket with its field; js-yaml wants one more space. Texts in blocks stay. */
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
  [`nesting exceeded maxDepth (${DEPTH_MAX})`]: 'nested too deeply',
};

function describe({ reason, mark }: YAMLException, source: string): SyntaxProblem {
  const { position = 0, buffer: text = source } = mark ?? {};
  const line = lineAt(text, position);
  const message = REASONS[reason] ?? `cannot be parsed: ${reason.replaceAll(/[\s\p{Cc}]+/gu, ' ')}`;
  if (reason !== 'duplicated mapping key') return new SyntaxProblem(line, `${message}.`);
  const [, name] = /^["']?([\w$-]{1,60})(?![\w$\\-])/.exec(text.slice(position, position + 100)) ?? [];
  const field = name === undefined ? '' : ` "${name}"`;
  return new SyntaxProblem(line, `duplicate field${field}; each field may appear once in a mapping.`);
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
      'aliases make the document too large; write it out.',
    );
}

/** Finds the line of a path, or of the nearest thing around it that the text has. */
export function lineFinder(source: string): (path: FieldPath) => number {
  const { text, events } = readEvents(source);
  return (path) => lineAt(text, positionOf(text, events, path));
}

/** Where the name of a field is, or an item of a list, or the nearest thing around it. */
function positionOf(text: string, events: readonly Event[], path: FieldPath): number {
  let position = Math.max(0, startOf(events[1]));
  let end = position;
  /** How many of the lists and mappings around lead to the field. */
  let matched = 0;
  const around: { isMapping: boolean; children: number; isNext: boolean }[] = [];
  for (const event of events.slice(1)) {
    if (event.type === EVENT_ID.POP) around.pop();
    if (matched > around.length || matched > path.length) break;
    if (event.type === EVENT_ID.POP) continue;
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
  if (event?.type === EVENT_ID.ALIAS) return event.anchorStart;
  if (event?.type === EVENT_ID.SCALAR) return event.valueStart;
  return event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.MAPPING ? event.start : -1;
}
