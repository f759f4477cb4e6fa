// Everything that can be wrong with a document by itself, without a database.
import {
  CHANGELOG_RULES,
  PRODUCT_RULES,
  type TextRule,
  VERSION_RULES,
} from '../../domain/content/appearance.ts';
import {
  ContentDocument,
  ContentProblem,
  type FieldPath,
  VersionFields,
} from '../../domain/content/content.ts';
import { describeNoInstant, normaliseInstant, normaliseTimestamp } from '../../domain/timestamp.ts';
import { embedImages } from './image-files.ts';
import { type Fields, findShapeProblems, isMapping, mappingsIn, type ShapeHelp, show } from './shape.ts';

type UniqueField = 'version' | 'id' | 'slug' | 'domain' | 'name';

/** Something that appears twice and must not; the message needs the line of both. */
export class DuplicateProblem extends ContentProblem {
  readonly first: FieldPath;
  readonly rule: string;

  /** A value that is null is not shown. */
  constructor(field: UniqueField, value: string | null, path: FieldPath, first: FieldPath) {
    super(path, `duplicate ${field}${value === null ? '' : ` ${show(value)}`}`);
    this.first = first;
    this.rule = `${field === 'version' ? 'label' : field}s must be unique.`;
  }
}

const HELP: ShapeHelp = {
  document: ContentDocument,
  rules: { ...PRODUCT_RULES, ...CHANGELOG_RULES, ...VERSION_RULES },
  patterns: {
    slug: 'use 1 to 64 of a-z, 0-9 and -, with no - at either end',
    id: 'use the prefix (cl_, ver_ or chg_) and 1 to 60 of A-Z, a-z, 0-9, _ and -',
    version: 'use text without control characters, and without spaces at either end',
  },
};

/** One by one, because there may be millions. Paths of pictures are relative to the folder. */
export function* findProblems(value: unknown, folder: string): Generator<ContentProblem> {
  yield* embedImages(value, folder);
  yield* findShapeProblems(ContentDocument, value, HELP);
  yield* findMeaningProblems(value);
}

/** Those of one version; duplicates are not among them. */
export function* findVersionProblems(value: unknown): Generator<ContentProblem> {
  yield* findShapeProblems(VersionFields, value, HELP);
  if (isMapping(value)) yield* findFieldProblems(value, []);
}

/** Where texts that must be unique appear first. */
type FirstPaths = Map<string, FieldPath>;

function* findMeaningProblems(document: unknown): Generator<ContentProblem> {
  const firsts: FirstPaths = new Map();
  for (const [index, product] of mappingsIn(document, 'products')) {
    const path = ['products', index];
    const { slug, domain, links, changelog } = product;
    yield* findDuplicates('slug', slug, path, firsts);
    yield* findRuleProblems(PRODUCT_RULES, links, [...path, 'links']);
    yield* findRuleProblems(PRODUCT_RULES, product, path);
    if (typeof domain === 'string')
      yield* findDuplicates('domain', PRODUCT_RULES.domain.read(domain), path, firsts);
    if (!isMapping(changelog)) continue;
    const labels: FirstPaths = new Map();
    const inner = [...path, 'changelog'];
    yield* findDuplicates('id', changelog.id, inner, firsts);
    yield* findRuleProblems(CHANGELOG_RULES, changelog, inner);
    for (const [nth, version] of mappingsIn(changelog, 'versions')) {
      const at = [...inner, 'versions', nth];
      yield* findFieldProblems(version, at);
      const copies = findDuplicates('version', version.version, at, labels);
      yield* copies;
      // A copy of a version has the same ids, too.
      if (copies.length > 0) continue;
      yield* findDuplicates('id', version.id, at, firsts);
      for (const [place, { id }] of mappingsIn(version, 'changes'))
        yield* findDuplicates('id', id, [...at, 'changes', place], firsts);
    }
  }
}

function findDuplicates(
  field: UniqueField,
  value: unknown,
  around: FieldPath,
  seen: FirstPaths,
): ContentProblem[] {
  if (typeof value !== 'string' || value === '') return [];
  const path = [...around, field];
  const key = `${field} ${value}`;
  const first = seen.get(key);
  if (first !== undefined) return [new DuplicateProblem(field, value, path, first)];
  seen.set(key, path);
  return [];
}

/** Of texts that match the pattern of their rule; the others are found by their shape. */
function* findRuleProblems(
  rules: Readonly<Record<string, TextRule>>,
  fields: unknown,
  path: FieldPath,
): Generator<ContentProblem> {
  if (!isMapping(fields)) return;
  for (const [name, rule] of Object.entries(rules)) {
    const text = fields[name];
    if (typeof text === 'string' && rule.read(text) === null)
      yield new ContentProblem([...path, name], `must be ${rule.wanted}.`);
  }
}

function* findFieldProblems(version: Fields, path: FieldPath): Generator<ContentProblem> {
  yield* findRuleProblems(VERSION_RULES, version.links, [...path, 'links']);
  yield* findRuleProblems(VERSION_RULES, version, path);
  for (const field of ['publishedAt', 'updatedAt']) {
    const date = version[field];
    if (typeof date === 'string' && normaliseTimestamp(date) === null)
      yield new ContentProblem(
        [...path, field],
        `${show(date)} is not an ISO 8601 timestamp; write it like 2026-05-04T09:00:00.000Z.`,
      );
  }
  const { publishAt, status } = version;
  if (typeof publishAt !== 'string') return;
  const at = [...path, 'publishAt'];
  if (normaliseInstant(publishAt) === null)
    yield new ContentProblem(at, `${show(publishAt)} ${describeNoInstant(publishAt)}`);
  if (status === 'published')
    yield new ContentProblem(
      at,
      'a published version cannot have publishAt; write status: draft to publish it at that time, or remove publishAt.',
    );
}
