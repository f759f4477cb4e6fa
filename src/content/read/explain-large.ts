// What can be said of a text that is too much for the authority: less, but with a line and a field.
import { CORE_SCHEMA, load } from 'js-yaml';
import type { FieldPath } from '../../domain/content/content.ts';

/** Aliases are for the authority, which knows when they are too many. */
export const FAST_YAML = { schema: CORE_SCHEMA, maxAliases: 0 };

export const UNCLEAR =
  'there is too much in it to say what is wrong: write it as plain JSON, and each field of a mapping once.';

/** What a quick parser makes of a text, or why it makes nothing of it, and on which line. */
export function explainQuickly(
  text: string,
  isJson: boolean,
): { value: unknown } | { reason: string; line: number } {
  try {
    return { value: isJson ? JSON.parse(text) : load(text, FAST_YAML) };
  } catch (error) {
    const { reason, message, mark } = error as { reason?: string; message: string; mark?: { line: number } };
    const line = mark === undefined ? Number(/\(line (\d+) /.exec(message)?.[1] ?? 1) : mark.line + 1;
    const said = (reason ?? message)
      .replace(/ (?:in JSON )?at position .*/s, '')
      .replaceAll(/[\s\p{Cc}]+/gu, ' ');
    return { reason: `this cannot be read: ${said}.`, line };
  }
}

/** The line that a path leads to, as far as names alone can tell. */
export function lineNaming(bytes: Buffer, path: FieldPath): number {
  const text = bytes.toString('latin1');
  let at = 0;
  for (const part of path) {
    if (typeof part === 'number') continue;
    const name = Buffer.from(part).toString('latin1').replaceAll(/[^\w]/g, '\\$&');
    const naming = new RegExp(`(?<!\\w)${name}["']?\\s*:`, 'g');
    naming.lastIndex = at;
    const found = naming.exec(text);
    if (found === null) break;
    at = found.index;
  }
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
