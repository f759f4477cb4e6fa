// The description of the API (R35), from the tables that requests are answered with.
import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Surface } from '../../domain/model.ts';
import { API_ERRORS, type ApiErrorCode } from '../../errors.ts';
import { describeApi, OpenApiBody } from '../../present/openapi/document.ts';
import { feedExamples } from '../../present/openapi/feed-examples.ts';
import type { ErrorInput, OperationInput, TagName } from '../../present/openapi/inputs.ts';
import type { OpenApiDocument } from '../../present/openapi/types.ts';
import { gateError } from '../guards/gate.ts';
import { PARAMETERS, type Parameter, parameterError } from '../query/parameters.ts';
import { OPENAPI_PATH, OPENAPI_TYPE } from './documents.ts';
import type { Resource } from './read-route.ts';
import { READ_TEXTS } from './read-texts.ts';

export type OpenApiOptions = Readonly<{
  reads: readonly Resource[];
  prefixes: Readonly<Record<Surface, string>>;
  config: Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds' | 'publicMaxAgeSeconds'>;
  baseUrl: string;
}>;

export function buildOpenApi({ reads, prefixes, config, baseUrl }: OpenApiOptions): OpenApiDocument {
  const { version, license } = readPackage();
  const examples = feedExamples(baseUrl);
  return describeApi({
    baseUrl,
    version,
    license,
    rateLimit: config.publicRateLimit,
    rateWindowSeconds: config.publicRateWindowSeconds,
    maxAgeSeconds: config.publicMaxAgeSeconds,
    operations: [
      ...(['public', 'team'] as const).flatMap((surface) =>
        reads
          .filter(({ surfaces }) => surfaces.includes(surface))
          .map((read) => ({
            ...readFacts(read, surface, prefixes[surface]),
            example: examples[nameOf(read)],
          })),
      ),
      DESCRIPTION,
    ],
    errors: (Object.keys(API_ERRORS) as ApiErrorCode[]).map(errorFacts),
  });
}

const SURFACE_TAGS: Readonly<Record<Surface, TagName>> = { public: 'Public', team: 'Authenticated' };

const DESCRIPTION: OperationInput = {
  pattern: OPENAPI_PATH,
  surface: null,
  tag: 'Description',
  operationId: 'getDescription',
  summary: 'This description, as OpenAPI 3.1.',
  description: 'For people, the same is a page at `/docs`.',
  parameters: [],
  contentType: OPENAPI_TYPE,
  bodies: [OpenApiBody],
};

function readFacts(read: Resource, surface: Surface, prefix: string): OperationInput {
  const text = READ_TEXTS[read.pattern];
  if (text === undefined)
    throw new Error(`${read.pattern} has no text in http/routes/read-texts.ts: add one.`);
  const { name, summary, description, tag = SURFACE_TAGS[surface] } = text;
  return {
    pattern: prefix + read.pattern,
    surface,
    tag,
    operationId: `get${surface === 'public' ? 'Public' : ''}${name}`,
    summary,
    description,
    parameters: read.parameters.map((parameter) => ({
      name: parameter,
      ...(PARAMETERS[parameter] as Parameter),
    })),
    contentType: read.contentType,
    bodies: read.answers,
  };
}

/** The last part of the address. */
function nameOf({ pattern }: Resource): string {
  return pattern.slice(pattern.lastIndexOf('/') + 1);
}

/** Some errors are said in several ways. */
const MORE_MESSAGES: Partial<Record<ApiErrorCode, () => Record<string, string>>> = {
  bad_request: () => ({ parameter: parameterError('limit').message }),
  unauthorized: () => ({ gate: gateError().message }),
};

function errorFacts(code: ApiErrorCode): ErrorInput {
  const { status, message } = API_ERRORS[code];
  return { code, status, messages: { usual: message, ...MORE_MESSAGES[code]?.() } };
}

function readPackage(): { version: string; license: string } {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
}
