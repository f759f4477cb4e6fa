// The query parameters of the reads (R32, R33): one table that requests are checked with and the description is made from.
import { CHANGE_TYPES } from '../../domain/model.ts';
import { boolean, integer, oneOf, type Schema, text } from '../../domain/schema.ts';
import { VERSION_PATTERN } from '../../domain/version-order.ts';
import { ApiError } from '../../errors.ts';

export type Parameter = Readonly<{
  /** What a value must be; of a repeatable parameter, each. */
  schema: Schema<unknown>;
  /** The same in words, for whoever sent something else. */
  takes: string;
  repeatable?: true;
  description: string;
  example: string;
}>;

export const PAGE_VERSIONS_MAX = 100;
const CURSOR_CHARACTERS_MAX = 400;
const SEARCH_CHARACTERS_MAX = 500;
const MOMENT_CHARACTERS_MAX = 40;
const LABEL_CHARACTERS_MAX = 128;

const label = () => text({ pattern: VERSION_PATTERN, maxLength: LABEL_CHARACTERS_MAX });

export const PARAMETERS = {
  limit: {
    schema: integer({ minimum: 1, maximum: PAGE_VERSIONS_MAX }),
    takes: `a whole number from 1 to ${PAGE_VERSIONS_MAX}`,
    description:
      'How many versions at most. If there are more, a `Link` header with `rel="next"` leads on. Left out: all of them, or 100 with `include`.',
    example: '2',
  },
  cursor: {
    schema: text({ pattern: '^[A-Za-z0-9_-]+$', maxLength: CURSOR_CHARACTERS_MAX }),
    takes: 'a cursor from a Link header of this address',
    description: 'Where the page before ended: taken from its `Link` header, and not to be made up.',
    example: '8V3L_JX3aaIswds3MjAyNi0wNS0wNFQwOTowMDowMC4wMDBaIHZlcl9h',
  },
  since: {
    schema: text({ maxLength: MOMENT_CHARACTERS_MAX }),
    takes: 'a date or a moment with its zone, such as 2026-05-04T09:00:00Z',
    description: 'Published at this moment or later. ISO 8601; a date alone is its midnight in UTC.',
    example: '2026-01-01',
  },
  until: {
    schema: text({ maxLength: MOMENT_CHARACTERS_MAX }),
    takes: 'a date or a moment with its zone, such as 2026-05-04T09:00:00Z',
    description:
      'Published at this moment or earlier. ISO 8601; a date alone includes that whole day in UTC.',
    example: '2026-05-04',
  },
  from: {
    schema: label(),
    takes: 'a semantic version, such as 1.4.0',
    description: 'Versions after this one, in the order of semantic versions. It need not exist.',
    example: '1.4.0',
  },
  to: {
    schema: label(),
    takes: 'a semantic version, such as 2.1.0',
    description:
      'Versions up to and including this one, in the order of semantic versions. It need not exist.',
    example: '2.1.0',
  },
  type: {
    schema: oneOf(CHANGE_TYPES),
    takes: CHANGE_TYPES.join(', ').replace(/, (?=\w+$)/, ' or '),
    repeatable: true,
    description: 'Versions with a change of this type, or of one of these if it is repeated.',
    example: 'security',
  },
  prerelease: {
    schema: boolean(),
    takes: 'true or false',
    description: '`false` leaves out prereleases such as 2.0.0-rc.1.',
    example: 'false',
  },
  q: {
    schema: text({ pattern: '\\S', maxLength: SEARCH_CHARACTERS_MAX }),
    takes: `words, of ${SEARCH_CHARACTERS_MAX} characters at most`,
    description:
      'Versions in which all of these words are found: in label, title, description or changes. Signs and capitals play no part.',
    example: 'countdown',
  },
  include: {
    schema: oneOf(['changes']),
    takes: 'changes',
    description:
      '`changes` gives each version as the full record of the version route, 100 versions a page at most.',
    example: 'changes',
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

export const FEED_PARAMETERS = Object.keys(PARAMETERS) as ParameterName[];
export const RANGE_PARAMETERS: readonly ParameterName[] = ['from', 'to', 'type', 'prerelease'];

/** Values that pass their schemas, each list with one at least. */
export type ParsedParameters = Partial<Record<ParameterName, readonly [string, ...string[]]>>;

/** Whatever else stands in the query is ignored (R21). */
export function parseParameters(search: string, names: readonly ParameterName[]): ParsedParameters {
  const pairs = new URLSearchParams(search);
  const given: ParsedParameters = {};
  for (const name of names) {
    const [first, ...others] = pairs.getAll(name);
    if (first === undefined) continue;
    const { repeatable }: Parameter = PARAMETERS[name];
    if (others.length > 0 && !repeatable) throw parameterError(name, ', and is given once');
    for (const value of [first, ...others]) if (!isValid(name, value)) throw parameterError(name);
    given[name] = [first, ...others];
  }
  return given;
}

export function parameterError(name: ParameterName, besides = ''): ApiError {
  const { takes } = PARAMETERS[name];
  return new ApiError('bad_request', { message: `The query parameter ${name} takes ${takes}${besides}.` });
}

/** Does a text stand for a value of the parameter? As much of JSON Schema as the table uses. */
export function isValid(name: ParameterName, value: string): boolean {
  const {
    type,
    minimum,
    maximum,
    enum: listed,
    pattern,
    maxLength,
  } = PARAMETERS[name].schema as ParameterSchema;
  if (type === 'boolean') return value === 'true' || value === 'false';
  if (type === 'integer') return /^[1-9]\d*$/.test(value) && +value >= +minimum && +value <= +maximum;
  if (listed !== undefined) return listed.includes(value);
  return [...value].length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(value));
}

type ParameterSchema = Readonly<{
  type: 'boolean' | 'integer' | 'string';
  minimum: number;
  maximum: number;
  enum?: readonly string[];
  pattern?: string;
  maxLength: number;
}>;
