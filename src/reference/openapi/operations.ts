// The operations and their shared parameters.
import { SLUG_PATTERN } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';
import type { ApiInput, OperationInput, ParameterInput, TagName } from './inputs.ts';
import {
  describeHeadError,
  describeHeadSuccess,
  describeSuccess,
  describeUnchanged,
  responseName,
} from './responses.ts';
import { acceptsKey, securityOf } from './security.ts';
import type { JsonSchema, Operation, Parameter, Ref, Response } from './types.ts';

const SLUG: JsonSchema = { type: 'string', pattern: SLUG_PATTERN, minLength: 1, maxLength: 64 };

function inPath(name: string, description: string, more: Pick<Parameter, 'schema' | 'example' | 'examples'>) {
  return { name, in: 'path', required: true, description, ...more };
}

/** By their names in route patterns. */
const PATH_PARAMETERS: Readonly<Record<string, Parameter>> = {
  team: inPath('teamSlug', 'The team that owns the product.', { schema: SLUG, example: 'acme' }),
  product: inPath('productSlug', 'The product of the changelog.', { schema: SLUG, example: 'rocket' }),
  versionId: inPath(
    'versionId',
    'The version: its id, its label, or `latest` for the highest published version that is neither a prerelease nor yanked. An id takes precedence over a label.',
    {
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      examples: {
        latest: { value: 'latest' },
        label: { value: '2.1.0' },
        id: { value: 'ver_01a1dcf6ff237691a9ced31f0cd2217a' },
      },
    },
  ),
  tag: inPath('tag', 'The label of the version.', {
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: '2.1.0',
  }),
  id: inPath('id', 'The `id` of a release in another response.', {
    schema: { type: 'integer', minimum: 0 },
  }),
};

/** No examples: valid values come only from responses. */
const HEADER_PARAMETERS: readonly Parameter[] = Object.entries({
  'If-None-Match':
    'The `ETag` of an earlier response, or several: while it is still current, the response is 304 without a body.',
  'If-Match':
    'The `ETag` of an earlier response, or several: unless one is still current, the response is 412.',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
}));

export const HEAD_TAG: TagName = 'HEAD';

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

const hasParameters = (pattern: string) => pattern.includes(':');

export function describePath(pattern: string): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => `{${PATH_PARAMETERS[name]?.name}}`);
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
  const possible = errors.filter(({ code }) => mayReturn(operation, code, gated));
  return Object.fromEntries(possible.map(({ code, status }) => [status, describe(code)]));
}

function parameterRefs(operation: OperationInput): Operation['parameters'] {
  const names = pathNames(operation).map((name) => PATH_PARAMETERS[name]?.name ?? name);
  const inQuery = operation.parameters.map(componentOf);
  const inHeader = HEADER_PARAMETERS.map(({ name }) => name);
  return [...names, ...inQuery, ...inHeader].map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const componentOf = ({ name, component = name }: ParameterInput) => component;

export function mayReturn(operation: OperationInput, code: string, gated: boolean): boolean {
  return ERROR_PLACES[code]?.(operation, gated) ?? true;
}

export function describeParameters(operations: readonly OperationInput[]): Record<string, Parameter> {
  const inPaths = new Set(operations.flatMap(pathNames));
  const inQueries = new Map(
    operations.flatMap(({ parameters }) => parameters.map((each) => [componentOf(each), each])),
  );
  return {
    ...Object.fromEntries(
      Object.entries(PATH_PARAMETERS)
        .filter(([name]) => inPaths.has(name))
        .map(([, parameter]) => [parameter.name, parameter]),
    ),
    ...Object.fromEntries(
      [...inQueries].map(([name, parameter]) => [name, describeQueryParameter(parameter)]),
    ),
    ...Object.fromEntries(HEADER_PARAMETERS.map((parameter) => [parameter.name, parameter])),
  };
}

function pathNames({ pattern }: OperationInput): string[] {
  return [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
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
