// Everything that can be wrong with a document by itself, without a database.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import {
  ContentDocument,
  ContentProblem,
  completeVersion,
  type FieldPath,
  type VersionContent,
  type VersionDocument,
  VersionFields,
} from '../../domain/content/content.ts';
import { nearest } from '../../domain/nearest.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';

/** Each takes memory, and only the first is shown. */
const PROBLEMS_MAX = 1_000;

/** Where texts that must be unique appear first. */
export type FirstPaths = Readonly<{
  get: (text: string) => FieldPath | undefined;
  set: (text: string, path: FieldPath) => unknown;
}>;

/** Something that appears twice and must not; the message needs the line of both. */
export class DuplicateProblem extends ContentProblem {
  readonly first: FieldPath;
  readonly rule: string;

  constructor(field: 'version' | 'id' | 'slug', value: string, path: FieldPath, first: FieldPath) {
    super(path, `duplicate ${field} ${show(value)}`);
    this.first = first;
    this.rule = `${field === 'version' ? 'label' : field}s must be unique.`;
  }
}

type ProblemOptions = Readonly<{
  /** All problems, or only the first: a large document may have more than fit into memory. */
  all: boolean;
}>;

const firstOnly = new Ajv({ allowUnionTypes: true, verbose: true });
const isDocument = firstOnly.compile<ContentDocument>(ContentDocument);
const isVersion = firstOnly.compile<VersionDocument>(VersionFields);

/** In the order of the document; those of its meaning only once its shape is right. */
export function findProblems(
  value: unknown,
  { all, ids = new Map() }: ProblemOptions & { ids?: FirstPaths },
): ContentProblem[] {
  if (!isDocument(value)) return shapeProblems(isDocument, value, all);
  return documentProblems(value, ids)
    .take(all ? PROBLEMS_MAX : 1)
    .toArray();
}

/** Those of one version; duplicates are not among them. */
export function findVersionProblems(
  value: unknown,
  { all }: ProblemOptions = { all: true },
): ContentProblem[] {
  if (!isVersion(value)) return shapeProblems(isVersion, value, all);
  return [...textProblems(value, []).take(PROBLEMS_MAX), ...dateProblems(value.publishedAt, ['publishedAt'])];
}

/** The version if it has no problems, or null: faster than to look for them. */
export function readVersion(value: unknown): VersionContent | null {
  if (!isVersion(value) || !isStorable(value)) return null;
  const version = completeVersion(value);
  return version.publishedAt === null && typeof value.publishedAt === 'string' ? null : version;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isStorable);
}

function* documentProblems(value: ContentDocument, ids: FirstPaths): Generator<ContentProblem> {
  yield* textProblems(value, []);
  yield* meaningProblems(value, ids);
}

function shapeProblems({ schema, errors }: ValidateFunction, value: unknown, all: boolean): ContentProblem[] {
  if (!all) return explainAll(errors, value);
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true }).compile(schema);
  validate(value);
  return explainAll(validate.errors, value);
}

function explainAll(errors: ErrorObject[] | null | undefined, value: unknown): ContentProblem[] {
  return (errors ?? []).slice(0, PROBLEMS_MAX).map((error) => explain(error, value));
}

function explain(
  { keyword, instancePath, params, message, parentSchema }: ErrorObject,
  document: unknown,
): ContentProblem {
  const path = parsePointer(instancePath);
  const found = show(valueAt(document, path));
  switch (keyword) {
    case 'additionalProperties':
      return new ContentProblem(
        [...path, params.additionalProperty],
        unknownField(params.additionalProperty, Object.keys(parentSchema?.properties ?? {})),
      );
    case 'required':
      return new ContentProblem([...path, params.missingProperty], 'is missing; add it.');
    case 'enum':
      return new ContentProblem(path, `must be one of ${params.allowedValues.join(', ')}, not ${found}.`);
    case 'type':
      return new ContentProblem(
        path,
        `must be ${describeType(params.type)}, not ${found}${quotingHint(params.type, document, path)}.`,
      );
    case 'pattern':
      return new ContentProblem(
        path,
        `${found} is not valid; ${PATTERN_HELP[String(path.at(-1))] ?? message}.`,
      );
    case 'minLength':
      return new ContentProblem(path, 'must not be empty.');
    case 'maxLength':
      return new ContentProblem(path, `is too long; at most ${params.limit} characters.`);
    default:
      return new ContentProblem(path, `${message}, found ${found}.`);
  }
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const advice = meant === undefined ? 'check its spelling or remove it.' : `did you mean ${show(meant)}?`;
  return `unknown field ${show(name)}; ${advice}`;
}

