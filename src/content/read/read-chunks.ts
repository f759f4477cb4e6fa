// A document that is too large for memory: its versions are read one by one and spooled until they are applied.
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
  type FieldPath,
  formatFieldPath,
  type VersionContent,
} from '../../domain/content/content.ts';
import type { Refusal } from '../../errors.ts';
import { Fingerprints } from '../input/fingerprints.ts';
import type { Input } from '../input/input.ts';
import { Spool, type SpoolQuota } from '../input/spool.ts';
import { type SpooledVersion, SpooledVersions } from '../input/spooled-versions.ts';
import { CannotSplit, NotQuiteJson, type Skeleton, TooLarge, type VersionChunk } from './chunks.ts';
import { isTooComplex, JSON_TOKENS_MAX } from './complexity.ts';
import {
  decodeText,
  type LocatedProblem,
  locate,
  PROBLEMS_SHOWN_MAX,
  parseChunk,
  problemsError,
  requireContent,
} from './document-errors.ts';
import { COMMENT_BEGIN, JSON_COMMENT, notStrictError } from './json-slips.ts';
import type { Parsed } from './parse.ts';
import {
  DuplicateProblem,
  type FirstPaths,
  findProblems,
  findVersionProblems,
  identityOf,
  idsIn,
  NO_LABEL,
  readVersion,
} from './problems.ts';
import { splitJson } from './split-json.ts';
import { splitYaml } from './split-yaml.ts';
import { parseStrictJson } from './strict-json.ts';

/** Up to this size a document is read as a whole. */
export const WHOLE_BYTES = 256 * 1024;
/** After its first problem, this much more of a document is checked. */
const CHECKED_BYTES_MAX = 16 * 1024 * 1024;
const VERSIONS_PER_REPORT = 500;
const TOO_MANY = 'too many fields and items besides the versions; split it up.';

export type ChunkOptions = Readonly<{ quota: SpoolQuota; onRead: (bytes: number) => void }>;

/** A text that begins like JSON may be YAML in flow style, and then is not strictly JSON. */
type ParsedChunk = Parsed & Readonly<{ isStrict: boolean }>;

