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
  Readonly<{ type: string; enum?: readonly string[]; pattern?: string }> &
  Readonly<Partial<Record<'minimum' | 'maximum' | 'maxLength', number>>>;
type Fields = Readonly<Record<string, Field>>;
export type ArgumentsSchema = Schema<unknown> & Readonly<{ required: readonly string[]; properties: Fields }>;

/** What a tool reads: one product, all products of a team, or either. */
export type Scope = 'product' | 'team' | 'either';

/** Adds the team and the product, which a call may leave out if there is a default. */
export function withPlace(schema: Schema<unknown>, scope: Scope, fallback: Place | null): ArgumentsSchema {
  const { required, properties, ...rest } = schema as ArgumentsSchema;
  const { team, product } = fallback ?? { team: null, product: null };
  const slug = (thing: string, usual: string | null, more = '') => {
    const byDefault = usual === null ? '' : `. Default: ${usual}`;
    const description = `Slug of the ${thing}, as in the URL /changelog/TEAM/PRODUCT${byDefault}${more}`;
    return text({ pattern: SLUG_PATTERN, description }) as Field;
  };
  const all = product ? '; all products, if only team is given' : '. Default: all products of the team';
  const more = scope === 'either' ? all : '';
  const ofProduct = scope !== 'team' && { product: slug('product', product, more) };
  const needed = [...(team ? [] : ['team']), ...(scope === 'product' && !product ? ['product'] : [])];
  return {
    ...rest,
    required: [...needed, ...required],
    properties: { team: slug('team', team), ...ofProduct, ...properties },
  };
}

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
export function readArguments<T>(schema: ArgumentsSchema, value: unknown) {
  const refusal = (errorMessage: string) => ({ valid: false, data: undefined, errorMessage }) as const;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refusal('The arguments must be an object.');
  const given = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
  const validate = ajv.compile<T>(schema);
  if (validate(given)) return { valid: true, data: given, errorMessage: undefined } as const;
  const problems = new Set(validate.errors?.map((error) => describeError(error, schema.properties)));
  return refusal([...problems].slice(0, PROBLEMS_MAX).join(' '));
}

function describeError({ instancePath, params }: ErrorObject, fields: Fields): string {
  const { missingProperty: missing, additionalProperty: unknown } = params;
  if (missing !== undefined) return `${missing} is missing; it is required.`;
  const name = instancePath.slice(1);
  if (unknown === undefined) return `${name} must be ${expectedBy(fields[name] as Field)}.`;
  const known = Object.keys(fields);
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
