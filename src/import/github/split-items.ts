// Splits JSON text into its objects: one object, several in a row, lists of them, and lists of such lists.
import { isUtf8 } from 'node:buffer';
import type { Input } from '../../content/input.ts';
import { END, JSON_CODES, JsonScanner } from '../../content/read/json-scanner.ts';
import { Refusal } from '../../errors.ts';

const { comma, openList, closeList, openMap, closeMap } = JSON_CODES;

export type JsonItem = Readonly<{ text: string; line: number }>;

const ITEM_BYTES_MAX = 8 * 1024 * 1024;
/** `gh api --paginate --slurp` makes a list of lists. */
const LISTS_MAX = 2;

/** What may come next outside of objects. */
type Next = 'value' | 'value or end' | 'comma or end';

/** `what` names one of the objects in messages. */
export function* splitItems({ name, bytes }: Input, what: string): Generator<JsonItem> {
  const error = (line: number, message: string) => new Refusal(`${name}:${line}: ${message}`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const scanner = new JsonScanner(text);
  const hasBadBytes = !isUtf8(bytes);
  let item: { line: number; start: number; depth: number } | null = null;
  let lists = 0;
  let next: Next = 'value or end';
  let isEmpty = true;
  for (let token = scanner.next(); token !== END; token = scanner.next()) {
    const { line, start, end } = scanner;
    if (item !== null) {
      if (token === openMap || token === openList) item.depth++;
      else if ((token === closeMap || token === closeList) && --item.depth === 0) {
        const found = text.slice(item.start, end);
        if (found.length > ITEM_BYTES_MAX)
          throw error(item.line, `this ${what} exceeds ${ITEM_BYTES_MAX / 2 ** 20} MiB; shorten it.`);
        if (hasBadBytes && found.includes('\uFFFD'))
          throw error(item.line, `this ${what} is not UTF-8; save the file as UTF-8.`);
        yield { text: found, line: item.line };
        item = null;
        next = lists > 0 ? 'comma or end' : 'value or end';
      }
      continue;
    }
    isEmpty = false;
    if (token === openMap && next !== 'comma or end') item = { line, start, depth: 1 };
    else if (token === openList && next !== 'comma or end' && lists < LISTS_MAX) {
      lists++;
      next = 'value or end';
    } else if (token === closeList && next !== 'value' && lists > 0) {
      lists--;
      next = lists > 0 ? 'comma or end' : 'value or end';
    } else if (token === comma && next === 'comma or end') next = 'value';
    else throw error(line, unexpected(token, next, what));
  }
  const { line } = scanner;
  if (item !== null)
    throw error(line, `unexpected end of the ${what} that starts on line ${item.line}; fetch it again.`);
  if (lists > 0) throw error(line, 'unexpected end of a list; fetch it again.');
  if (isEmpty) throw error(1, `the file is empty; pass one that contains a ${what}.`);
}

function unexpected(token: number, next: Next, what: string): string {
  // UTF-16 is full of zeros, and its first bytes are not UTF-8.
  if (token === 0 || token === 0xfffd) return 'this is UTF-16, or not text; save the file as UTF-8.';
  const found = token > 0x20 && token < 0x7f ? `unexpected ${String.fromCharCode(token)}` : 'unexpected byte';
  return next === 'comma or end'
    ? `${found}, expected a comma or the end of the list; pass complete JSON.`
    : `${found}, expected a ${what}; pass JSON with only ${what}s.`;
}
