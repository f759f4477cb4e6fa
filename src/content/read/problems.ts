// Everything that can be wrong with a document before it meets a database, in words for its author.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import {
  ContentDocument,
  ContentProblem,
  type FieldPath,
  type VersionDocument,
  VersionFields,
} from '../../domain/content/content.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';

/** Nobody reads of more, and each takes memory. */
const PROBLEMS_MAX = 1_000;

/** Texts that were seen before. */
export type TextSet = Readonly<{ has: (text: string) => boolean; add: (text: string) => unknown }>;

export type ProblemOptions = Readonly<{
  /** All problems, or only the first: a large document may have more than fit into memory. */
  all: boolean;
}>;

const firstOnly = new Ajv({ allowUnionTypes: true });
const isDocument = firstOnly.compile<ContentDocument>(ContentDocument);
export const isVersion = firstOnly.compile<VersionDocument>(VersionFields);

/** In the order of the document; those of its meaning only once its shape is right. */
export function findProblems(
  value: unknown,
  { all, ids = new Set() }: ProblemOptions & { ids?: TextSet },
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

function* documentProblems(value: ContentDocument, ids: TextSet): Generator<ContentProblem> {
  yield* textProblems(value, []);
  yield* meaningProblems(value, new Seen('id', ids));
}

function shapeProblems({ schema, errors }: ValidateFunction, value: unknown, all: boolean): ContentProblem[] {
  if (!all) return explainAll(errors, value);
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  validate(value);
  return explainAll(validate.errors, value);
}

export function duplicateProblem(what: string, value: string, path: FieldPath): ContentProblem {
  return new ContentProblem(
    path,
    `the ${what} ${show(value)} stands here a second time; each may stand once.`,
  );
}

function explainAll(errors: ErrorObject[] | null | undefined, value: unknown): ContentProblem[] {
  return (errors ?? []).slice(0, PROBLEMS_MAX).map((error) => explain(error, value));
}

function explain({ keyword, instancePath, params, message }: ErrorObject, document: unknown): ContentProblem {
  const path = parsePointer(instancePath);
  const found = show(valueAt(document, path));
  switch (keyword) {
    case 'additionalProperties':
      return new ContentProblem(
        [...path, params.additionalProperty],
        'there is no such field; check its spelling, or leave it out.',
      );
    case 'required':
      return new ContentProblem([...path, params.missingProperty], 'is missing; add it.');
    case 'enum':
      return new ContentProblem(path, `takes ${params.allowedValues.join(', ')}, not ${found}.`);
    case 'type':
      return new ContentProblem(
        path,
        `must be ${describeType(params.type)}, not ${found}${quotingHint(params.type, document, path)}.`,
      );
    case 'pattern':
      return new ContentProblem(
        path,
        `${found} is not allowed; ${PATTERN_HELP[String(path.at(-1))] ?? message}.`,
      );
    case 'minLength':
      return new ContentProblem(path, 'must not be empty.');
    case 'maxLength':
      return new ContentProblem(path, `is too long; at most ${params.limit} characters.`);
    default:
      return new ContentProblem(path, `${message}, found ${found}.`);
  }
}

const PATTERN_HELP: Record<string, string> = {
  slug: 'it takes 1 to 64 of a-z, 0-9 and -, with no - at either end',
  id: 'it takes its prefix (cl_, ver_ or chg_) and 1 to 60 of A-Z, a-z, 0-9, _ and -',
  version: 'it takes a text without control characters and without spaces at either end',
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

/** Text that a database could not give back as it was. */
function* textProblems(value: unknown, path: FieldPath): Generator<ContentProblem> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield new ContentProblem(path, 'holds a NUL character; remove it.');
    else if (!value.isWellFormed())
      yield new ContentProblem(path, 'holds half of a surrogate pair; remove it.');
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value))
      yield* textProblems(item, [...path, isList ? Number(key) : key]);
  }
}

function* meaningProblems({ products = [] }: ContentDocument, ids: Seen): Generator<ContentProblem> {
  const slugs = new Seen('slug');
  for (const [index, product] of products.entries()) {
    const path = ['products', index];
    yield* slugs.repeated(product.slug, [...path, 'slug']);
    if (product.changelog) yield* changelogProblems(product.changelog, [...path, 'changelog'], ids);
  }
}

type DocumentChangelog = NonNullable<NonNullable<ContentDocument['products']>[number]['changelog']>;

function* changelogProblems(
  { id, versions = [] }: DocumentChangelog,
  path: FieldPath,
  ids: Seen,
): Generator<ContentProblem> {
  const labels = new Seen('version');
  yield* ids.repeated(id, [...path, 'id']);
  for (const [index, version] of versions.entries()) {
    const at = [...path, 'versions', index];
    yield* labels.repeated(version.version, [...at, 'version']);
    yield* ids.repeated(version.id, [...at, 'id']);
    yield* dateProblems(version.publishedAt, [...at, 'publishedAt']);
    for (const [place, change] of (version.changes ?? []).entries())
      yield* ids.repeated(change.id, [...at, 'changes', place, 'id']);
  }
}

function dateProblems(date: string | null | undefined, path: FieldPath): ContentProblem[] {
  if (date === null || date === undefined || normaliseTimestamp(date) !== null) return [];
  return [
    new ContentProblem(path, `${show(date)} is no ISO 8601 moment; write it like 2026-05-04T09:00:00.000Z.`),
  ];
}

class Seen {
  readonly #what: string;
  readonly #values: TextSet;

  constructor(what: string, values: TextSet = new Set()) {
    this.#what = what;
    this.#values = values;
  }

  repeated(value: string | undefined, path: FieldPath): ContentProblem[] {
    if (value === undefined) return [];
    if (this.#values.has(value)) return [duplicateProblem(this.#what, value, path)];
    this.#values.add(value);
    return [];
  }
}
