// What is wrong with the shape of a document. The problems are found one by one, in the order of the document: there may
// be millions.
import { ContentProblem, type FieldPath } from '../../domain/content/content.ts';
import { nearest } from '../../domain/nearest.ts';
import type { Schema } from '../../domain/schema.ts';

/** The part of JSON Schema that documents need. A general validator takes longer to load than a changelog to read. */
type Shape = Schema<unknown> &
  Readonly<{
    type?: string | readonly string[];
    enum?: readonly string[];
    pattern?: string;
    /** In characters, not units of UTF-16. */
    minLength?: number;
    maxLength?: number;
    properties?: Readonly<Record<string, Shape>>;
    required?: readonly string[];
    items?: Shape;
    maxItems?: number;
  }>;

/** What messages say about one kind of document. */
export type ShapeHelp = Readonly<{
  /** The whole document, to find where an unknown field belongs. */
  document: Shape;
  /** Completes "must be …" for some fields, without their value: a URL may have a password. */
  wanted: Readonly<Record<string, string>>;
  /** For texts that do not match the pattern of their field. */
  patterns: Readonly<Record<string, string>>;
  /** Whether the value there must not be shown. */
  isSecret?: (path: FieldPath) => boolean;
}>;

/** Told before the others: a field that is missing may be there under a wrong name. */
export class UnknownField extends ContentProblem {}

/** Comparing takes time, and a mapping may have millions of unknown fields. */
const NAMES_COMPARED_MAX = 1_000;

type Check = (value: unknown) => boolean;

/** For values that are valid, which is fast; `findShapeProblems` is for all others. */
export function compileCheck<T>(schema: Shape): (value: unknown) => value is T {
  return checkOf(schema) as (value: unknown) => value is T;
}

function checkOf(schema: Shape): Check {
  const { properties, required = [], items } = schema;
  const findBroken = compileRules(schema);
  if (items !== undefined) {
    const checkItem = checkOf(items);
    return (value) => findBroken(value) === null && (value as unknown[]).every(checkItem);
  }
  if (properties === undefined) return (value) => findBroken(value) === null;
  const checks = new Map(Object.entries(properties).map(([name, each]) => [name, checkOf(each)]));
  return (value) => {
    if (findBroken(value) !== null) return false;
    const fields = value as Readonly<Record<string, unknown>>;
    return (
      required.every((name) => fields[name] !== undefined) &&
      Object.entries(fields).every(([name, field]) => {
        const check = checks.get(name);
        return check !== undefined && (field === undefined || check(field));
      })
    );
  };
}

type Rule = 'type' | 'enum' | 'pattern' | 'minLength' | 'maxLength' | 'maxItems';

/** Finds the rule that a value breaks by itself, whatever is in it. */
function compileRules(schema: Shape): (value: unknown) => Rule | null {
  const { enum: allowed, minLength = 0, maxLength = Infinity, maxItems = Infinity } = schema;
  const types = [schema.type ?? []].flat();
  const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern, 'u');
  return (value) => {
    if (!types.includes(typeOf(value))) return 'type';
    if (Array.isArray(value) && value.length > maxItems) return 'maxItems';
    if (typeof value !== 'string') return null;
    if (allowed !== undefined && !allowed.includes(value)) return 'enum';
    if (value.length > maxLength && [...value].length > maxLength) return 'maxLength';
    if (value.length < minLength) return 'minLength';
    return pattern === null || pattern.test(value) ? null : 'pattern';
  };
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

export function* findShapeProblems(
  schema: Shape,
  value: unknown,
  help: ShapeHelp,
  path: FieldPath = [],
): Generator<ContentProblem> {
  let isExplained = false;
  for (const problem of findInnerProblems(schema, value, help, path)) {
    isExplained = true;
    yield problem;
  }
  if (isExplained) return;
  const broken = compileRules(schema)(value);
  if (broken !== null) yield new ContentProblem(path, describeBroken(broken, schema, value, help, path));
}

function* findInnerProblems(
  schema: Shape,
  value: unknown,
  help: ShapeHelp,
  path: FieldPath,
): Generator<ContentProblem> {
  if (schema.properties !== undefined && isMapping(value))
    yield* findFieldProblems(schema, value, help, path);
  else if (schema.items !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* findShapeProblems(schema.items, item, help, [...path, index]);
  } else if (typeof value === 'string') yield* findTextProblems(value, path);
}

