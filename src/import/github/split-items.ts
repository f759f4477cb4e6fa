// Splits JSON text into its objects: one object, several in a row, lists of them, and lists of such lists.
import { isUtf8 } from 'node:buffer';
import type { Input } from '../../content/input.ts';
import { lineAt, structureOf } from '../../content/read/json.ts';
import { Refusal } from '../../errors.ts';

export type JsonItem = Readonly<{ text: string; line: number }>;

const ITEM_BYTES_MAX = 8 * 1024 * 1024;
/** `gh api --paginate --slurp` makes a list of lists. */
const LISTS_MAX = 2;

/** What may come next outside of objects. */
type Next = 'value' | 'value or end' | 'comma or end';

/** `what` names one of the objects in messages. */
export function* splitItems({ name, bytes }: Input, what: string): Generator<JsonItem> {
  const error = (line: number, message: string) => new Refusal(message, { at: [name, line] });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const hasBadBytes = !isUtf8(bytes);
  let item: { line: number; start: number; depth: number } | null = null;
  let lists = 0;
  let next: Next = 'value or end';
  let [line, counted] = [1, 0];
  let character = '';
  for (const at of structureOf(text)) {
    character = text[at] as string;
    if (item !== null) {
      if (character === '{' || character === '[') item.depth++;
      else if ((character === '}' || character === ']') && --item.depth === 0) {
        const found = text.slice(item.start, at + 1);
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
    line += lineAt(text.slice(counted, at), at) - 1;
    counted = at;
    if (character === '{' && next !== 'comma or end') item = { line, start: at, depth: 1 };
    else if (character === '[' && next !== 'comma or end' && lists < LISTS_MAX) {
      lists++;
      next = 'value or end';
    } else if (character === ']' && next !== 'value' && lists > 0) {
      lists--;
      next = lists > 0 ? 'comma or end' : 'value or end';
    } else if (character === ',' && next === 'comma or end') next = 'value';
    else throw error(line, unexpected(character, next, what));
  }
  const end = lineAt(text, text.length);
  if (item !== null)
    throw error(end, `unexpected end of the ${what} that starts on line ${item.line}; fetch it again.`);
  if (lists > 0) throw error(end, 'unexpected end of a list; fetch it again.');
  if (character === '') throw error(1, `the file is empty; pass one that contains a ${what}.`);
}

function unexpected(character: string, next: Next, what: string): string {
  // UTF-16 is full of zeros, and its first bytes are not UTF-8.
  if (character === '\0' || character === '\uFFFD')
    return 'this is UTF-16, or not text; save the file as UTF-8.';
  const found = /[\x21-\x7e]/.test(character) ? `unexpected ${character}` : 'unexpected byte';
  return next === 'comma or end'
    ? `${found}, expected a comma or the end of the list; pass complete JSON.`
    : `${found}, expected a ${what}; pass JSON with only ${what}s.`;
}
