// Parses credentials from a request's header lines.
import { isApiKey } from './api-key.ts';

export type BearerCredential =
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'invalid' }>
  | Readonly<{ kind: 'token'; token: string }>;

const MISSING: BearerCredential = Object.freeze({ kind: 'missing' });
const INVALID: BearerCredential = Object.freeze({ kind: 'invalid' });

/** A fast path for the usual spelling. */
const USUAL_PREFIX = 'Bearer ';

/** Finds the API key in `Authorization`. Only a token of the right format is worth a query (R5). */
export function parseBearer(lines: readonly string[]): BearerCredential {
  const [line = ''] = lines;
  if (lines.length > 1) return INVALID;
  if (line.startsWith(USUAL_PREFIX)) return parseToken(line.slice(USUAL_PREFIX.length).trim());
  const { scheme, rest } = splitScheme(line);
  return scheme === 'bearer' ? parseToken(rest) : MISSING;
}

/** Gitea's clients write `token KEY` or `Bearer KEY`. */
export function tokenAsBearer(line: string): string {
  return line.replace(/^\s*token(?=[ \t])/i, 'Bearer');
}

/** Finds the API key in `X-API-Key`, for requests whose `Authorization` has the gate's credentials (R24). */
export function parseApiKeyHeader(lines: readonly string[]): BearerCredential {
  return lines.length > 1 ? INVALID : parseToken((lines[0] ?? '').trim());
}

function parseToken(token: string): BearerCredential {
  if (token === '') return MISSING;
  return isApiKey(token) ? { kind: 'token', token } : INVALID;
}

export function isBasic(lines: readonly string[]): boolean {
  return lines.length === 1 && splitScheme(lines[0] ?? '').scheme === 'basic';
}

/** The `user:password` bytes, if there is exactly one line and it is Basic. */
export function parseBasic(lines: readonly string[]): Buffer | undefined {
  return isBasic(lines) ? Buffer.from(splitScheme(lines[0] ?? '').rest, 'base64') : undefined;
}

function splitScheme(line: string): { scheme: string; rest: string } {
  const text = line.trim();
  const gap = text.search(/[ \t]/);
  if (gap === -1) return { scheme: text.toLowerCase(), rest: '' };
  return { scheme: text.slice(0, gap).toLowerCase(), rest: text.slice(gap).trim() };
}
