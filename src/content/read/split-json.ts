// Cuts the versions out of JSON text by its brackets, commas and quotes alone. Each piece is read by a parser later, and
// so is what is left: whatever is not JSON is found there.

import type { Input } from '../input/input.ts';
import {
  CannotSplit,
  CHUNK_BYTES,
  PIECE_BYTES_MAX,
  type Skeleton,
  SkeletonBuilder,
  type VersionChunk,
  versionTooLarge,
} from './chunks.ts';

const [QUOTE, BACKSLASH, NEWLINE, COMMA, COLON] = [0x22, 0x5c, 0x0a, 0x2c, 0x3a];
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const CLOSING: Readonly<Record<number, number>> = { [CLOSE_MAP]: OPEN_MAP, [CLOSE_LIST]: OPEN_LIST };

/** The lists and mappings around a version list: document, products, product, changelog, versions. */
const LIST_DEPTH = 5;
const DEPTH_MAX = 100;
/** More than any name that is looked for here. */
const KEY_BYTES_MAX = 20;

type Level = { kind: number; key: string; index: number };

export function* splitJson(source: Input): Generator<VersionChunk, Skeleton> {
  const outline = new SkeletonBuilder();
  const levels: Level[] = [];
  let line = 1;
  let isInString = false;
  let isEscaped = false;
  /** The text of the last string outside of pieces: the name of a field, if a colon follows. */
  let lastString: number[] = [];
  /** Set while inside of a version list. */
  let list: { product: number; index: number; firstLine: number } | null = null;
  let piece = { line: 0, fields: 0 };

  let window: Buffer = source.read(0, CHUNK_BYTES);
  let windowAt = 0;
  /** What of the window is not handed on yet: the outline, or the piece that has begun. */
  let from = window.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  let at = from;
  for (;;) {
    for (; at < window.length; at++) {
      if (isInString && list !== null) {
        at = endOfString(window, isEscaped ? at + 1 : at);
        isInString = at >= window.length;
        isEscaped = at > window.length;
        continue;
      }
      const byte = window[at] as number;
      if (byte === NEWLINE) line++;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        if (isInString && lastString.length < KEY_BYTES_MAX) lastString.push(byte);
        continue;
      }
      if (byte <= 0x20) continue;
      if (list !== null && piece.line === 0) piece.line = line;
      const level = levels.at(-1);
      switch (byte) {
        case QUOTE:
          isInString = true;
          if (list === null) lastString = [];
          break;
        case COLON:
          if (list !== null) piece.fields++;
          else if (level !== undefined) {
            level.key = Buffer.from(lastString).toString();
            outline.fields++;
          }
          break;
        case OPEN_MAP:
        case OPEN_LIST:
          levels.push({ kind: byte, key: '', index: 0 });
          if (levels.length > DEPTH_MAX) throw new CannotSplit(line, 'the document is nested too deeply.');
          if (list === null && isVersionList(levels)) {
            outline.add(window.subarray(from, at + 1));
            outline.add(LINE_BREAK);
            list = { product: levels[1]?.index ?? 0, index: 0, firstLine: line };
            piece = { line: 0, fields: 0 };
            from = at + 1;
          }
          break;
        case COMMA:
          if (list !== null && levels.length === LIST_DEPTH) {
            yield makePiece(list, piece, window.subarray(from, at), windowAt + from);
            list.index++;
            piece = { line: 0, fields: 0 };
            from = at + 1;
          } else if (level !== undefined) level.index++;
          break;
        case CLOSE_MAP:
        case CLOSE_LIST:
          if (level?.kind !== CLOSING[byte])
            throw new CannotSplit(line, `the ${String.fromCharCode(byte)} here closes nothing.`);
          levels.pop();
          if (list !== null && levels.length < LIST_DEPTH) {
            const bytes = window.subarray(from, at);
            if (list.index > 0 || !isBlank(bytes)) yield makePiece(list, piece, bytes, windowAt + from);
            outline.skip(line - list.firstLine - 1);
            list = null;
            from = at;
          }
          break;
      }
    }
    // The end of a string may have been looked for beyond the window.
    at = window.length;
    if (list === null) {
      outline.add(window.subarray(from));
      from = window.length;
    } else if (window.length - from > PIECE_BYTES_MAX) {
      throw versionTooLarge(piece.line || line);
    }
    // A long piece grows by its own length at a time, so that it is copied only a few times.
    const next = source.read(windowAt + window.length, Math.max(CHUNK_BYTES, window.length - from));
    if (next.length === 0) break;
    windowAt += from;
    at = window.length - from;
    window = at === 0 ? next : Buffer.concat([window.subarray(from), next]);
    from = 0;
  }
  if (levels.length > 0 || isInString)
    throw new CannotSplit(line, 'the text ends in the middle of the document; is it cut off?');
  return outline.build();
}

/** Where the string ends that `at` is inside of; beyond the bytes if it does not, by one more after half an escape. */
export function endOfString(bytes: Buffer, at: number): number {
  for (let place = at; place < bytes.length; place++) {
    if (bytes[place] === QUOTE) return place;
    if (bytes[place] === BACKSLASH && ++place === bytes.length) return place + 1;
  }
  return bytes.length;
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const LINE_BREAK = Buffer.from('\n');

function isVersionList(levels: readonly Level[]): boolean {
  const [top, , product, changelog] = levels;
  return (
    levels.length === LIST_DEPTH &&
    levels.map(({ kind }) => String.fromCharCode(kind)).join('') === '{[{{[' &&
    top?.key === 'products' &&
    product?.key === 'changelog' &&
    changelog?.key === 'versions'
  );
}

function makePiece(
  { product, index }: { product: number; index: number },
  { line, fields }: { line: number; fields: number },
  bytes: Buffer,
  start: number,
): VersionChunk {
  if (bytes.length > PIECE_BYTES_MAX) throw versionTooLarge(line);
  // The line of a piece is that of its first sign; blanks before it would count twice.
  let blanks = 0;
  while (blanks < bytes.length && (bytes[blanks] as number) <= 0x20) blanks++;
  return { product, index, line, fields, bytes: bytes.subarray(blanks), start: start + blanks };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte <= 0x20);
}
