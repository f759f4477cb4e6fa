// The written form of an API key: `clk_`, 32 random characters (190 bits), 6 characters of checksum.
// The prefix lets secret scanners find a leaked key; the checksum tells a typo from a key without a query.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'clk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
const TOKEN_BYTES_MAX = 256;

/** Writes a key; `pick` gives a uniformly random whole number below its argument. */
export function formatApiKey(pick: (below: number) => number): string {
  const secret = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[pick(ALPHABET.length)]).join('');
  return PREFIX + secret + checksum(PREFIX + secret);
}

/** Could this have been written by `writeApiKey`? */
export function isApiKey(token: string): boolean {
  if (token.length > TOKEN_BYTES_MAX || !SHAPE.test(token)) return false;
  return token.endsWith(checksum(token.slice(0, -CHECKSUM_LENGTH)));
}

/** Enough of a key to be one: fewer characters behind the prefix may be words about keys. */
const KEY_LIKE = new RegExp(`${PREFIX}[0-9A-Za-z]{16}`, 'i');
/** A key whose prefix was not copied is known by its checksum. */
const HEADLESS = new RegExp(`[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}`, 'g');

/** Is there a key in it, or most of one? */
export function containsApiKey(text: string): boolean {
  return KEY_LIKE.test(text) || (text.match(HEADLESS) ?? []).some((run) => isApiKey(PREFIX + run));
}

/** The text with `clk_…` for every key in it, whole or not. */
export function hideApiKeys(text: string): string {
  return text
    .replaceAll(/clk_[0-9A-Za-z]+/gi, `${PREFIX}…`)
    .replaceAll(HEADLESS, (run) => (isApiKey(PREFIX + run) ? `${PREFIX}…` : run));
}

/** What is stored instead of the key. It is random enough that a plain digest cannot be guessed back. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    written = ALPHABET[rest % ALPHABET.length] + written;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return written;
}

/** The last use of a key is recorded at most this often, by however many nodes. */
export const USE_RECORDED_EVERY_MS = 60_000;
