// Splits the versions off block-style YAML by its lines and their indentation: everything in a list item is indented
// more than its dash, including text of several lines. Versions in flow style stay in the skeleton.

import type { Input } from '../input/input.ts';
import {
  CannotSplit,
  CHUNK_BYTES,
  PART_BYTES_MAX,
  type Skeleton,
  SkeletonBuilder,
  TooLarge,
  type VersionChunk,
  versionTooLarge,
} from './chunks.ts';

const [SPACE, NEWLINE, RETURN, TAB, DASH, HASH, PERCENT] = [0x20, 0x0a, 0x0d, 0x09, 0x2d, 0x23, 0x25];

type Line = Readonly<{ bytes: Buffer; start: number; number: number; indent: number; first: number }>;

export function* splitYaml(input: Input): Generator<VersionChunk, Skeleton> {
  const skeleton = new SkeletonBuilder();
  const finder = new ListFinder();
  /** The indentation of a line that says `versions:` and nothing more, until it is known what follows. */
  let announced: number | null = null;
  let list: { product: number; indent: number; firstLine: number; keyIndent: number } | null = null;
  let item = { index: 0, start: 0, line: 0 };
  const takeItem = (product: number, end: number): VersionChunk => {
    const bytes = input.read(item.start, end - item.start);
    return { product, ...item, bytes, fields: 0, tokens: 0 };
  };

  for (const line of readLines(input)) {
    const isNeutral = line.first === NEWLINE || line.first === HASH;
    if (list !== null) {
      if (isNeutral || line.indent > list.indent) {
        if (line.start + line.bytes.length - item.start > PART_BYTES_MAX) throw versionTooLarge(item.line);
        continue;
      }
      if (line.first === TAB) throw new CannotSplit(line.number, 'tab in the indentation; use spaces.');
      const isNext = line.indent === list.indent && isItem(line);
      if (!isNext && line.indent > list.keyIndent)
        throw new CannotSplit(line.number, 'bad indentation of a list item.');
      yield takeItem(list.product, line.start);
      if (isNext) {
        item = { index: item.index + 1, start: line.start, line: line.number };
        continue;
      }
      skeleton.skip(line.number - list.firstLine - 1);
      list = null;
    }
    if (!isNeutral) {
      if (announced !== null && isItem(line) && line.indent >= announced) {
        list = { product: finder.product, indent: line.indent, firstLine: line.number, keyIndent: announced };
        item = { index: 0, start: line.start, line: line.number };
        announced = null;
        skeleton.add(Buffer.from(`${' '.repeat(list.keyIndent + 1)}[]\n`));
        continue;
      }
      if (line.first === PERCENT && line.indent === 0)
        throw new CannotSplit(line.number, 'a YAML directive changes how the document is read.');
      announced = finder.isListAnnouncedBy(line);
    }
    skeleton.add(line.bytes);
  }
  if (list !== null) yield takeItem(list.product, input.byteLength);
  return skeleton.build();
}

/** Follows the skeleton to the versions of a product: `products`, an item, `changelog`, `versions`. */
class ListFinder {
  product = -1;
  #isInProducts = false;
  #itemIndent: number | null = null;
  #productIndent: number | null = null;
  #isInChangelog = false;
  #changelogIndent: number | null = null;

  /** The indentation of a `versions:` line of a changelog, or null. */
  isListAnnouncedBy(line: Line): number | null {
    if (line.indent === 0 && !isItem(line)) {
      this.#isInProducts = isBareKey(line, 0, 'products');
      this.#itemIndent = null;
      return null;
    }
    if (!this.#isInProducts) return null;
    let column = line.indent;
    this.#itemIndent ??= column;
    if (column === this.#itemIndent && isItem(line)) {
      this.product++;
      this.#isInChangelog = false;
      column = columnAfterDash(line);
      this.#productIndent = column === line.bytes.length ? null : column;
      if (this.#productIndent === null) return null;
    }
    this.#productIndent ??= column;
    if (column === this.#productIndent) {
      this.#isInChangelog = isBareKey(line, column, 'changelog');
      this.#changelogIndent = null;
      return null;
    }
    if (!this.#isInChangelog) return null;
    this.#changelogIndent ??= column;
    return column === this.#changelogIndent && isBareKey(line, column, 'versions') ? column : null;
  }
}

function columnAfterDash({ bytes, indent }: Line): number {
  let column = indent + 1;
  while (bytes[column] === SPACE) column++;
  const isEmpty = bytes[column] === NEWLINE || bytes[column] === RETURN || bytes[column] === HASH;
  return isEmpty ? bytes.length : column;
}

function isItem({ bytes, indent, first }: Line): boolean {
  if (first !== DASH) return false;
  const next = bytes[indent + 1];
  return next === undefined || next === SPACE || next === NEWLINE || next === RETURN;
}

function isBareKey({ bytes }: Line, column: number, key: string): boolean {
  const text = bytes.toString('latin1', column);
  return new RegExp(`^(["']?)${key}\\1[ ]*:[ ]*(?:[ ]#.*)?\\r?\\n?$`).test(text);
}

function* readLines(input: Input): Generator<Line> {
  let number = 1;
  let rest: Buffer = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    // A long line grows by its own length at a time, so that it is copied only a few times.
    const chunk = input.read(at + rest.length, Math.max(CHUNK_BYTES, rest.length));
    if (rest.length > PART_BYTES_MAX)
      throw new TooLarge(number, `line exceeds ${PART_BYTES_MAX / 2 ** 20} MiB; split it up.`);
    let window = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (at === 0 && window.subarray(0, 3).equals(BYTE_ORDER_MARK)) {
      window = window.subarray(3);
      at = 3;
    }
    let from = 0;
    for (let stop = window.indexOf(NEWLINE); stop !== -1; stop = window.indexOf(NEWLINE, from)) {
      yield lineOf(window.subarray(from, stop + 1), at + from, number++);
      from = stop + 1;
    }
    at += from;
    rest = window.subarray(from);
    if (chunk.length > 0) continue;
    if (rest.length > 0) yield lineOf(rest, at, number);
    return;
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** `first` is the first character after the indentation; for a blank line, a line break. */
function lineOf(bytes: Buffer, start: number, number: number): Line {
  let indent = 0;
  while (bytes[indent] === SPACE) indent++;
  let at = indent;
  while (bytes[at] === TAB || bytes[at] === SPACE || bytes[at] === RETURN) at++;
  const isBlank = at >= bytes.length || bytes[at] === NEWLINE;
  return { bytes, start, number, indent, first: isBlank ? NEWLINE : (bytes[indent] as number) };
}
