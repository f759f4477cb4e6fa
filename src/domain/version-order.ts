// Sort keys for labels, in the order of semantic versions (R31, R32).

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
  const numbers = numberOrder(major) + numberOrder(minor) + numberOrder(patch);
  return prerelease === undefined
    ? numbers + STABLE
    : numbers + PRERELEASE + prerelease.split('.').map(identifierOrder).join('');
}

export function isPrerelease(label: string): boolean {
  const order = versionOrder(label);
  return order !== null && isPrereleaseOrder(order);
}

export const isPrereleaseOrder = (order: string) => !order.endsWith(STABLE);

/** The first number of a version, as digits without leading zeros. */
export function majorOf(label: string): string {
  return /^[vV]?0*([0-9]*)/.exec(label)?.[1] || '0';
}

/** Without leading zeros, the longer number is the greater one. */
function numberOrder(digits: string): string {
  const significant = digits.startsWith('0') ? digits.replace(/^0+/, '') : digits;
  return String(significant.length).padStart(LENGTH_DIGITS, '0') + significant;
}

/** Numbers come before words. */
function identifierOrder(identifier: string): string {
  const isNumber = /^[0-9]+$/.test(identifier);
  return (isNumber ? `0${numberOrder(identifier)}` : `1${identifier}`) + IDENTIFIER_END;
}
