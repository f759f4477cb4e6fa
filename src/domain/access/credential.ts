// What a request presents as its credentials, read from the header lines it sent.
import { isApiKey } from './api-key.ts';

export type BearerCredential =
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'invalid' }>
  | Readonly<{ kind: 'token'; token: string }>;

const MISSING: BearerCredential = Object.freeze({ kind: 'missing' });
const INVALID: BearerCredential = Object.freeze({ kind: 'invalid' });

/** Nearly everybody writes it so; every request of an authenticated route comes by here. */
const USUAL_BEGINNING = 'Bearer ';

/** Reads the API key from the `Authorization` lines. Only a token of the right form is worth a query (R5). */
export function parseBearer(lines: readonly string[]): BearerCredential {
  const [line = ''] = lines;
  if (lines.length > 1) return INVALID;
  if (line.startsWith(USUAL_BEGINNING)) return readToken(line.slice(USUAL_BEGINNING.length).trim());
  const { scheme, rest } = splitScheme(line);
  return scheme === 'bearer' ? readToken(rest) : MISSING;
}

/** Reads the API key from the `X-API-Key` lines, which stand in while `Authorization` is used for the gate (R24). */
export function parseApiKeyHeader(lines: readonly string[]): BearerCredential {
  return lines.length > 1 ? INVALID : readToken((lines[0] ?? '').trim());
}

function readToken(token: string): BearerCredential {
  if (token === '') return MISSING;
  return isApiKey(token) ? { kind: 'token', token } : INVALID;
}

/** Does the only `Authorization` line carry Basic credentials? */
export function isBasic(lines: readonly string[]): boolean {
  return lines.length === 1 && splitScheme(lines[0] ?? '').scheme === 'basic';
}

/** The `user:password` bytes of a Basic header, or undefined if the lines are not exactly one of those. */
export function parseBasic(lines: readonly string[]): Buffer | undefined {
  return isBasic(lines) ? Buffer.from(splitScheme(lines[0] ?? '').rest, 'base64') : undefined;
}

function splitScheme(line: string): { scheme: string; rest: string } {
  const text = line.trim();
  const gap = text.search(/[ \t]/);
  if (gap === -1) return { scheme: text.toLowerCase(), rest: '' };
  return { scheme: text.slice(0, gap).toLowerCase(), rest: text.slice(gap).trim() };
}
