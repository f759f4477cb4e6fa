// A document that is too large for memory: its versions are read one by one and spooled until they are applied.
import {
  type Content,
  type ContentDocument,
  ContentProblem,
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
import { CannotSplit, type Skeleton, TooLarge, type VersionChunk } from './chunks.ts';
import { isTooComplex, JSON_TOKENS_MAX } from './complexity.ts';
import { decodeText, parseChunk, problemsError, requireNoProblems } from './document-errors.ts';
import type { Parsed } from './parse.ts';
import {
  DuplicateProblem,
  type FirstPaths,
  findProblems,
  findVersionProblems,
  readVersion,
} from './problems.ts';
import { splitJson } from './split-json.ts';
import { splitYaml } from './split-yaml.ts';

/** Up to this size a document is read as a whole, and a part of a document is searched for all of its problems. */
export const WHOLE_BYTES = 256 * 1024;
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

  constructor(input: Input, quota: SpoolQuota) {
    this.#input = input;
    this.#spool = new Spool({ name: input.name, quota });
    this.#isJson = /^\uFEFF?\s*\{/.test(input.read(0, 64 * 1024).toString('utf8'));
  }

  readVersions(onRead: (bytes: number) => void): Skeleton {
    const chunks = this.#isJson ? splitJson(this.#input) : splitYaml(this.#input);
    for (;;) {
      const { done, value } = chunks.next();
      if (done) return value;
      this.#spoolVersion(value);
      if (value.index % VERSIONS_PER_REPORT === 0) onRead(value.start);
    }
  }

  /** The document, with the spooled versions in their places. */
  complete(skeleton: Skeleton): Content {
    if (this.#isTooComplex(skeleton))
      throw new TooLarge(1, this.#isJson ? TOO_MANY : `${TOO_MANY.slice(0, -1)}, or write it as JSON.`);
    const { value, lineOf } = this.#parse(skeleton, skeleton.lineOf);
    const options = { all: skeleton.bytes.length <= WHOLE_BYTES, ids: this.#firstIds() };
    requireNoProblems(
      findProblems(value, options),
      this.#input.name,
      (path) => this.#lineOf(path) ?? lineOf(path),
    );
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
    return problemsError([problem], this.#input.name, (path) => this.#lineOf(path) ?? lineOf(path));
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
    this.#requireUnique(chunk, version, list);
  }

  #beginList({ product, line }: VersionChunk): void {
    if (this.#lists.has(product))
      throw new CannotSplit(line, 'the product has a second list of versions here.');
    this.#lists.set(product, new SpooledVersions(this.#spool));
    this.#labels.clear();
  }

  #readVersion(chunk: VersionChunk): VersionContent {
    const { product, index, bytes, line } = chunk;
    if (this.#isTooComplex(chunk))
      throw new TooLarge(line, 'too many fields and items in this version; split it up.');
    const { value, lineOf, isStrict } = this.#parseVersion(chunk);
    const version = readVersion(value);
    if (version === null) {
      const around = pathOf(product, index);
      const problems = findVersionProblems(value, { all: bytes.length <= WHOLE_BYTES }).map(
        ({ path, message }) => new ContentProblem([...around, ...path], message),
      );
      throw problemsError(problems, this.#input.name, (path) => lineOf(path.slice(around.length)));
    }
    if (!isStrict) throw new CannotSplit(line, 'flow-style YAML that is not valid JSON starts here.');
    return version;
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
    const value = this.#isJson ? parseJson(text, fields) : undefined;
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

  /** Fingerprints tell what may be a duplicate; the spool tells what is. */
  #requireUnique({ product, index }: VersionChunk, version: VersionContent, list: SpooledVersions): void {
    const around = pathOf(product, index);
    const requireFirst = (what: 'version' | 'id', text: string, path: FieldPath, first: FieldPath) => {
      if (formatFieldPath(first) === formatFieldPath(path)) return;
      const problem = new DuplicateProblem(what, text, path, first);
      throw problemsError([problem], this.#input.name, (place) => this.#lineOf(place) ?? 1);
    };
    const label = version.version;
    if (this.#labels.has(label)) {
      const first = indexOf(list, label);
      requireFirst('version', label, [...around, 'version'], [...pathOf(product, first), 'version']);
    }
    this.#labels.add(label);
    for (const { id, field } of idsIn(version)) {
      const path = [...around, ...field];
      if (this.#ids.has(id)) requireFirst('id', id, path, this.#findSpooled(id) ?? path);
      this.#ids.add(id);
    }
  }

  #findSpooled(wanted: string): FieldPath | undefined {
    for (const [product, list] of this.#lists) {
      let index = 0;
      for (const version of list) {
        const found = idsIn(version).find(({ id }) => id === wanted);
        if (found !== undefined) return [...pathOf(product, index), ...found.field];
        index++;
      }
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

/** There may be too many versions for an array. */
function indexOf(list: SpooledVersions, label: string): number {
  let index = 0;
  for (const { version } of list) {
    if (version === label) break;
    index++;
  }
  return index;
}

function pathOf(product: number, index: number): FieldPath {
  return ['products', product, 'changelog', 'versions', index];
}

/** Undefined if it is not JSON, or if it has duplicate fields, of which JSON.parse takes the last. */
function parseJson(text: string, fields: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return countFields(value) === fields ? value : undefined;
  } catch {
    return undefined;
  }
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) if (typeof inner === 'object') count += countFields(inner);
  return count;
}

function idsIn({ id, changes }: VersionContent): { id: string; field: FieldPath }[] {
  const found: { id: string; field: FieldPath }[] = id === undefined ? [] : [{ id, field: ['id'] }];
  for (const [place, change] of changes.entries())
    if (change.id !== undefined) found.push({ id: change.id, field: ['changes', place, 'id'] });
  return found;
}
