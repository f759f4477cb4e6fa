// The OpenAPI document (R35), from the tables that handle requests.
import type { Config } from '../../config.ts';
import { API_ERRORS, type ApiErrorCode } from '../../errors.ts';
import { describeApi } from '../../reference/openapi/document.ts';
import type { ErrorInput, OperationInput, OperationSurface } from '../../reference/openapi/inputs.ts';
import type { OpenApiDocument } from '../../reference/openapi/types.ts';
import { PACKAGE } from '../../root.ts';
import type { RoutedRead } from '../document.ts';
import { gateError } from '../guards/gate.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, ParameterError } from '../query/parameters.ts';
import type { ExampleSite } from '../read.ts';

export async function buildOpenApi({ config, site, reads }: DescribedContext): Promise<OpenApiDocument> {
  const { version, license } = PACKAGE;
  const gated = config.gate !== null;
  const operations = reads.map((routed) => describeRead(routed, site));
  return describeApi({
    baseUrl: site.baseUrl,
    version,
    license,
    rateLimit: config.publicRateLimit,
    rateWindowSeconds: config.publicRateWindowSeconds,
    maxAgeSeconds: config.publicMaxAgeSeconds,
    gated,
    operations: [...(await Promise.all(operations)).flat(), VERSION, DESCRIPTION],
    errors: (Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => errorInput(code, gated)),
  });
}

type DescribedContext = Readonly<{
  config: Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds' | 'publicMaxAgeSeconds' | 'gate'>;
  site: ExampleSite;
  reads: readonly RoutedRead[];
}>;

const SURFACE_TAGS: Readonly<Record<NonNullable<OperationSurface>, string>> = {
  public: 'Public',
  team: 'Authenticated',
  either: 'Gitea',
};

const VERSION: OperationInput = {
  pattern: '/api/v1/version',
  surface: 'either',
  tag: 'Gitea',
  operationId: 'getGiteaVersion',
  summary: 'The release of Gitea whose API this follows.',
  description: 'Clients of Gitea ask for it first. It is a semantic version.',
  parameters: [],
  contentType: JSON_TYPE,
  bodies: ['GiteaServerVersion'],
};

const DESCRIPTION: OperationInput = {
  pattern: '/api/openapi.json',
  surface: null,
  tag: 'Description',
  operationId: 'getDescription',
  summary: 'This OpenAPI 3.1 document.',
  description: 'The page at `/docs` shows the same for people.',
  parameters: [],
  contentType: JSON_TYPE,
  bodies: ['OpenApi'],
};

/** Returns nothing for pages. */
async function describeRead(
  { path, surface, read: { operation, parameters = {}, contentType } }: RoutedRead,
  site: ExampleSite,
): Promise<OperationInput[]> {
  if (operation === undefined || surface === 'pages' || surface === 'lists' || surface === 'open') return [];
  const { name, summary, description, bodies = [], example, publicTag } = operation;
  return [
    {
      pattern: path,
      surface,
      tag: (surface === 'public' && publicTag) || SURFACE_TAGS[surface],
      operationId: `get${surface === 'public' ? 'Public' : ''}${name}`,
      summary,
      description,
      parameters: Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter })),
      contentType,
      bodies,
      example: await example?.(path, site),
    },
  ];
}

/** Some errors have more than one message. */
const MORE_MESSAGES: Partial<Record<ApiErrorCode, (gated: boolean) => Record<string, string>>> = {
  bad_request: () => ({ parameter: new ParameterError('limit', FEED_PARAMETERS.limit).message }),
  unauthorized: (gated) => (gated ? { gate: gateError().message } : {}),
};

function errorInput(code: ApiErrorCode, gated: boolean): ErrorInput {
  const { status, message } = API_ERRORS[code];
  return { code, status, messages: { usual: message, ...MORE_MESSAGES[code]?.(gated) } };
}
