// Records → JSON, by their schemas: the fields that a schema names, in its order, and no others.
import type { Schema } from '../domain/schema.ts';

type PickFields = (value: unknown) => unknown;
type ObjectSchema = Readonly<{ properties: Readonly<Record<string, Schema<unknown>>> }>;

/** Made once for each schema. */
export function recordWriter(schema: Schema<unknown>): (record: unknown) => string {
  const pick = pickBy(schema);
  return (record) => JSON.stringify(pick(record));
}

function pickBy(schema: Schema<unknown>): PickFields {
  if (schema.type === 'object') return pickFields(schema as ObjectSchema);
  if (schema.type !== 'array') return (value) => value;
  const pickItem = pickBy(schema.items as Schema<unknown>);
  return (value) => (value as unknown[]).map(pickItem);
}

function pickFields({ properties }: ObjectSchema): PickFields {
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, pick: pickBy(schema) }));
  return (value) => {
    const picked: Record<string, unknown> = {};
    for (const { name, pick } of fields) picked[name] = pick((value as Record<string, unknown>)[name]);
    return picked;
  };
}
