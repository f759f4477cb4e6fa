// The records' named schemas, with references between them.
import type { Schema } from '../../domain/schema.ts';
import { Badge } from '../../present/badge.ts';
import {
  GiteaRelease,
  GiteaReleases,
  GiteaServerVersion,
  GiteaTag,
  GiteaTags,
} from '../../present/gitea/schemas.ts';
import { JsonFeed, JsonFeedItem } from '../../present/outputs/json-feed.ts';
import { ErrorBody, NAMED_SCHEMAS } from '../../present/schemas.ts';
import type { JsonSchema, Ref } from './types.ts';

const GITEA_SCHEMAS = { GiteaReleases, GiteaRelease, GiteaTags, GiteaTag, GiteaServerVersion };

const NAMES = new Map<unknown, string>(
  Object.entries({ ...NAMED_SCHEMAS, JsonFeed, JsonFeedItem, Badge, ...GITEA_SCHEMAS, ErrorBody }).map(
    ([name, schema]) => [schema, name],
  ),
);

/** A reference if the schema has a name, otherwise the schema with references inside. */
export function referTo(schema: Schema<unknown>): JsonSchema | Ref {
  const name = NAMES.get(schema);
  return name === undefined ? withReferences(schema) : { $ref: `#/components/schemas/${name}` };
}

export function nameOf(schema: Schema<unknown>): string | undefined {
  return NAMES.get(schema);
}

/** All named schemas that these use, in the table's order. */
export function describeSchemas(
  used: readonly Schema<unknown>[],
  codes: readonly string[],
): Record<string, JsonSchema> {
  const reached = new Set<unknown>();
  for (const schema of used) reach(schema, reached);
  const described: Record<string, JsonSchema> = {};
  for (const [schema, name] of NAMES)
    if (reached.has(schema)) described[name] = withReferences(schema as Schema<unknown>);
  return { ...described, ErrorBody: withReferences(errorSchema(codes)) };
}

/** A record built from the examples of its fields. */
export function exampleOf(schema: Schema<unknown>): unknown {
  if (schema.type === 'object') return mapFields(schema, exampleOf);
  if (schema.type === 'array')
    return schema.maxItems === 0 ? [] : [exampleOf(schema.items as Schema<unknown>)];
  if (schema.anyOf) return exampleOf(alternatives(schema)[0] as Schema<unknown>);
  return schema.const ?? (schema.examples as unknown[] | undefined)?.[0];
}

function withReferences(schema: Schema<unknown>): JsonSchema {
  if (schema.type === 'array')
    return { ...schema, type: 'array', items: referTo(schema.items as Schema<unknown>) };
  if (schema.type === 'object') {
    // Later versions may add fields, which generated clients must accept.
    const { additionalProperties: _, ...open } = schema;
    return { ...open, properties: mapFields(schema, referTo) };
  }
  if (schema.anyOf) return { ...schema, anyOf: alternatives(schema).map(referTo) };
  return schema as JsonSchema;
}

function reach(schema: Schema<unknown>, reached: Set<unknown>): void {
  reached.add(schema);
  if (schema.type === 'array') reach(schema.items as Schema<unknown>, reached);
  if (schema.type === 'object') mapFields(schema, (field) => reach(field, reached));
  for (const each of alternatives(schema)) reach(each, reached);
}

const alternatives = ({ anyOf = [] }: Schema<unknown>) => anyOf as readonly Schema<unknown>[];

function mapFields<T>(schema: Schema<unknown>, map: (field: Schema<unknown>) => T): Record<string, T> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema<unknown>>);
  return Object.fromEntries(fields.map(([name, field]) => [name, map(field)]));
}

/** Adds the codes, which the schema does not list. */
function errorSchema(codes: readonly string[]): Schema<unknown> {
  const { error } = ErrorBody.properties as Record<'error', Schema<unknown>>;
  const { code, message } = error.properties as Record<'code' | 'message', Schema<unknown>>;
  const withCodes = { ...error, properties: { code: { ...code, enum: [...codes] }, message } };
  return { ...ErrorBody, properties: { error: withCodes } };
}
