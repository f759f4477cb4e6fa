// The OpenAPI document (R35), from the tables that requests are handled by.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { Surface } from '../../domain/model.ts';
import { API_ERRORS, type ApiErrorCode } from '../../errors.ts';
import { describeApi, OpenApiBody } from '../../present/openapi/document.ts';
import { feedExamples } from '../../present/openapi/feed-examples.ts';
import type { ErrorInput, OperationInput, TagName } from '../../present/openapi/inputs.ts';
import type { OpenApiDocument } from '../../present/openapi/types.ts';
import { ROOT } from '../../root.ts';
import { gateError } from '../guards/gate.ts';
import { OPENAPI_PATH, PREFIXES } from '../pipeline/path.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { PARAMETERS, type Parameter, parameterError } from '../query/parameters.ts';
import type { Resource } from './read.ts';

export type OpenApiOptions = Readonly<{
  reads: readonly Resource[];
  config: Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds' | 'publicMaxAgeSeconds' | 'gate'>;
  baseUrl: string;
}>;

export function buildOpenApi({ reads, config, baseUrl }: OpenApiOptions): OpenApiDocument {
  const { version, license } = readPackage();
  const gated = config.gate !== null;
  const examples = feedExamples(baseUrl);
  return describeApi({
    baseUrl,
    version,
    license,
    rateLimit: config.publicRateLimit,
    rateWindowSeconds: config.publicRateWindowSeconds,
    maxAgeSeconds: config.publicMaxAgeSeconds,
    gated,
    operations: [
      ...(['public', 'team'] as const).flatMap((surface) =>
        reads
          .filter(({ surfaces }) => surfaces.includes(surface))
          .map((read) => ({
            ...operationInput(read, surface),
            example: examples[read.pattern.slice(read.pattern.lastIndexOf('/') + 1)],
          })),
      ),
      DESCRIPTION,
    ],
    errors: (Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => errorInput(code, gated)),
  });
}

const SURFACE_TAGS: Readonly<Record<Surface, TagName>> = { public: 'Public', team: 'Authenticated' };

const DESCRIPTION: OperationInput = {
  pattern: OPENAPI_PATH,
  surface: null,
  tag: 'Description',
  operationId: 'getDescription',
  summary: 'This OpenAPI 3.1 document.',
  description: 'The page at `/docs` shows the same for people.',
  parameters: [],
  contentType: JSON_TYPE,
  bodies: [OpenApiBody],
};

function operationInput(read: Resource, surface: Surface): OperationInput {
  const { name, summary, description, tag = SURFACE_TAGS[surface], contentType, bodies } = read;
  return {
    pattern: PREFIXES[surface] + read.pattern,
    surface,
    tag,
    operationId: `get${surface === 'public' ? 'Public' : ''}${name}`,
    summary,
    description,
    parameters: read.parameters.map((parameter) => ({
      name: parameter,
      ...(PARAMETERS[parameter] as Parameter),
    })),
    contentType,
    bodies,
  };
}

/** Some errors have more than one message. */
const MORE_MESSAGES: Partial<Record<ApiErrorCode, (gated: boolean) => Record<string, string>>> = {
  bad_request: () => ({ parameter: parameterError('limit').message }),
  unauthorized: (gated) => (gated ? { gate: gateError().message } : {}),
};

function errorInput(code: ApiErrorCode, gated: boolean): ErrorInput {
  const { status, message } = API_ERRORS[code];
  return { code, status, messages: { usual: message, ...MORE_MESSAGES[code]?.(gated) } };
}

function readPackage(): { version: string; license: string } {
  return JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
}