function* findFieldProblems(
  { properties = {}, required = [] }: Shape,
  value: Readonly<Record<string, unknown>>,
  help: ShapeHelp,
  path: FieldPath,
): Generator<ContentProblem> {
  const known = Object.keys(properties);
  const names = Object.keys(value);
  const missing = new Set(required.filter((name) => !Object.hasOwn(value, name)));
  // A field that is only misspelt is one problem, not two.
  if (missing.size > 0)
    for (const name of names.slice(0, NAMES_COMPARED_MAX))
      if (!Object.hasOwn(properties, name)) missing.delete(nearest(name, known) ?? '');
  for (const name of missing) yield new ContentProblem([...path, name], 'is missing; add it.');
  for (const name of names) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined)
      yield new UnknownField([...path, name], describeUnknown(name, known, help.document));
    else yield* findShapeProblems(schema, value[name], help, [...path, name]);
  }
}

function describeUnknown(name: string, known: readonly string[], document: Shape): string {
  const meant = nearest(name, known);
  const advice = meant === undefined ? adviceElsewhere(name, document) : `did you mean ${show(meant)}?`;
  return `unknown field ${show(name)}; ${advice}`;
}

function adviceElsewhere(name: string, document: Shape): string {
  const places = placesOf(name, document);
  return places.length === 0
    ? 'check its spelling or remove it.'
    : `it belongs in ${places.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`;
}

/** Where a document may have a field of this name: `products[].changelog`. */
function placesOf(name: string, { properties = {}, items }: Shape, place = ''): string[] {
  if (items !== undefined) return placesOf(name, items, `${place}[]`);
  const inner = Object.entries(properties).flatMap(([field, schema]) =>
    placesOf(name, schema, place === '' ? field : `${place}.${field}`),
  );
  return Object.hasOwn(properties, name) ? [place === '' ? 'the document' : place, ...inner] : inner;
}

/** Text that a database would not return as it was. */
function findTextProblems(text: string, path: FieldPath): ContentProblem[] {
  if (text.includes('\0')) return [new ContentProblem(path, 'contains a NUL character; remove it.')];
  if (!text.isWellFormed())
    return [new ContentProblem(path, 'contains half of a surrogate pair; remove it.')];
  return [];
}

function describeBroken(
  broken: Rule,
  { type = [], enum: allowed = [], maxLength, maxItems }: Shape,
  value: unknown,
  { wanted, patterns, isSecret = () => false }: ShapeHelp,
  path: FieldPath,
): string {
  const field = String(path.findLast((part) => typeof part === 'string'));
  if (wanted[field] !== undefined && broken !== 'maxLength') return `must be ${wanted[field]}.`;
  const hidden = isSecret(path);
  const not = hidden ? '' : `, not ${show(value)}`;
  switch (broken) {
    case 'enum': {
      const meant = hidden ? undefined : nearest(String(value), allowed);
      const advice = meant === undefined ? '.' : `; did you mean ${show(meant)}?`;
      return `must be one of ${allowed.join(', ')}${not}${advice}`;
    }
    case 'type':
      return `must be ${describeType(type)}${not}${quotingHint(type, value)}.`;
    case 'pattern':
      return `${hidden ? '' : `${show(value)} `}is not valid; ${patterns[field] ?? 'see the schema'}.`;
    case 'minLength':
      return 'must not be empty.';
    case 'maxLength':
      return `is too long; at most ${maxLength?.toLocaleString('en')} characters.`;
    case 'maxItems':
      return `has ${(value as unknown[]).length.toLocaleString('en')} items; at most ${maxItems?.toLocaleString('en')}.`;
  }
}

function describeType(type: string | readonly string[]): string {
  const names: Record<string, string> = { array: 'a list', object: 'a mapping', null: 'empty' };
  return [type]
    .flat()
    .map((name) => names[name] ?? `a ${name}`)
    .join(' or ');
}

/** `version: 1.10` is a number to YAML, and its last digit would be lost. */
function quotingHint(wanted: string | readonly string[], value: unknown): string {
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return wanted.includes('string') && scalar ? '; put it in quotes' : '';
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SHOWN_CHARACTERS_MAX = 60;

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX - 3)}…` : text;
}
