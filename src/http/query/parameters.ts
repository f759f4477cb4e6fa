// The query parameters of the changelog and of ranges (R32, R33): tables that validate requests and feed the OpenAPI
// document. Another read may define a parameter of the same name for itself.
import { type FeedQuery, parseWords } from '../../domain/feed-query.ts';
import { CHANGE_TYPES, LABEL_CHARACTERS_MAX } from '../../domain/model.ts';
import { boolean, dateOrTimestamp, integer, oneOf, type Schema, text } from '../../domain/schema.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { VERSION_PATTERN, versionOrder } from '../../domain/version-order.ts';
import { ApiError } from '../../errors.ts';

/** What a read accepts, by name, in the order that they have in links. */
export type Parameters = Readonly<Record<string, Parameter>>;

export type Parameter = Readonly<{
  /** For each value of a repeatable parameter. */
  schema: Schema<unknown>;
  /** The same in words, for error messages. */
  expected: string;
  repeatable?: true;
  /** Its name in the OpenAPI document, where another read has a different one of the same name. */
  component?: string;
  description: string;
  /** None if valid values exist only in responses: tools send the examples. */
  example?: string;
  /** The value that means the same as none. */
  default?: string;
  /** What a value means that some clients send; a valid one means itself. */
  read?: (given: string) => string;
  /** Filters, the rule, are part of what a cursor is valid for; the page size is not. */
  part?: 'filter' | 'page' | 'cursor';
  /** Undefined for a value that turns out invalid. Without it, the read takes the value from `Query.given`. */
  parse?: (values: Values) => Partial<FeedQuery> | undefined;
}>;

/** At least one. */
export type Values = readonly [string, ...string[]];

export const PAGE_VERSIONS_MAX = 100;
const CURSOR_CHARACTERS_MAX = 400;
export const SEARCH_CHARACTERS_MAX = 500;

const TIME = {
  schema: dateOrTimestamp(),
  expected: 'a date, or a timestamp with time zone, such as 2026-05-04T09:00:00Z',
} as const;

export const TRUE_OR_FALSE = { schema: boolean(), expected: 'true or false' } as const;

const label = () => text({ pattern: VERSION_PATTERN, maxLength: LABEL_CHARACTERS_MAX });

export const upTo = (maximum: number) =>
  ({
    schema: integer({ minimum: 1, maximum }),
    expected: `a whole number from 1 to ${maximum}`,
    part: 'page',
  }) as const;

export const limitUpTo = (maximum: number, description: string) =>
  ({
    ...upTo(maximum),
    description,
    example: '2',
    parse: ([value]) => ({ limit: Number(value) }),
  }) as const satisfies Parameter;

