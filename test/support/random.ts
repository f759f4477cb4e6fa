// Checks that hexadecimal digits look random. A random sequence fails in fewer than one of 10^10 runs.
import assert from 'node:assert/strict';

/** The allowed distance from the mean, in standard deviations. */
const DEVIATIONS_MAX = 8;

/** The digits of an id, without the prefix of its kind. */
export function digitsOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** Each bit is set in about half of the texts, about half of them are greater than the one before, and none repeats. */
export function assertRandom(texts: readonly string[]): void {
  assert.equal(new Set(texts).size, texts.length, 'duplicate');
  const width = (texts[0] as string).length * 4;
  const bits = texts.map((text) => BigInt(`0x${text}`).toString(2).padStart(width, '0'));
  const deviation = Math.sqrt(texts.length) / 2;
  for (let index = 0; index < width; index++) {
    const set = bits.filter((text) => text[index] === '1').length;
    assertNear(set, texts.length / 2, deviation, `bit ${index} is set`);
  }
  const rises = texts.filter((text, index) => index > 0 && (texts[index - 1] as string) < text).length;
  assertNear(rises, (texts.length - 1) / 2, Math.sqrt((texts.length + 1) / 12), 'the next is greater');
}

function assertNear(count: number, expected: number, deviation: number, what: string): void {
  assert.ok(Math.abs(count - expected) < DEVIATIONS_MAX * deviation, `${what} ${count} times`);
}

/** Bound of the Kolmogorov–Smirnov statistic times √n. */
const KOLMOGOROV_MAX = 4;

/** The numbers are uniformly distributed. */
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
