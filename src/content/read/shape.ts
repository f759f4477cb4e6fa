// What is wrong with the shape of a document, in its order.
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
  /** Say what some fields must be, without their value: a URL may have a password. */
  rules: Readonly<Record<string, Readonly<{ wanted: string }>>>;
  /** For texts that do not match the pattern of their field. */
  patterns: Readonly<Record<string, string>>;
  /** Whether the value there must not be shown. */
  isSecret?: (path: FieldPath) => boolean;
}>;

/** Told before the others: a field that is missing may be there under a wrong name. */
export class UnknownField extends ContentProblem {}

/** More are not looked for: a mapping may have millions of unknown fields. */
export const PROBLEMS_MAX = 1_000;

export function findShapeProblems(document: Shape, value: unknown, help: ShapeHelp): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const path: (string | number)[] = [];
  const visit = (schema: Shape, at: unknown) => {
    const problem = describeBroken(schema, at, help, path);
    if (problem !== null) problems.push(new ContentProblem([...path], problem));
    else if (schema.properties !== undefined) visitFields(schema, at as Fields);
    else if (schema.items !== undefined)
      for (const [index, item] of (at as unknown[]).entries()) visitInner(index, schema.items, item);
  };
  const visitFields = ({ properties = {}, required = [] }: Shape, fields: Fields) => {
    for (const name of missingIn(fields, properties, required))
      problems.push(new ContentProblem([...path, name], 'is missing; add it.'));
    for (const [name, field] of Object.entries(fields)) {
      if (Object.hasOwn(properties, name)) {
        if (field !== undefined) visitInner(name, properties[name] as Shape, field);
      } else if (problems.length < PROBLEMS_MAX)
        problems.push(
          new UnknownField([...path, name], describeUnknown(name, Object.keys(properties), help.document)),
        );
    }
  };
  const visitInner = (part: string | number, schema: Shape, inner: unknown) => {
    if (problems.length >= PROBLEMS_MAX) return;
    path.push(part);
    visit(schema, inner);
    path.pop();
  };
  visit(document, value);
  return problems;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A field that is only misspelt is one problem, not two. */
function missingIn(fields: Fields, properties: Fields, required: readonly string[]): readonly string[] {
  const missing = required.filter((name) => fields[name] === undefined);
  if (missing.length === 0) return missing;
  const known = Object.keys(properties);
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name));
  const meant = unknown.slice(0, PROBLEMS_MAX).map((name) => nearest(name, known));
  return missing.filter((name) => !meant.includes(name));
}

function describeUnknown(name: string, known: readonly string[], document: Shape): string {
  const meant = nearest(name, known);
  const places = placesOf(name, document);
  let advice = 'check its spelling or remove it.';
  if (meant !== undefined) advice = `did you mean ${show(meant)}?`;
  else if (places.length > 0) advice = `it belongs in ${places.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`;
  return `unknown field ${show(name)}; ${advice}`;
}

/** Where a document may have a field of this name: `products[].changelog`. */
function placesOf(name: string, { properties = {}, items }: Shape, place = ''): string[] {
  if (items !== undefined) return placesOf(name, items, `${place}[]`);
  const inner = Object.entries(properties).flatMap(([field, schema]) =>
    placesOf(name, schema, place === '' ? field : `${place}.${field}`),
  );
  return Object.hasOwn(properties, name) ? [place === '' ? 'the document' : place, ...inner] : inner;
}

/** What is wrong with a value by itself, whatever is in it. */
function describeBroken(
  { type = [], enum: allowed, pattern, minLength = 0, maxLength = Infinity, maxItems = Infinity }: Shape,
  value: unknown,
  { rules, patterns, isSecret = () => false }: ShapeHelp,
  path: FieldPath,
): string | null {
  const must = (describe: (field: string, isHidden: boolean) => string): string => {
    const field = String(path.findLast((part) => typeof part === 'string'));
    const rule = rules[field];
    return rule === undefined ? describe(field, isSecret(path)) : `must be ${rule.wanted}.`;
  };
  const not = (isHidden: boolean) => (isHidden ? '' : `, not ${show(value)}`);
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (type !== own && !type.includes(own))
    return must((_, isHidden) => {
      // `version: 1.10` is a number to YAML, and its last digit would be lost.
      const isQuotable = type.includes('string') && (own === 'number' || own === 'boolean');
      const names = [type].flat().map((name) => TYPE_NAMES[name] ?? `a ${name}`);
      return `must be ${names.join(' or ')}${not(isHidden)}${isQuotable ? '; put it in quotes' : ''}.`;
    });
  if (Array.isArray(value) && value.length > maxItems)
    return `has ${value.length.toLocaleString('en')} items; at most ${maxItems.toLocaleString('en')}.`;
  if (typeof value !== 'string') return null;
  // Text that a database would not return as it was.
  if (value.includes('\0')) return 'contains a NUL character; remove it.';
  if (!value.isWellFormed()) return 'contains half of a surrogate pair; remove it.';
  if (value.length > maxLength && [...value].length > maxLength)
    return `is too long; at most ${maxLength.toLocaleString('en')} characters.`;
  if (allowed?.includes(value) === false)
    return must((_, isHidden) => {
      const meant = isHidden ? undefined : nearest(value, allowed);
      const advice = meant === undefined ? '.' : `; did you mean ${show(meant)}?`;
      return `must be one of ${allowed.join(', ')}${not(isHidden)}${advice}`;
    });
  if (value.length < minLength) return must(() => 'must not be empty.');
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return null;
  return must(
    (field, isHidden) =>
      `${isHidden ? '' : `${show(value)} `}is not valid; ${patterns[field] ?? 'see the schema'}.`,
  );
}

const TYPE_NAMES: Record<string, string> = { array: 'a list', object: 'a mapping', null: 'empty' };

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The mappings in a list, with their places, as far as there are any. */
export function mappingsIn(around: unknown, field: string): [number, Record<string, unknown>][] {
  const items = isMapping(around) ? around[field] : null;
  if (!Array.isArray(items)) return [];
  return [...items.entries()].filter(([, item]) => isMapping(item));
}

const SHOWN_CHARACTERS_MAX = 60;

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX - 3)}…` : text;
}
