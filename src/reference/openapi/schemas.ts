// The schemas of bodies, and examples of them.
import type { RecordName } from '../../present/outputs/output.ts';
import records from '../../present/records.json' with { type: 'json' };
import { isRef, type JsonSchema, type Ref, refName } from './types.ts';

const SCHEMAS = records as Readonly<Record<RecordName, unknown>> as Readonly<Record<string, JsonSchema>>;
/** The document itself has no name in it. */
const { OpenApi, ...named } = SCHEMAS;

export const NAMED_SCHEMAS: Readonly<Record<string, JsonSchema>> = named;

export function schemaOf(name: RecordName): JsonSchema | Ref {
  return name in named ? { $ref: `#/components/schemas/${name}` } : (SCHEMAS[name] as JsonSchema);
}

/** A body built from the examples of its fields. */
export function exampleOf(schema: JsonSchema | Ref): unknown {
  if (isRef(schema)) return exampleOf(SCHEMAS[refName(schema)] as JsonSchema);
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
    );
  if (schema.type === 'array') return schema.maxItems === 0 ? [] : [exampleOf(schema.items)];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  return schema.const ?? schema.examples?.[0];
}
