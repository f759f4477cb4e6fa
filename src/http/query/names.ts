// Maps names and values in a query to parameters. Unknown names are ignored (R21), except near misses (R47).
import { ApiError } from '../../errors.ts';
import type { Parameter, Parameters } from './parameters.ts';

export type GivenParameters = Readonly<{
  values: ReadonlyMap<string, readonly string[]>;
  /** The parameter that an unknown name in the query probably means. */
  nearMiss: string | null;
}>;

export function groupByName(
  pairs: Iterable<readonly [name: string, value: string]>,
  parameters: Parameters,
): GivenParameters {
  const known = Object.entries(parameters);
  const values = new Map<string, string[]>();
  let nearMiss: string | null = null;
  for (const [given, value] of pairs) {
    const [name, parameter] = known.find(([each, it]) => spelling(given, it) === each) ?? [];
    if (name === undefined || parameter === undefined)
      nearMiss ??= known.find(([each, it]) => isNear(spelling(given, it), each))?.[0] ?? null;
    else values.set(name, [...(values.get(name) ?? []), ...valuesOf(value, parameter)]);
  }
  return { values, nearMiss };
}

/** Does not repeat the given name: a page may show this message (R39). */
export function nearMissError(name: string): ApiError {
  return new ApiError('bad_request', {
    message: `The query has an unknown parameter. Did you mean ${name}?`,
  });
}

/** Some libraries write a list's values as `type[]` or `type[0]`. */
function spelling(given: string, { repeatable }: Parameter): string {
  return repeatable && given.endsWith(']') ? given.replace(/\[\d*\]$/, '') : given;
}

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['0', 'false'],
  ['False', 'false'],
  ['1', 'true'],
  ['True', 'true'],
]);

/** Some libraries write lists with commas, and booleans as numbers or as in Python. */
function valuesOf(given: string, { repeatable, schema, read }: Parameter): string[] {
  if (repeatable) return given.split(',');
  if (schema.type === 'boolean') return [BOOLEANS.get(given) ?? given];
  return [read === undefined ? given : read(given)];
}

/** Shorter names, such as `to`, are one typo away from too many others. */
const SLIPS_FROM_LETTERS = 4;

function isNear(given: string, known: string): boolean {
  if (Math.abs(given.length - known.length) > 1) return false;
  if (given.toLowerCase() === known.toLowerCase()) return true;
  if (given === `${known}s` || `${given}s` === known) return true;
  return known.length >= SLIPS_FROM_LETTERS && isOneSlip(given, known);
}

/** One letter added, missing or wrong, or two swapped: compares what lies between the common start and end. */
function isOneSlip(given: string, known: string): boolean {
  let start = 0;
  while (start < given.length && given[start] === known[start]) start++;
  let end = 0;
  const restMax = Math.min(given.length, known.length) - start;
  while (end < restMax && given.at(-1 - end) === known.at(-1 - end)) end++;
  const theirs = given.slice(start, given.length - end);
  const ours = known.slice(start, known.length - end);
  if (theirs.length <= 1 && ours.length <= 1) return true;
  return theirs.length === 2 && ours.length === 2 && theirs[0] === ours[1] && theirs[1] === ours[0];
}
