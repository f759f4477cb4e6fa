// A document that is too large to be held: its versions are read one by one and wait in a file until they are applied.
import { load } from 'js-yaml';
import {
  type Content,
  type ContentDocument,
  ContentProblem,
  completeContent,
  completeVersion,
  type FieldPath,
  type VersionContent,
  type VersionDocument,
} from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { Fingerprints } from '../input/fingerprints.ts';
import type { Input } from '../input/input.ts';
import { Spool, type SpoolQuota } from '../input/spool.ts';
import { type SpooledVersion, SpooledVersions } from '../input/spooled-versions.ts';
import { CannotSplit, type Skeleton, TooLarge, type VersionChunk } from './chunks.ts';
import { isSmall, isTooComplex } from './complexity.ts';
import { decodeText, parseChunk, problemsError, requireNoProblems } from './document-errors.ts';
import { explainQuickly, FAST_YAML, lineNaming, UNCLEAR } from './explain-large.ts';
import {
  duplicateProblem,
  findFirstProblem,
  findFirstVersionProblem,
  findProblems,
  findVersionProblems,
  isVersion,
  type TextSet,
} from './problems.ts';
import { splitJson } from './split-json.ts';
import { splitYaml } from './split-yaml.ts';

const PIECES_BETWEEN_WORDS = 500;
const TOO_MANY = 'there are too many fields and items besides the versions; split it up.';

export type ChunkOptions = Readonly<{ room: SpoolQuota; onRead: (bytes: number) => void }>;

