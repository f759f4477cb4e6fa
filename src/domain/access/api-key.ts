// The format of an API key: `clk_`, 32 random characters (190 bits), 6 characters of checksum.
// Secret scanners find leaked keys by the prefix; the checksum detects a typo without a query.

const PREFIX = 'clk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
const TOKEN_BYTES_MAX = 256;

/** `pick` returns a uniformly random integer below its argument. */
export function formatApiKey(pick: (below: number) => number): string {
  const secret = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[pick(ALPHABET.length)]).join('');
  return PREFIX + secret + checksum(PREFIX + secret);
}

/** Checks the format, not whether the key exists. */
export function isApiKey(token: string): boolean {
  if (token.length > TOKEN_BYTES_MAX || !SHAPE.test(token)) return false;
  return token.endsWith(checksum(token.slice(0, -CHECKSUM_LENGTH)));
}

/** Most of a key: with fewer characters after the prefix, it may be prose about keys. */
const KEY_LIKE = new RegExp(`${PREFIX}[0-9A-Za-z]{16}`, 'i');
/** A key copied without its prefix is recognised by its checksum. */
const UNPREFIXED = new RegExp(`[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}`, 'g');

/** Whether the text contains a key, or most of one. */
export function containsApiKey(text: string): boolean {
  return KEY_LIKE.test(text) || (text.match(UNPREFIXED) ?? []).some((run) => isApiKey(PREFIX + run));
}

/** Replaces every key, complete or not, with `clk_…`. */
export function hideApiKeys(text: string): string {
  return text
    .replaceAll(/clk_[0-9A-Za-z]+/gi, `${PREFIX}…`)
    .replaceAll(UNPREFIXED, (run) => (isApiKey(PREFIX + run) ? `${PREFIX}…` : run));
}

/** Stored instead of the key, which is random enough for a plain digest. */
export function hashApiKey(key: string): string {
  crypto ??= process.getBuiltinModule('node:crypto');
  return crypto.hash('sha256', key, 'hex');
}

/** Both are loaded when first needed: every command checks its arguments for keys, and few find any. */
let crypto: typeof import('node:crypto') | undefined;
let zlib: typeof import('node:zlib') | undefined;

function checksum(text: string): string {
  zlib ??= process.getBuiltinModule('node:zlib');
  let rest = zlib.crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** A key's last use is recorded at most this often, for any number of nodes. */
export const USE_RECORDED_EVERY_MS = 60_000;
