// The operations and the parameters of their queries.
import type { Schema } from '../../domain/schema.ts';
import type { ApiInput, OperationInput, OperationSurface, ParameterInput } from './inputs.ts';
import { contentOf, headerRefs, headersOf, responseName } from './responses.ts';
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from './types.ts';

const HEADERS = ['If-None-Match', 'If-Match'];

/** Where an error may occur; unlisted ones may occur anywhere. */
const ERROR_PLACES: Readonly<Record<string, (operation: OperationInput, gated: boolean) => boolean>> = {
  unauthorized: ({ surface }, gated) => acceptsKey(surface) || gated,
  // Where a key is optional, one for something else reads as anyone does.
  forbidden: ({ surface, pattern }) => surface === 'team' && hasParameters(pattern),
  not_found: ({ surface, pattern }) => surface !== null && hasParameters(pattern),
  // Authenticated requests have no limit; the gate limits failed attempts.
  rate_limited: ({ surface }, gated) => surface === 'public' || surface === 'either' || gated,
  unavailable: ({ surface }) => surface !== null,
};

function acceptsKey(surface: OperationSurface): boolean {
  return surface === 'team' || surface === 'either';
}

/** One of these is enough; `{}` is none. */
function securityOf({ surface }: OperationInput, gated: boolean): Operation['security'] {
  const withKey = gated ? { basicGate: [], apiKeyBesideGate: [] } : { bearerAuth: [] };
  if (surface === 'team') return [withKey];
  if (surface === 'either') return [gated ? { basicGate: [] } : {}, withKey];
  return gated ? [{ basicGate: [] }] : [];
}

const hasParameters = (pattern: string) => pattern.includes(':');

const namesIn = (pattern: string) => [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => nameOf(name));

/** By its name in the pattern of a route. */
const nameOf = (name: string) => (name === 'team' || name === 'product' ? `${name}Slug` : name);

export function describePath(pattern: string): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => `{${nameOf(name)}}`);
}

/** GET, and the same without a body. */
export function describeOperations(
  operation: OperationInput,
  { errors, gated }: ApiInput,
): OpenApiDocument['paths'][string] {
  const { operationId, tag, summary, description } = operation;
  const headers = headersOf(operation);
  const both = { security: securityOf(operation, gated), parameters: parameterRefs(operation) };
  const unchanged = {
    description: 'The response with the ETag in `If-None-Match` is still current.',
    headers,
  };
  const possible = errors.filter(({ code }) => ERROR_PLACES[code]?.(operation, gated) ?? true);
  const errorsAs = <T>(describe: (code: string) => T) =>
    Object.fromEntries(possible.map(({ code, status }) => [status, describe(code)]));
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      description,
      ...both,
      responses: {
        200: { description: summary, headers, content: contentOf(operation) },
        304: unchanged,
        ...errorsAs((code) => ({ $ref: `#/components/responses/${responseName(code)}` })),
      },
    },
    head: {
      operationId: operationId.replace(/^get/, 'head'),
      tags: ['HEAD'],
      summary: `${summary.replace(/\.$/, '')}: headers only.`,
      description: 'The same as GET, without a body.',
      ...both,
      responses: {
        200: { description: 'GET would return 200.', headers },
        304: unchanged,
        // Not `4XX` and `5XX`: some generators parse them as numbers.
        ...errorsAs(() => ({
          description: 'The error that GET would return, without its body.',
          headers: headerRefs('Cache-Control'),
        })),
      },
    },
  };
}

function parameterRefs({ pattern, parameters }: OperationInput): Operation['parameters'] {
  return [...namesIn(pattern), ...parameters.map(componentOf), ...HEADERS].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}

const componentOf = ({ name, component = name }: ParameterInput) => component;

/** Each with its name in the document. */
export function describeQueryParameters(operations: readonly OperationInput[]): Map<string, Parameter> {
  return new Map(
    operations.flatMap(({ parameters }) =>
      parameters.map((each) => [componentOf(each), describeQueryParameter(each)] as const),
    ),
  );
}

function describeQueryParameter({
  name,
  schema,
  repeatable,
  description,
  example,
}: ParameterInput): Parameter {
  const value = example === undefined ? undefined : parseExample(schema, example);
  const items = schema as JsonSchema;
  return {
    name,
    in: 'query',
    required: false,
    description,
    ...(repeatable ? { schema: { type: 'array', items }, style: 'form', explode: true } : { schema: items }),
    ...(value !== undefined && { example: repeatable ? [value] : value }),
  };
}

/** Examples are text, as in URLs. */
function parseExample({ type }: Schema<unknown>, example: string): unknown {
  return type === 'integer' || type === 'boolean' ? JSON.parse(example) : example;
}
