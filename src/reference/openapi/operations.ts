// The operations and the parameters of their queries.
import type { Schema } from '../../domain/schema.ts';
import type { ApiInput, OperationInput, OperationSurface, ParameterInput, TagName } from './inputs.ts';
import {
  describeHeadError,
  describeHeadSuccess,
  describeSuccess,
  describeUnchanged,
  responseName,
} from './responses.ts';
import type { JsonSchema, Operation, Parameter, Ref, Response } from './types.ts';

const HEAD_TAG: TagName = 'HEAD';
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

export function describeOperation(operation: OperationInput, input: ApiInput): Operation {
  const { operationId, tag, summary, description } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf(operation, input.gated),
    parameters: parameterRefs(operation),
    responses: {
      200: describeSuccess(operation),
      304: describeUnchanged(operation),
      ...describeErrors(operation, input, (code) => ({
        $ref: `#/components/responses/${responseName(code)}`,
      })),
    },
  };
}

export function describeHead(operation: OperationInput, input: ApiInput): Operation {
  const { operationId, summary } = operation;
  return {
    operationId: operationId.replace(/^get/, 'head'),
    tags: [HEAD_TAG],
    summary: `${summary.replace(/\.$/, '')}: headers only.`,
    description: 'The same as GET, without a body.',
    security: securityOf(operation, input.gated),
    parameters: parameterRefs(operation),
    responses: {
      200: describeHeadSuccess(operation),
      304: describeUnchanged(operation),
      // Not `4XX` and `5XX`: some generators parse them as numbers.
      ...describeErrors(operation, input, describeHeadError),
    },
  };
}

function describeErrors(
  operation: OperationInput,
  { errors, gated }: ApiInput,
  describe: (code: string) => Response | Ref,
): Operation['responses'] {
  const possible = errors.filter(({ code }) => ERROR_PLACES[code]?.(operation, gated) ?? true);
  return Object.fromEntries(possible.map(({ code, status }) => [status, describe(code)]));
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
