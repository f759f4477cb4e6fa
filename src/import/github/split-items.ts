// Cuts the objects out of JSON text of any size: one object, several in a row, lists of them, and lists of such lists.
// Holds one at a time. What is inside of an object is for a parser to say.
import { isUtf8 } from 'node:buffer';
import type { Input } from '../../content/input/input.ts';
import { endOfString } from '../../content/read/split-json.ts';
import { Refusal } from '../../errors.ts';

export type JsonItem = Readonly<{ bytes: Buffer; line: number; start: number }>;

const CHUNK_BYTES = 256 * 1024;
/** One is held in memory as a whole. */
const ITEM_BYTES_MAX = 8 * 1024 * 1024;
/** A list of lists is what `gh api --paginate --slurp` makes. */
const LISTS_MAX = 2;

const [QUOTE, NEWLINE, COMMA] = [0x22, 0x0a, 0x2c];
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** What may come next outside of objects: a value, or behind one a comma. */
type Next = 'value' | 'value or end' | 'comma or end';

/** `what` is how one of the objects is called in messages. */
export function* splitItems(source: Input, what: string): Generator<JsonItem> {
  const refuse = (line: number, message: string) => {
    throw new Refusal(`${source.name}:${line}: ${message}`);
  };
  let line = 1;
  let lists = 0;
  let next: Next = 'value or end';
  /** The object that has begun, if any; how deep it is nested here, and whether in a string. */
  let item: { line: number; depth: number } | null = null;
  let isInString = false;
  let isEscaped = false;
  let isEmpty = true;

  let window: Buffer = source.read(0, CHUNK_BYTES);
  let windowAt = 0;
  /** Where the object begins. */
  let from = 0;
  let at = window.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  for (;;) {
    for (; at < window.length; at++) {
      if (isInString) {
        at = endOfString(window, isEscaped ? at + 1 : at);
        isInString = at >= window.length;
        isEscaped = at > window.length;
        continue;
      }
      const byte = window[at] as number;
      if (byte === NEWLINE) line++;
      if (item !== null) {
        if (byte === QUOTE) isInString = true;
        else if (byte === OPEN_MAP || byte === OPEN_LIST) item.depth++;
        else if ((byte === CLOSE_MAP || byte === CLOSE_LIST) && --item.depth === 0) {
          const bytes = window.subarray(from, at + 1);
          if (bytes.length > ITEM_BYTES_MAX) refuse(item.line, tooLarge(what));
          if (!isUtf8(bytes)) refuse(item.line, `this ${what} is not UTF-8: save the file in that encoding.`);
          yield { bytes, line: item.line, start: windowAt + from };
          item = null;
          next = lists > 0 ? 'comma or end' : 'value or end';
        }
        continue;
      }
      if (isBlank(byte)) continue;
      isEmpty = false;
      if (byte === OPEN_MAP && next !== 'comma or end') {
        item = { line, depth: 1 };
        from = at;
      } else if (byte === OPEN_LIST && next !== 'comma or end' && lists < LISTS_MAX) {
        lists++;
        next = 'value or end';
      } else if (byte === CLOSE_LIST && next !== 'value' && lists > 0) {
        lists--;
        next = lists > 0 ? 'comma or end' : 'value or end';
      } else if (byte === COMMA && next === 'comma or end') next = 'value';
      else refuse(line, unexpected(byte, next, what));
    }
    // The end of a string may have been looked for beyond the window.
    at = window.length;
    const keep = item === null ? window.length : from;
    if (item !== null && window.length - keep > ITEM_BYTES_MAX) refuse(item.line, tooLarge(what));
    // A long object grows by its own length at a time, so that it is copied only a few times.
    const more = source.read(windowAt + window.length, Math.max(CHUNK_BYTES, window.length - keep));
    if (more.length === 0) break;
    windowAt += keep;
    at = window.length - keep;
    window = at === 0 ? more : Buffer.concat([window.subarray(keep), more]);
    from = 0;
  }
  if (item !== null)
    refuse(
      line,
      `the text ends in the middle of the ${what} that begins on line ${item.line}: fetch it again.`,
    );
  if (lists > 0) refuse(line, 'the text ends in the middle of a list: fetch it again.');
  if (isEmpty) refuse(1, `there is nothing in it: name a file that holds a ${what}.`);
}

/** The line, counted from 0, on which an object names this field of its own; that of the object if it does not. */
export function lineOfField(bytes: Buffer, field: string): number {
  let depth = 0;
  let line = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === NEWLINE) line++;
    else if (byte === OPEN_MAP || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_MAP || byte === CLOSE_LIST) depth--;
    else if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1);
      const isName = depth === 1 && /^\s*:/.test(bytes.toString('latin1', end + 1, end + 20));
      if (isName && bytes.toString('utf8', at + 1, end) === field) return line;
      at = end;
    }
  }
  return 0;
}

function unexpected(byte: number, next: Next, what: string): string {
  // What UTF-16 begins with, or is full of.
  if (byte === 0 || byte >= 0xfe) return 'this is UTF-16, or no text at all: save the file as UTF-8.';
  const sign = byte > 0x20 && byte < 0x7f ? `a ${String.fromCharCode(byte)}` : 'something else';
  return next === 'comma or end'
    ? `${sign} stands where a comma or the end of the list should: give it whole JSON.`
    : `${sign} stands where a ${what} should begin: give it JSON with nothing but ${what}s.`;
}

function tooLarge(what: string): string {
  return `this ${what} takes over ${ITEM_BYTES_MAX / 2 ** 20} MiB: shorten it.`;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}
