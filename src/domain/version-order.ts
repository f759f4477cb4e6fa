// Sort keys for labels, in the order of semantic versions. The database stores and sorts by them (R31, R32).

/** Semantic versions, also with a leading `v` or without the last numbers (`14.1`), but not dates (`2026-05-04`). */
export const VERSION_PATTERN =
  '^[vV]?([0-9]+)(?:\\.([0-9]+)(?:\\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$';
const VERSION = new RegExp(VERSION_PATTERN);

const LENGTH_DIGITS = 3;
/** Sorts after any prerelease: 2.0.0 comes after 2.0.0-rc.1. */
const STABLE = '~';
const PRERELEASE = '-';
/** Sorts before any character of an identifier: `alpha`, `alpha.1`, `alpha1`. */
const IDENTIFIER_END = '!';

/** Text that sorts bytewise like the version, or null if the label is not one. Ignores build metadata. */
export function versionOrder(label: string): string | null {
  const match = VERSION.exec(label);
  if (match === null) return null;
  const [, major = '', minor = '', patch = '', prerelease] = match;
  const numbers = [major, minor, patch].map(numberOrder).join('');
  return prerelease === undefined
    ? numbers + STABLE
    : numbers + PRERELEASE + prerelease.split('.').map(identifierOrder).join('');
}

export function isPrerelease(label: string): boolean {
  return versionOrder(label)?.endsWith(STABLE) === false;
}

/** The part of a sort key that encodes the first number. */
export function majorOf(order: string): string {
  return order.slice(0, LENGTH_DIGITS + Number(order.slice(0, LENGTH_DIGITS)));
}

/** The first number of a sort key, as digits without leading zeros. */
export function majorNumber(order: string): string {
  return majorOf(order).slice(LENGTH_DIGITS) || '0';
}

export type VersionBlock = Readonly<{ level: 'major' | 'minor'; order: string }>;

/**
 * The major versions between two versions, and the minor versions of the last one: together they cover the whole range,
 * and little else. Null if there are none, or more than `blocksMax` of either.
 */
export function blocksBetween(from: string | null, to: string, blocksMax: number): VersionBlock[] | null {
  const [fromMajor, fromMinor] = from === null ? [0, 0] : firstNumbers(from);
  const [toMajor, toMinor] = firstNumbers(to);
  const leastMinor = fromMajor === toMajor ? fromMinor : 0;
  const isSmall = (distance: number) => distance >= 0 && distance < blocksMax;
  if (!isSmall(toMajor - fromMajor) || !isSmall(toMinor - leastMinor) || !Number.isSafeInteger(toMajor))
    return null;
  const major = (number: number) => numberOrder(String(number));
  return [
    ...range(fromMajor, toMajor - 1).map((number) => ({ level: 'major' as const, order: major(number) })),
    ...range(leastMinor, toMinor).map((number) => ({
      level: 'minor' as const,
      order: major(toMajor) + major(number),
    })),
  ];
}

function firstNumbers(order: string): [major: number, minor: number] {
  const major = majorOf(order);
  return [major, majorOf(order.slice(major.length))].map((text) => Number(text.slice(LENGTH_DIGITS))) as [
    number,
    number,
  ];
}

const range = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** Without leading zeros, the longer number is the greater one. */
function numberOrder(digits: string): string {
  const significant = digits.replace(/^0+/, '');
  return String(significant.length).padStart(LENGTH_DIGITS, '0') + significant;
}

/** Numbers come before words. */
function identifierOrder(identifier: string): string {
  const isNumber = /^[0-9]+$/.test(identifier);
  return (isNumber ? `0${numberOrder(identifier)}` : `1${identifier}`) + IDENTIFIER_END;
}