export function readChunks(source: Input, { room, onRead }: ChunkOptions) {
  const reader = new PieceReader(source, room);
  try {
    const outline = reader.readVersions(onRead);
    return {
      content: reader.complete(outline),
      locate: (problem: ContentProblem) => reader.locate(problem, outline),
      close: () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

class PieceReader {
  readonly #source: Input;
  readonly #isJson: boolean;
  readonly #spool: Spool;
  readonly #lists = new Map<number, SpooledVersions>();
  readonly #ids = new Fingerprints();
  readonly #labels = new Fingerprints();

  constructor(source: Input, room: SpoolQuota) {
    this.#source = source;
    this.#spool = new Spool({ name: source.name, room });
    this.#isJson = isJson(source);
  }

  readVersions(onRead: (bytes: number) => void): Skeleton {
    const pieces = this.#isJson ? splitJson(this.#source) : splitYaml(this.#source);
    for (;;) {
      const { done, value } = pieces.next();
      if (done) return value;
      this.#keep(value);
      if (value.index % PIECES_BETWEEN_WORDS === 0) onRead(value.start);
    }
  }

  /** The document, with the versions that wait in their places. */
  complete(outline: Skeleton): Content {
    if (isTooComplex(outline.bytes, this.#isJson))
      throw new TooLarge(1, this.#isJson ? TOO_MANY : `${TOO_MANY.slice(0, -1)}, or write it as JSON.`);
    let value = this.#parseFast(decodeText(outline.bytes, this.#source.name), outline.fields);
    if (value === undefined || findFirstProblem(value, this.#seenIds()) !== undefined) {
      if (!isSmall(outline.bytes)) throw this.#refuseHeavyOutline(outline);
      const parsed = this.#parseOutline(outline);
      requireNoProblems(findProblems(parsed.value, this.#seenIds()), this.#source.name, parsed.lineOf);
      value = parsed.value;
    }
    // They are large, and have done their work.
    this.#ids.clear();
    this.#labels.clear();
    const { team, products } = completeContent(value as ContentDocument);
    return {
      team,
      products: products.map((product, index) => {
        const versions = this.#lists.get(index);
        if (versions === undefined || product.changelog === null) return product;
        return { ...product, changelog: { ...product.changelog, versions } };
      }),
    };
  }

  locate(problem: ContentProblem, outline: Skeleton): Refusal {
    const [, product, , , index, ...field] = problem.path;
    const waiting = index === undefined ? undefined : this.#lists.get(Number(product))?.at(Number(index));
    if (waiting === undefined) {
      const lineOf = isSmall(outline.bytes)
        ? this.#parseOutline(outline).lineOf
        : (path: FieldPath) => outline.lineOf(lineNaming(outline.bytes, path));
      return problemsError([problem], this.#source.name, lineOf);
    }
    const [start, length, line] = waiting;
    return this.#refusalIn(this.#source.read(start, length), line, problem, field);
  }

  close(): void {
    this.#spool.close();
  }

  #keep(piece: VersionChunk): void {
    if (piece.index === 0) this.#beginList(piece);
    const list = this.#lists.get(piece.product) as SpooledVersions;
    const fast = this.#readFast(piece);
    let version = fast ?? this.#readSlowly(piece);
    let written = writeWaiting(piece, version);
    if (fast !== undefined && ODD_ESCAPE.test(written)) {
      version = this.#readSlowly(piece);
      written = writeWaiting(piece, version);
    }
    this.#refuseRepetitions(piece, version, list);
    this.#spool.write(written);
    list.length++;
  }

  #beginList({ product, line }: VersionChunk): void {
    if (this.#lists.has(product))
      throw new CannotSplit(line, 'these are a second list of versions of the product.');
    this.#lists.set(product, new SpooledVersions(this.#spool));
    this.#labels.clear();
  }

  /** What a quick parser makes of it, unless there is anything to be said about it. */
  #readFast({ bytes, fields, line }: VersionChunk): VersionContent | undefined {
    if (isTooComplex(bytes, this.#isJson))
      throw new TooLarge(line, 'there are too many fields and items in this version; split it up.');
    const parsed = this.#parseFast(decodeText(bytes, this.#source.name), fields);
    const value = this.#isJson || !Array.isArray(parsed) ? parsed : parsed[0];
    if (!isVersion(value)) return undefined;
    const version = completeVersion(value);
    const isDated = typeof value.publishedAt === 'string';
    return isDated && version.publishedAt === null ? undefined : version;
  }

  #parseFast(text: string, fields: number | undefined): unknown {
    try {
      if (!this.#isJson) return LONE_RETURN.test(text) ? undefined : load(text, FAST_YAML);
      const value: unknown = JSON.parse(text);
      // Of a field that stands there twice, this parser takes the last without a word.
      return countFields(value) === fields ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /** What the authority makes of it, or a refusal with line and field. */
  #readSlowly({ product, index, bytes, line }: VersionChunk): VersionContent {
    const around: FieldPath = ['products', product, 'changelog', 'versions', index];
    if (!isSmall(bytes)) throw this.#refuseHeavy(bytes, line, around);
    const { value, lineOf } = this.#parsePiece(bytes, line);
    const problems = findVersionProblems(value).map(
      ({ path, message }) => new ContentProblem([...around, ...path], message),
    );
    requireNoProblems(problems, this.#source.name, (path) => lineOf(path.slice(around.length)));
    if (this.#isJson && !isStrictJson(bytes.toString()))
      throw new CannotSplit(line, 'from here on it is YAML in the style of JSON, and no JSON.');
    return completeVersion(value as VersionDocument);
  }

  /** Of a problem in a version whose text is known. */
  #refusalIn(bytes: Buffer, line: number, problem: ContentProblem, field: FieldPath): Refusal {
    const lineOf = isSmall(bytes)
      ? this.#parsePiece(bytes, line).lineOf
      : (path: FieldPath) => line + lineNaming(bytes, path) - 1;
    return problemsError([problem], this.#source.name, () => lineOf(field));
  }

  /** What the quick parser has to say of a version that is too much for the authority. */
  #refuseHeavy(bytes: Buffer, line: number, around: FieldPath): Refusal {
    const found = explainQuickly(decodeText(bytes, this.#source.name), this.#isJson);
    if ('reason' in found)
      return new Refusal(`${this.#source.name}:${line + found.line - 1}: ${found.reason}`);
    const value = this.#isJson || !Array.isArray(found.value) ? found.value : found.value[0];
    const problem = findFirstVersionProblem(value) ?? new ContentProblem([], UNCLEAR);
    const placed = new ContentProblem([...around, ...problem.path], problem.message);
    return this.#refusalIn(bytes, line, placed, problem.path);
  }

  #refuseHeavyOutline(outline: Skeleton): Refusal {
    const { bytes, lineOf } = outline;
    const found = explainQuickly(decodeText(bytes, this.#source.name), this.#isJson);
    if ('reason' in found) return new Refusal(`${this.#source.name}:${lineOf(found.line)}: ${found.reason}`);
    const problem = findFirstProblem(found.value, this.#seenIds()) ?? new ContentProblem([], UNCLEAR);
    return this.locate(problem, outline);
  }

  #parsePiece(bytes: Buffer, line: number) {
    const text = decodeText(bytes, this.#source.name);
    const parsed = parseChunk(text, this.#source.name, (inPiece) => line + inPiece - 1);
    if (this.#isJson) return parsed;
    // In YAML a piece is an item with its dash, and so a list of one.
    return {
      value: (parsed.value as unknown[])[0],
      lineOf: (path: FieldPath) => parsed.lineOf([0, ...path]),
    };
  }

  #parseOutline({ bytes, lineOf }: Skeleton) {
    return parseChunk(decodeText(bytes, this.#source.name), this.#source.name, lineOf);
  }

  /** Fingerprints say what may be there; the file says what is. */
  #refuseRepetitions(piece: VersionChunk, version: VersionContent, list: SpooledVersions): void {
    const refuse = (what: string, text: string, field: FieldPath) => {
      const path = ['products', piece.product, 'changelog', 'versions', piece.index, ...field];
      throw this.#refusalIn(piece.bytes, piece.line, duplicateProblem(what, text, path), field);
    };
    const label = version.version;
    if (this.#labels.has(label) && list[Symbol.iterator]().some((other) => other.version === label))
      refuse('version', label, ['version']);
    this.#labels.add(label);
    const own = new Set<string>();
    for (const { id, field } of idsIn(version)) {
      if (own.has(id) || (this.#ids.has(id) && this.#isWaiting(id))) refuse('id', id, field);
      own.add(id);
      this.#ids.add(id);
    }
  }

  #isWaiting(wanted: string): boolean {
    return this.#lists
      .values()
      .some((list) =>
        list[Symbol.iterator]().some((version) => idsIn(version).some(({ id }) => id === wanted)),
      );
  }

  /** The ids of the versions that wait, and those of the rest as they are met. */
  #seenIds(): TextSet {
    const met = new Set<string>();
    return {
      has: (id) => met.has(id) || (this.#ids.has(id) && this.#isWaiting(id)),
      add: (id) => met.add(id),
    };
  }
}

/** Escapes in JSON of what no text may hold; they may also be just written about. */
const ODD_ESCAPE = /\\u(?:0000|d[89a-f])/;
/** A line break to one of the parsers and not to the other. */
const LONE_RETURN = /\r(?!\n)/;

function isJson(source: Input): boolean {
  return /^\uFEFF?\s*\{/.test(source.read(0, 64 * 1024).toString('utf8'));
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function writeWaiting({ start, bytes, line }: VersionChunk, version: VersionContent): string {
  return JSON.stringify([start, bytes.length, line, version] satisfies SpooledVersion);
}

function idsIn({ id, changes }: VersionContent): { id: string; field: FieldPath }[] {
  const found: { id: string; field: FieldPath }[] = id === undefined ? [] : [{ id, field: ['id'] }];
  for (const [place, change] of changes.entries())
    if (change.id !== undefined) found.push({ id: change.id, field: ['changes', place, 'id'] });
  return found;
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) if (typeof inner === 'object') count += countFields(inner);
  return count;
}