export const FEED_PARAMETERS = {
  limit: limitUpTo(
    PAGE_VERSIONS_MAX,
    'Maximum number of versions. If there are more, a `Link` header with `rel="next"` has the URL of the next page. Default: all versions, or 100 with `include`.',
  ),
  cursor: {
    schema: text({ pattern: '^[A-Za-z0-9_-]+$', maxLength: CURSOR_CHARACTERS_MAX }),
    expected: 'a cursor from a Link header of this URL',
    description: 'Where the previous page ended: copy it from the `Link` header.',
    part: 'cursor',
    parse: ([value]) => parseCursor(value),
  },
  since: {
    ...TIME,
    description:
      'Published at this time or later: a date, which means midnight UTC, or a timestamp with time zone.',
    example: '2026-01-01',
    parse: ([value]) => parseTime('since', value),
  },
  until: {
    ...TIME,
    description:
      'Published at this time or earlier: a date, which includes that whole day in UTC, or a timestamp with time zone.',
    example: '2026-05-04',
    parse: ([value]) => parseTime('until', value),
  },
  from: {
    schema: label(),
    expected: 'a semantic version, such as 1.4.0',
    description: 'Versions after this one, in semantic version order. It need not exist.',
    example: '1.4.0',
    parse: ([value]) => ({ from: versionOrder(value) }),
  },
  to: {
    schema: label(),
    expected: 'a semantic version, such as 2.1.0',
    description: 'Versions up to and including this one, in semantic version order. It need not exist.',
    example: '2.1.0',
    parse: ([value]) => ({ to: versionOrder(value) }),
  },
  type: {
    schema: oneOf(CHANGE_TYPES),
    expected: CHANGE_TYPES.join(', ').replace(/, (?=\w+$)/, ' or '),
    repeatable: true,
    description:
      'Versions with a change of this type, or of any of these types if it is repeated or a list with commas.',
    example: 'security',
    parse: (values) => ({ types: CHANGE_TYPES.filter((type) => values.includes(type)) }),
  },
  breaking: {
    ...TRUE_OR_FALSE,
    description: '`true`: versions with a breaking change, of one of the types if `type` is given too.',
    example: 'true',
    default: 'false',
    parse: ([value]) => ({ isBreaking: value === 'true' }),
  },
  prerelease: {
    ...TRUE_OR_FALSE,
    description: '`false` excludes prereleases such as 2.0.0-rc.1. `0` and `False` mean the same.',
    example: 'false',
    default: 'true',
    parse: ([value]) => ({ withPrereleases: value !== 'false' }),
  },
  q: {
    schema: text({ pattern: '\\S', maxLength: SEARCH_CHARACTERS_MAX }),
    expected: `words, at most ${SEARCH_CHARACTERS_MAX} characters`,
    description:
      'Versions that have all of these words, or longer ones that begin with them, in label, title, description or changes. Punctuation and case are ignored.',
    example: 'countdown',
    parse: ([value]) => ({ words: parseWords(value) }),
  },
  include: {
    schema: oneOf(['changes']),
    expected: 'changes',
    description:
      '`changes` returns each version as the full record of the version route, at most 100 versions a page.',
    example: 'changes',
    part: 'page',
    parse: () => ({ withChanges: true }),
  },
} as const satisfies Parameters;

const { from, to, type, breaking, prerelease } = FEED_PARAMETERS;
export const RANGE_PARAMETERS = { from, to, type, breaking, prerelease } as const satisfies Parameters;

export const SIGNATURE_BYTES = 12;
/** Other bytes, such as NUL, must not reach a database. */
const POSITION = /^([!-~]+) ([!-~]+)$/;

/** Undefined for a text that cannot be one. */
function parseCursor(text: string): Partial<FeedQuery> | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const [, sortKey, id] = POSITION.exec(bytes.toString('latin1', SIGNATURE_BYTES)) ?? [];
  // Several encodings decode to the same bytes, but only one is issued.
  if (sortKey === undefined || id === undefined || bytes.toString('base64url') !== text) return undefined;
  return { after: { sortKey, id } };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A plus sign that the client did not encode arrives as a space. Undefined for a time that there is not. */
function parseTime(name: 'since' | 'until', value: string): Partial<FeedQuery> | undefined {
  const text = value.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const isWholeDay = name === 'until' && DATE.test(text);
  const time = normaliseTimestamp(text) && normaliseTimestamp(isWholeDay ? `${text}T23:59:59.999Z` : text);
  return time ? { [name]: time } : undefined;
}

/** A 400 that a form can show next to its field. */
export class ParameterError extends ApiError {
  readonly parameter: string;

  constructor(parameter: string, { expected }: Parameter, besides = '') {
    super('bad_request', { message: `The query parameter ${parameter} must be ${expected}${besides}.` });
    this.parameter = parameter;
  }
}

/** Whether people type it; everything else they choose, or follow a link. */
export function isTextField({ schema, part = 'filter' }: Parameter): boolean {
  return schema.type === 'string' && schema.enum === undefined && part === 'filter';
}

/** The parts of JSON Schema that the tables use, except timestamps, which are validated when parsed. */
export function isValid({ schema }: Parameter, value: string): boolean {
  const { type, minimum, maximum, enum: listed, pattern, maxLength = Infinity } = schema as ParameterSchema;
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
  maxLength?: number;
}>;
