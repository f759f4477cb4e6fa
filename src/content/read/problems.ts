// Everything that can be wrong with a document by itself, without a database.
import { CHANGELOG_RULES, PRODUCT_RULES, type TextRule } from '../../domain/content/appearance.ts';
import {
  ContentDocument,
  ContentProblem,
  completeVersion,
  type FieldPath,
  type VersionContent,
  type VersionDocument,
  VersionFields,
} from '../../domain/content/content.ts';
import { describeNoInstant, normaliseInstant, normaliseTimestamp } from '../../domain/timestamp.ts';
import { compileCheck, findShapeProblems, isMapping, show } from './shape.ts';

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

const isDocument = compileCheck<ContentDocument>(ContentDocument);
const isVersion = compileCheck<VersionDocument>(VersionFields);

/** One by one, because there may be millions. */
export function* findProblems(value: unknown, ids: FirstPaths = new Map()): Generator<ContentProblem> {
  if (!isDocument(value) || !isStorable(value)) yield* findShapeProblems(ContentDocument, value);
  yield* findMeaningProblems(value, ids);
}

/** Those of one version; duplicates are not among them. */
export function* findVersionProblems(value: unknown, path: FieldPath = []): Generator<ContentProblem> {
  if (!isVersion(value) || !isStorable(value)) yield* findShapeProblems(VersionFields, value, path);
  yield* findDateProblems(fieldsOf(value), path);
}

/** The version if it has no problems, or null: faster than to look for them. */
export function readVersion(value: unknown): VersionContent | null {
  if (!isVersion(value) || !isStorable(value)) return null;
  const version = completeVersion(value);
  const isDated = TIMES.every((field) => version[field] !== null || typeof value[field] !== 'string');
  return isDated && (version.status === 'draft' || version.publishAt === null) ? version : null;
}

/** That of a version whose label is not text. */
export const NO_LABEL = '';

/** What must be unique in a version that has problems. */
export function identityOf(value: unknown): VersionContent {
  const { id, version, changes } = fieldsOf(value);
  const textOf = (text: unknown) => (typeof text === 'string' ? { id: text } : {});
  return completeVersion({
    ...textOf(id),
    version: textOf(version).id ?? NO_LABEL,
    title: '',
    changes: itemsOf(changes).map((change) => ({ ...textOf(fieldsOf(change).id), type: 'other', text: '' })),
  });
}

export function idsIn({ id, changes }: VersionContent): { id: string; field: FieldPath }[] {
  const found: { id: string; field: FieldPath }[] = id === undefined ? [] : [{ id, field: ['id'] }];
  for (const [place, change] of changes.entries())
    if (change.id !== undefined) found.push({ id: change.id, field: ['changes', place, 'id'] });
  return found;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isStorable);
}

function* findMeaningProblems(document: unknown, ids: FirstPaths): Generator<ContentProblem> {
  const slugs = new Map<string, FieldPath>();
  for (const [index, product] of itemsOf(fieldsOf(document).products).entries()) {
    const { slug, links, logo, accent, changelog } = fieldsOf(product);
    const path = ['products', index];
    yield* findDuplicates('slug', slug, [...path, 'slug'], slugs);
    yield* findRuleProblems(PRODUCT_RULES, fieldsOf(links), [...path, 'links']);
    yield* findRuleProblems(PRODUCT_RULES, { logo, accent }, path);
    yield* findChangelogProblems(fieldsOf(changelog), [...path, 'changelog'], ids);
  }
}

function* findChangelogProblems(
  { id, language, versions }: Fields,
  path: FieldPath,
  ids: FirstPaths,
): Generator<ContentProblem> {
  const labels = new Map<string, FieldPath>();
  yield* findDuplicates('id', id, [...path, 'id'], ids);
  yield* findRuleProblems(CHANGELOG_RULES, { language }, path);
  for (const [index, value] of itemsOf(versions).entries()) {
    const version = fieldsOf(value);
    const at = [...path, 'versions', index];
    yield* findDateProblems(version, at);
    const copies = findDuplicates('version', version.version, [...at, 'version'], labels);
    yield* copies;
    // A copy of a version has the same ids, too.
    if (copies.length > 0) continue;
    yield* findDuplicates('id', version.id, [...at, 'id'], ids);
    for (const [place, change] of itemsOf(version.changes).entries())
      yield* findDuplicates('id', fieldsOf(change).id, [...at, 'changes', place, 'id'], ids);
  }
}

function findDuplicates(
  field: 'version' | 'id' | 'slug',
  value: unknown,
  path: FieldPath,
  seen: FirstPaths,
): ContentProblem[] {
  if (typeof value !== 'string' || value === '') return [];
  const first = seen.get(value);
  if (first !== undefined) return [new DuplicateProblem(field, value, path, first)];
  seen.set(value, path);
  return [];
}

/** Of texts that match the pattern of their rule; the others are found by their shape. */
function* findRuleProblems(
  rules: Readonly<Record<string, TextRule>>,
  fields: Fields,
  path: FieldPath,
): Generator<ContentProblem> {
  for (const [name, rule] of Object.entries(rules)) {
    const text = fields[name];
    if (typeof text === 'string' && rule.read(text) === null)
      yield new ContentProblem([...path, name], `must be ${rule.wanted}.`);
  }
}

const DATES = ['publishedAt', 'updatedAt'] as const;
const TIMES = [...DATES, 'publishAt'] as const;

function* findDateProblems(version: Fields, path: FieldPath): Generator<ContentProblem> {
  for (const field of DATES) {
    const date = version[field];
    if (typeof date === 'string' && normaliseTimestamp(date) === null)
      yield new ContentProblem(
        [...path, field],
        `${show(date)} is not an ISO 8601 timestamp; write it like 2026-05-04T09:00:00.000Z.`,
      );
  }
  const { publishAt } = version;
  if (typeof publishAt !== 'string') return;
  const at = [...path, 'publishAt'];
  if (normaliseInstant(publishAt) === null)
    yield new ContentProblem(at, `${show(publishAt)} ${describeNoInstant(publishAt)}`);
  if (version.status === 'published')
    yield new ContentProblem(
      at,
      'a published version cannot have publishAt; write status: draft to publish it at that time, or remove publishAt.',
    );
}

type Fields = Readonly<Record<string, unknown>>;

/** None if it is not a mapping, which is a problem of its own. */
function fieldsOf(value: unknown): Fields {
  return isMapping(value) ? value : {};
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