export function readChunks(input: Input, { quota, onRead }: ChunkOptions) {
  const reader = new ChunkReader(input, quota);
  try {
    const skeleton = reader.readVersions(onRead);
    return {
      content: reader.complete(skeleton),
      locate: (problem: ContentProblem) => reader.locate(problem, skeleton),
      close: () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

class ChunkReader {
  readonly #input: Input;
  readonly #isJson: boolean;
  readonly #spool: Spool;
  readonly #lists = new Map<number, SpooledVersions>();
  readonly #ids = new Fingerprints();
  readonly #labels = new Fingerprints();
  readonly #problems: LocatedProblem[] = [];
  /** Whether some duplicates were not looked for. */
  #isUnchecked = false;
  #checkedBytesMax = Number.POSITIVE_INFINITY;

  constructor(input: Input, quota: SpoolQuota) {
    this.#input = input;
    this.#spool = new Spool({ name: input.name, quota });
    const head = input.read(0, 64 * 1024).toString('utf8');
    if (COMMENT_BEGIN.test(head)) throw new NotQuiteJson(1, JSON_COMMENT);
    this.#isJson = /^\uFEFF?\s*\{/.test(head);
  }

  readVersions(onRead: (bytes: number) => void): Skeleton {
    const chunks = this.#isJson ? splitJson(this.#input) : splitYaml(this.#input);
    for (;;) {
      const { done, value } = chunks.next();
      if (done) return value;
      if (value.start > this.#checkedBytesMax) throw this.#problemsError(value.line - 1);
      this.#spoolVersion(value);
      if (this.#isFull) throw this.#problemsError(value.line);
      if (value.index % VERSIONS_PER_REPORT === 0) onRead(value.start);
    }
  }

  /** The document, with the spooled versions in their places. */
  complete(skeleton: Skeleton): Content {
    if (this.#isTooComplex(skeleton))
      throw new TooLarge(1, this.#isJson ? TOO_MANY : `${TOO_MANY.slice(0, -1)}, or write it as JSON.`);
    const { value, lineOf } = this.#parse(skeleton, skeleton.lineOf);
    requireContent(value, this.#input.name);
    this.#report(findProblems(value, this.#firstIds()), (path) => this.#lineOf(path) ?? lineOf(path));
    if (this.#problems.length > 0) throw this.#problemsError(null);
    // They are large, and no longer needed.
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

  locate(problem: ContentProblem, skeleton: Skeleton): Refusal {
    const { lineOf } = this.#parse(skeleton, skeleton.lineOf);
    return problemsError([locate(problem, this.#input.name, (path) => this.#lineOf(path) ?? lineOf(path))]);
  }

  close(): void {
    this.#spool.close();
  }

  #spoolVersion(chunk: VersionChunk): void {
    const { product, index, start, bytes, line } = chunk;
    if (index === 0) this.#beginList(chunk);
    const list = this.#lists.get(product) as SpooledVersions;
    const version = this.#readVersion(chunk);
    this.#spool.write(JSON.stringify([start, bytes.length, line, version] satisfies SpooledVersion));
    list.length++;
    this.#reportDuplicates(chunk, version, list);
  }

  #beginList({ product, line }: VersionChunk): void {
    if (this.#lists.has(product))
      throw new CannotSplit(line, 'the product has a second list of versions here.');
    this.#lists.set(product, new SpooledVersions(this.#spool));
    this.#labels.clear();
  }

  /** A version with problems is spooled, too: others may have its label or its ids. */
  #readVersion(chunk: VersionChunk): VersionContent {
    const { product, index, start, line } = chunk;
    if (this.#isTooComplex(chunk))
      throw new TooLarge(line, 'too many fields and items in this version; split it up.');
    const { value, lineOf, isStrict } = this.#parseVersion(chunk);
    if (!isStrict) throw notStrictError(chunk);
    const version = readVersion(value);
    if (version !== null) return version;
    const around = pathOf(product, index);
    this.#report(findVersionProblems(value, around), (path) => lineOf(path.slice(around.length)));
    this.#checkedBytesMax = Math.min(this.#checkedBytesMax, start + CHECKED_BYTES_MAX);
    return identityOf(value);
  }

  get #isFull(): boolean {
    return this.#problems.length >= PROBLEMS_SHOWN_MAX;
  }

  /** Only the first problem of a field, and only as many as are shown. */
  #report(problems: Iterable<ContentProblem>, lineOf: (path: FieldPath) => number): void {
    for (const problem of problems) {
      const field = formatFieldPath(problem.path);
      const isNew = this.#problems.every((known) => formatFieldPath(known.problem.path) !== field);
      if (isNew) this.#problems.push(locate(problem, this.#input.name, lineOf));
      if (this.#isFull) return;
    }
  }

  /** Of all problems, unless the rest of the document was not checked. */
  #problemsError(lastLine: number | null): Refusal {
    const { name } = this.#input;
    if (lastLine === null && !this.#isFull && !this.#isUnchecked) return problemsError(this.#problems);
    const extent = lastLine === null ? '' : `: it was checked up to line ${lastLine}`;
    return problemsError(this.#problems, `There may be more problems in ${name}${extent}.`);
  }

  #isTooComplex({ bytes, tokens }: Skeleton | VersionChunk): boolean {
    return this.#isJson ? tokens > JSON_TOKENS_MAX : isTooComplex(bytes);
  }

  #parseVersion({ bytes, line, fields }: Pick<VersionChunk, 'bytes' | 'line' | 'fields'>): ParsedChunk {
    const parsed = this.#parse({ bytes, fields }, (inChunk) => line + inChunk - 1);
    if (this.#isJson) return parsed;
    // In YAML a chunk is an item with its dash, and so a list of one.
    return {
      value: (parsed.value as unknown[])[0],
      lineOf: (path: FieldPath) => parsed.lineOf([0, ...path]),
      isStrict: true,
    };
  }

  /** JSON.parse is the fastest, but knows no lines. */
  #parse(
    { bytes, fields }: Pick<VersionChunk, 'bytes' | 'fields'>,
    toLine: (line: number) => number,
  ): ParsedChunk {
    const text = decodeText(bytes, this.#input.name);
    let parsed: Parsed | undefined;
    const parse = () => (parsed ??= parseChunk(text, this.#input.name, toLine));
    const value = this.#isJson ? parseStrictJson(text, fields) : undefined;
    if (value === undefined) return { ...parse(), isStrict: false };
    return { value, lineOf: (path) => parse().lineOf(path), isStrict: true };
  }

  /** The line of a field of a spooled version; undefined for other paths. */
  #lineOf(path: FieldPath): number | undefined {
    const [, product, , , index, ...field] = path;
    const spooled = index === undefined ? undefined : this.#lists.get(Number(product))?.at(Number(index));
    if (spooled === undefined) return undefined;
    const [start, length, line] = spooled;
    return this.#parseVersion({ bytes: this.#input.read(start, length), line, fields: 0 }).lineOf(field);
  }

  #reportDuplicates(chunk: VersionChunk, version: VersionContent, list: SpooledVersions): void {
    for (const problem of this.#findDuplicates(chunk, version, list)) {
      if (this.#isFull) return;
      this.#report([problem], (path) => this.#lineOf(path) ?? 1);
      this.#checkedBytesMax = Math.min(this.#checkedBytesMax, chunk.start + CHECKED_BYTES_MAX);
      // For each line, the version is parsed again.
      if (chunk.bytes.length > WHOLE_BYTES) {
        this.#isUnchecked = true;
        return;
      }
    }
  }

  /** Fingerprints tell what may be a duplicate; the spool tells what is. */
  *#findDuplicates(
    { product, index }: VersionChunk,
    version: VersionContent,
    list: SpooledVersions,
  ): Generator<ContentProblem> {
    const around = pathOf(product, index);
    const label = version.version;
    if (label !== NO_LABEL && this.#labels.has(label)) {
      const first = [...pathOf(product, indexOf(list, label)), 'version'];
      const copies = duplicate('version', label, [...around, 'version'], first);
      yield* copies;
      // A copy of a version has the same ids, too.
      if (copies.length > 0) return;
    }
    this.#labels.add(label);
    for (const { id, field } of idsIn(version)) {
      const path = [...around, ...field];
      if (this.#ids.has(id)) yield* duplicate('id', id, path, this.#findSpooled(id) ?? path);
      this.#ids.add(id);
    }
  }

  #findSpooled(wanted: string): FieldPath | undefined {
    for (const [product, list] of this.#lists)
      for (const [index, version] of list.having(wanted)) {
        const found = idsIn(version).find(({ id }) => id === wanted);
        if (found !== undefined) return [...pathOf(product, index), ...found.field];
      }
    return undefined;
  }

  /** Of the spooled versions, and of the rest as they are added. */
  #firstIds(): FirstPaths {
    const added = new Map<string, FieldPath>();
    return {
      get: (id) => added.get(id) ?? (this.#ids.has(id) ? this.#findSpooled(id) : undefined),
      set: (id, path) => added.set(id, path),
    };
  }
}

/** None if the first is this one: fingerprints may be equal by chance. */
function duplicate(
  field: 'version' | 'id',
  text: string,
  path: FieldPath,
  first: FieldPath,
): ContentProblem[] {
  const isSame = formatFieldPath(first) === formatFieldPath(path);
  return isSame ? [] : [new DuplicateProblem(field, text, path, first)];
}

function indexOf(list: SpooledVersions, label: string): number {
  for (const [index, { version }] of list.having(label)) if (version === label) return index;
  return -1;
}

function pathOf(product: number, index: number): FieldPath {
  return ['products', product, 'changelog', 'versions', index];
}
