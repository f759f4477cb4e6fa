// What the tools accept: plain JSON Schemas, and messages that say what to do about a wrong value.
import { Ajv, type ErrorObject } from 'ajv';
import { CHANGE_TYPES, SLUG_PATTERN } from '../domain/model.ts';
import { nearest } from '../domain/nearest.ts';
import { boolean, integer, object, oneOf, type Schema, text } from '../domain/schema.ts';
import type { Place } from './settings.ts';
import { oneLine } from './untrusted.ts';

const VERSIONS_MAX = 100;
export const VERSIONS_DEFAULT = 20;
const OFFSET_MAX = 1_000_000;
const NAME_CHARACTERS_MAX = 128;
const PROBLEMS_MAX = 5;

const ajv = new Ajv({ allErrors: true });

const timestamp = (description: string) =>
  text({ maxLength: 40, description: `${description}; ISO 8601, such as 2026-05-04` });
const label = (description: string) => text({ minLength: 1, maxLength: NAME_CHARACTERS_MAX, description });

const OFFSET = integer({
  minimum: 0,
  maximum: OFFSET_MAX,
  description: 'Skip this many changes. A result that is too long ends with the offset for its next part',
});
const PRERELEASE = boolean('false excludes prereleases such as 2.0.0-rc.1. Default: true');

const CURSOR = text({
  pattern: '^[A-Za-z0-9_-]{1,400}$',
  description: 'From the end of the previous result',
});

export const PRODUCTS_ARGUMENTS = object({}, { optional: { cursor: CURSOR } });

export const VERSIONS_ARGUMENTS = object(
  {},
  {
    optional: {
      limit: integer({
        minimum: 1,
        maximum: VERSIONS_MAX,
        description: `Number of versions. Default: ${VERSIONS_DEFAULT}`,
      }),
      cursor: CURSOR,
      prerelease: PRERELEASE,
      since: timestamp('Published then or later'),
      until: timestamp('Published then or earlier'),
      q: text({
        minLength: 1,
        maxLength: 500,
        description: 'Versions that have all of these words, or longer ones that begin with them',
      }),
    },
  },
);

export const VERSION_ARGUMENTS = object(
  {},
  {
    optional: {
      version: label('Label, such as 2.1.0, or id. Default: latest, the highest stable one not yanked'),
      offset: OFFSET,
    },
  },
);

export const RANGE_ARGUMENTS = object(
  { from: label('The version that is in use, such as 1.4.0. Its own changes are not included') },
  {
    optional: {
      to: label('The version to upgrade to. Default: latest, the highest stable one not yanked'),
      type: oneOf(CHANGE_TYPES, 'Only changes of this type'),
      breakingOnly: boolean('true: only changes that their authors marked as breaking'),
      prerelease: PRERELEASE,
      offset: OFFSET,
    },
  },
);

export const UPDATE_ARGUMENTS = object(
  { from: label('The version that is in use, such as 1.4.0') },
  {
    optional: {
      prerelease: boolean('true counts prereleases such as 2.0.0-rc.1. Default: false'),
    },
  },
);

type Field = Schema<unknown> &
  Readonly<{
    type: 'string' | 'integer' | 'boolean';
    enum?: readonly string[];
    pattern?: string;
    maxLength?: number;
    minimum?: number;
    maximum?: number;
  }>;
export type ArgumentsSchema = Schema<unknown> &
  Readonly<{ required: readonly string[]; properties: Readonly<Record<string, Field>> }>;

/** What a tool reads: one product, all products of a team, or either. */
export type Scope = 'product' | 'team' | 'either';

/** Adds the team and the product, which a call may leave out if there is a default. */
export function withPlace(schema: Schema<unknown>, scope: Scope, fallback: Place | null): ArgumentsSchema {
  const { required, properties, ...rest } = schema as ArgumentsSchema;
  const slug = (thing: string, more: string) =>
    text({
      pattern: SLUG_PATTERN,
      description: `Slug of the ${thing}, as in the URL /changelog/TEAM/PRODUCT${more}`,
    }) as Field;
  const defaultTo = (value: string | undefined | null) => (value ? `. Default: ${value}` : '');
  const product = fallback?.product;
  const all = product ? '; all products, if only team is given' : '. Default: all products of the team';
  return {
    ...rest,
    required: [
      ...(fallback ? [] : ['team']),
      ...(scope !== 'product' || product ? [] : ['product']),
      ...required,
    ],
    properties: {
      team: slug('team', defaultTo(fallback?.team)),
      ...(scope !== 'team' && {
        product: slug('product', defaultTo(product) + (scope === 'either' ? all : '')),
      }),
      ...properties,
    },
  };
}

/** What a call names. */
export type NamedPlace = Readonly<{ team?: string | undefined; product?: string | undefined }>;

/** What a call reads. A call that names only a team means all of it, where the tool can do that. */
export function placeOf(scope: Scope, fallback: Place | null, { team, product }: NamedPlace): Place {
  const isTeam = scope === 'team' || (scope === 'either' && team !== undefined);
  return {
    team: team ?? (fallback as Place).team,
    product: product ?? (isTeam ? null : (fallback as Place).product),
  };
}

/** Without nulls, which some models send for arguments that they leave out; or a message that says what to do. */
export function readArguments(schema: ArgumentsSchema, value: unknown): object | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The arguments must be an object.';
  const given = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
  const validate = ajv.compile(schema);
  if (validate(given)) return given;
  const problems = new Set(validate.errors?.map((error) => describeError(error, schema.properties)));
  return [...problems].slice(0, PROBLEMS_MAX).join(' ');
}

function describeError(
  { instancePath, params }: ErrorObject,
  properties: ArgumentsSchema['properties'],
): string {
  if (params.missingProperty !== undefined) return `${params.missingProperty} is missing; it is required.`;
  if (params.additionalProperty !== undefined)
    return unknownArgument(params.additionalProperty, Object.keys(properties));
  const name = instancePath.slice(1);
  return `${name} must be ${expectedBy(properties[name] as Field)}.`;
}

function unknownArgument(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const advice = meant ? `did you mean ${meant}?` : `the arguments are ${known.join(', ')}.`;
  return `${oneLine(name)} is not an argument of this tool; ${advice}`;
}

function expectedBy({ type, enum: values, pattern, minimum, maximum, maxLength }: Field): string {
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  if (values) return `one of ${values.join(', ')}`;
  if (pattern === SLUG_PATTERN) return 'a slug: lowercase letters, digits and hyphens, such as acme';
  if (pattern !== undefined) return 'the text at the end of the previous result';
  return `text with 1 to ${maxLength} characters`;
}
