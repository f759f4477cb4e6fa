// Splits JSON text of any size into its objects: one object, several in a row, lists of them, and lists of such lists.
import { isUtf8 } from 'node:buffer';
import { type Input, inputFromBytes } from '../../content/input/input.ts';
import { END, JSON_BYTES, JsonScanner } from '../../content/read/json-scanner.ts';
import { Refusal } from '../../errors.ts';

const { comma, colon, openList, closeList, openMap, closeMap } = JSON_BYTES;

export type JsonItem = Readonly<{ bytes: Buffer; line: number; start: number }>;

const ITEM_BYTES_MAX = 8 * 1024 * 1024;
/** `gh api --paginate --slurp` makes a list of lists. */
const LISTS_MAX = 2;

/** What may come next outside of objects. */
type Next = 'value' | 'value or end' | 'comma or end';

/** `what` names one of the objects in messages. */
export function* splitItems(input: Input, what: string): Generator<JsonItem> {
  const error = (line: number, message: string) => new Refusal(`${input.name}:${line}: ${message}`);
  const tooLarge = () =>
    error(item?.line ?? 1, `this ${what} exceeds ${ITEM_BYTES_MAX / 2 ** 20} MiB; shorten it.`);
  const scanner = new JsonScanner(input, { keptBytesMax: ITEM_BYTES_MAX, tooLarge });
  let item: { line: number; start: number; depth: number } | null = null;
  let lists = 0;
  let next: Next = 'value or end';
  let isEmpty = true;
  scanner.keptFrom = null;
  for (let byte = scanner.next(); byte !== END; byte = scanner.next()) {
    const { line, tokenStart } = scanner;
    if (item !== null) {
      if (byte === openMap || byte === openList) item.depth++;
      else if ((byte === closeMap || byte === closeList) && --item.depth === 0) {
        const bytes = scanner.slice(item.start, tokenStart + 1);
        if (bytes.length > ITEM_BYTES_MAX) throw tooLarge();
        if (!isUtf8(bytes)) throw error(item.line, `this ${what} is not UTF-8; save the file as UTF-8.`);
        yield { bytes, line: item.line, start: item.start };
        item = null;
        scanner.keptFrom = null;
        next = lists > 0 ? 'comma or end' : 'value or end';
      }
      continue;
    }
    isEmpty = false;
    if (byte === openMap && next !== 'comma or end') {
      item = { line, start: tokenStart, depth: 1 };
      scanner.keptFrom = tokenStart;
    } else if (byte === openList && next !== 'comma or end' && lists < LISTS_MAX) {
      lists++;
      next = 'value or end';
    } else if (byte === closeList && next !== 'value' && lists > 0) {
      lists--;
      next = lists > 0 ? 'comma or end' : 'value or end';
    } else if (byte === comma && next === 'comma or end') next = 'value';
    else throw error(line, unexpected(byte, next, what));
  }
  const { line } = scanner;
  if (item !== null)
    throw error(line, `unexpected end of the ${what} that starts on line ${item.line}; fetch it again.`);
  if (lists > 0) throw error(line, 'unexpected end of a list; fetch it again.');
  if (isEmpty) throw error(1, `the file is empty; pass one that contains a ${what}.`);
}

/** The line, counted from 0, on which an object has this field; 0 if it does not. */
export function lineOfField(bytes: Buffer, field: string): number {
  const scanner = new JsonScanner(inputFromBytes(bytes, ''), {
    keptBytesMax: Number.POSITIVE_INFINITY,
    tooLarge: () => new Error('unreachable'),
  });
  let depth = 0;
  for (let byte = scanner.next(); byte !== END; byte = scanner.next()) {
    if (byte === openMap || byte === openList) depth++;
    else if (byte === closeMap || byte === closeList) depth--;
    else if (byte === colon && depth === 1 && scanner.isAfterString(field)) return scanner.line - 1;
  }
  return 0;
}

function unexpected(byte: number, next: Next, what: string): string {
  // The bytes that UTF-16 starts with or is full of.
  if (byte === 0 || byte >= 0xfe) return 'this is UTF-16, or not text; save the file as UTF-8.';
  const found = byte > 0x20 && byte < 0x7f ? `unexpected ${String.fromCharCode(byte)}` : 'unexpected byte';
  return next === 'comma or end'
    ? `${found}, expected a comma or the end of the list; pass complete JSON.`
    : `${found}, expected a ${what}; pass JSON with only ${what}s.`;
}
