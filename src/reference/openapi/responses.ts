// The operations' responses: headers and bodies, with their schemas and examples.
import type { RecordName } from '../../present/outputs/output.ts';
import records from '../../present/records.json' with { type: 'json' };
import type { ErrorInput, OperationInput } from './inputs.ts';
import { isRef, type JsonSchema, type Ref, type Response, refName } from './types.ts';

const text = { type: 'string' } as const;

/** By their names in `api.json`. */
export function headerRefs(...some: readonly string[]): Record<string, Ref> {
  return Object.fromEntries(
    [...some, 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Pages link to the next one, feeds to the other formats, and JSON of a changelog to its own domain (R60). */
function hasLinks(operation: OperationInput): boolean {
  const isPaged = hasParameter(operation, 'cursor') || hasParameter(operation, 'page');
  return isPaged || operation.tag === 'Feeds' || operation.bodies.includes('RangeEnvelope');
}

function hasParameter({ parameters }: OperationInput, wanted: string): boolean {
  return parameters.some(({ name }) => name === wanted);
}

export function headersOf(operation: OperationInput): Record<string, Ref> {
  return headerRefs(
    'ETag',
    'Cache-Control',
    'Vary',
    ...(hasLinks(operation) ? ['Link'] : []),
    ...(hasParameter(operation, 'page') ? ['X-Total-Count'] : []),
    ...(operation.surface === 'public' ? ['RateLimit', 'RateLimit-Policy'] : []),
  );
}

export function contentOf({
  contentType,
  bodies,
  example,
}: OperationInput): NonNullable<Response['content']> {
  const [mediaType = ''] = contentType.split(';');
  const schemas = bodies.map(schemaOf);
  const [only = text, ...others] = schemas;
  const examples = schemas.filter(isRef).map((schema) => [refName(schema), { value: exampleOf(schema) }]);
  if (example !== undefined) examples.push(['whole', { value: example }]);
  // Not `oneOf`: an empty changelog matches both. Validators take the first match and drop fields it lacks, so the one
  // with more fields comes first.
  const schema = others.length === 0 ? only : { anyOf: schemas.toReversed() };
  return {
    [mediaType]: { schema, ...(examples.length > 0 && { examples: Object.fromEntries(examples) }) },
  };
}

/** With a body for each of its messages. */
export function describeError(response: Response, { code, messages }: ErrorInput): Response {
  const examples = Object.entries(messages).map(([name, message]) => [
    name,
    { value: { error: { code, message } } },
  ]);
  return {
    ...response,
    content: {
      'application/json': { schema: schemaOf('ErrorBody'), examples: Object.fromEntries(examples) },
    },
  };
}

/** `rate_limited` → `RateLimited`. */
export function responseName(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

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
