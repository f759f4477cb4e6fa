// Whether hexadecimal digits look random: bounds that chance alone breaks in fewer than one of 10^10 runs.
import assert from 'node:assert/strict';

/** So many standard deviations are left to chance. */
const DEVIATIONS_MAX = 8;

/** The digits of an id, without the prefix of its kind. */
export function digitsOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** Each bit is set in about half of them, the next is about as often above as below, and none repeats. */
export function assertRandom(texts: readonly string[]): void {
  assert.equal(new Set(texts).size, texts.length, 'one repeats');
  const width = (texts[0] as string).length * 4;
  const bits = texts.map((text) => BigInt(`0x${text}`).toString(2).padStart(width, '0'));
  const deviation = Math.sqrt(texts.length) / 2;
  for (let place = 0; place < width; place++) {
    const set = bits.filter((text) => text[place] === '1').length;
    assertNear(set, texts.length / 2, deviation, `bit ${place} is set`);
  }
  const rises = texts.filter((text, index) => index > 0 && (texts[index - 1] as string) < text).length;
  assertNear(rises, (texts.length - 1) / 2, Math.sqrt((texts.length + 1) / 12), 'the next is above');
}

function assertNear(count: number, expected: number, deviation: number, what: string): void {
  assert.ok(Math.abs(count - expected) < DEVIATIONS_MAX * deviation, `${what} ${count} times`);
}

/** How far the share of numbers below any bound is from that bound, times √n: chance stays below this. */
const KOLMOGOROV_MAX = 4;

/** Spread over all numbers of so many digits without a preference. */
export function assertEven(texts: readonly string[]): void {
  const shares = texts
    .map((text) => Number.parseInt(text.slice(0, 13), 16) / 16 ** 13)
    .toSorted((a, b) => a - b);
  const distances = shares.flatMap((share, index) => [
    Math.abs(share - index / shares.length),
    Math.abs(share - (index + 1) / shares.length),
  ]);
  const statistic = Math.max(...distances) * Math.sqrt(shares.length);
  assert.ok(statistic < KOLMOGOROV_MAX, `${shares.length} numbers: ${statistic}`);
}