const PATTERN_HELP: Record<string, string> = {
  slug: 'use 1 to 64 of a-z, 0-9 and -, with no - at either end',
  id: 'use the prefix (cl_, ver_ or chg_) and 1 to 60 of A-Z, a-z, 0-9, _ and -',
  version: 'use text without control characters, and without spaces at either end',
};

function describeType(type: string | string[]): string {
  const names: Record<string, string> = { array: 'a list', object: 'a mapping', null: 'empty' };
  return [type]
    .flat()
    .map((name) => names[name] ?? `a ${name}`)
    .join(' or ');
}

/** `version: 1.10` is a number to YAML, and its last digit would be lost. */
function quotingHint(wanted: string | string[], document: unknown, path: FieldPath): string {
  const value = valueAt(document, path);
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return wanted.includes('string') && scalar ? '; put it in quotes' : '';
}

function parsePointer(pointer: string): FieldPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<string | number, unknown> | undefined)?.[part],
    value,
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Text that a database would not return as it was. */
function* textProblems(value: unknown, path: FieldPath): Generator<ContentProblem> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield new ContentProblem(path, 'contains a NUL character; remove it.');
    else if (!value.isWellFormed())
      yield new ContentProblem(path, 'contains half of a surrogate pair; remove it.');
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value))
      yield* textProblems(item, [...path, isList ? Number(key) : key]);
  }
}

function* meaningProblems({ products = [] }: ContentDocument, ids: FirstPaths): Generator<ContentProblem> {
  const slugs = new Map<string, FieldPath>();
  for (const [index, product] of products.entries()) {
    const path = ['products', index];
    yield* duplicates('slug', product.slug, [...path, 'slug'], slugs);
    if (product.changelog) yield* changelogProblems(product.changelog, [...path, 'changelog'], ids);
  }
}

type DocumentChangelog = NonNullable<NonNullable<ContentDocument['products']>[number]['changelog']>;

function* changelogProblems(
  { id, versions = [] }: DocumentChangelog,
  path: FieldPath,
  ids: FirstPaths,
): Generator<ContentProblem> {
  const labels = new Map<string, FieldPath>();
  yield* duplicates('id', id, [...path, 'id'], ids);
  for (const [index, version] of versions.entries()) {
    const at = [...path, 'versions', index];
    yield* duplicates('version', version.version, [...at, 'version'], labels);
    yield* duplicates('id', version.id, [...at, 'id'], ids);
    yield* dateProblems(version.publishedAt, [...at, 'publishedAt']);
    for (const [place, change] of (version.changes ?? []).entries())
      yield* duplicates('id', change.id, [...at, 'changes', place, 'id'], ids);
  }
}

function duplicates(
  field: 'version' | 'id' | 'slug',
  value: string | undefined,
  path: FieldPath,
  seen: FirstPaths,
): ContentProblem[] {
  if (value === undefined) return [];
  const first = seen.get(value);
  if (first !== undefined) return [new DuplicateProblem(field, value, path, first)];
  seen.set(value, path);
  return [];
}

function dateProblems(date: string | null | undefined, path: FieldPath): ContentProblem[] {
  if (date === null || date === undefined || normaliseTimestamp(date) !== null) return [];
  return [
    new ContentProblem(
      path,
      `${show(date)} is not an ISO 8601 timestamp; write it like 2026-05-04T09:00:00.000Z.`,
    ),
  ];
}
