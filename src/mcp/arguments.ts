// What tools accept: JSON Schemas with a team and a product, and messages that say what to do about a wrong value.
import { Ajv, type ErrorObject } from 'ajv';
import { SLUG_PATTERN } from '../domain/model.ts';
import { nearest } from '../domain/nearest.ts';
import { type Schema, text } from '../domain/schema.ts';
import type { Place } from './settings.ts';
import { oneLine } from './untrusted.ts';

const PROBLEMS_MAX = 5;

const ajv = new Ajv({ allErrors: true });

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
  const { missingProperty: missing, additionalProperty: unknown } = params;
  if (missing !== undefined) return `${missing} is missing; it is required.`;
  const name = instancePath.slice(1);
  if (unknown === undefined) return `${name} must be ${expectedBy(properties[name] as Field)}.`;
  const known = Object.keys(properties);
  const meant = nearest(unknown, known);
  const advice = meant ? `did you mean ${meant}?` : `the arguments are ${known.join(', ')}.`;
  return `${oneLine(unknown)} is not an argument of this tool; ${advice}`;
}

function expectedBy({ type, enum: values, pattern, minimum, maximum, maxLength }: Field): string {
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  if (values) return `one of ${values.join(', ')}`;
  if (pattern === SLUG_PATTERN) return 'a slug: lowercase letters, digits and hyphens, such as acme';
  if (pattern !== undefined) return 'the text at the end of the previous result';
  return `text with 1 to ${maxLength} characters`;
}
