// The operations' responses: headers and bodies.
import type { ApiInput, ErrorInput, OperationInput } from './inputs.ts';
import { exampleOf, schemaOf } from './schemas.ts';
import { type Header, isRef, type MediaType, type Ref, type Response, refName } from './types.ts';

type HeaderName = keyof ReturnType<typeof describeHeaders>;

const text = { type: 'string' } as const;

function header(description: string, example: unknown, schema: NonNullable<Header['schema']> = text): Header {
  return { description, required: true, schema, example };
}

export function describeHeaders({ baseUrl, rateLimit, rateWindowSeconds, maxAgeSeconds, gated }: ApiInput) {
  return {
    ETag: header(
      'Identifies these bytes. Send it back in `If-None-Match` to get a 304 while they are the same.',
      '"FZeqeqrc6LOTfiQm4xOcL2y__HW"',
      { ...text, pattern: '^"[\\w-]+"$' },
    ),
    'Cache-Control': header(
      'Who may cache the response, and for how long. Errors are never cached.',
      gated ? 'private, no-cache' : `public, max-age=${maxAgeSeconds}`,
    ),
    Vary: header('The request headers that the response depends on.', 'Accept-Encoding'),
    Link: {
      description:
        'Related URLs: `rel="next"` is the next page, `rel="alternate"` is another format, and `rel="hub"` is where to subscribe to the feed at `rel="self"`.',
      required: false,
      schema: text,
      example: `<${baseUrl}/api/v1/public/teams/acme/products/rocket/changelog?limit=2&cursor=8V3L_JX3aaIswds3MjAyNi0wNS0wNFQwOTowMDowMC4wMDBaIHZlcl9h>; rel="next"`,
    },
    'X-Total-Count': header('The number of items on all pages.', 12, { type: 'integer', minimum: 0 }),
    RateLimit: header(
      'Requests left in this window (`r`), and seconds until it ends (`t`).',
      `"public";r=${rateLimit - 1};t=${rateWindowSeconds}`,
    ),
    'RateLimit-Policy': header(
      'Requests allowed per window (`q`), and its length in seconds (`w`).',
      `"public";q=${rateLimit};w=${rateWindowSeconds}`,
    ),
    'Retry-After': header('Seconds to wait before the next request.', 30, { type: 'integer', minimum: 1 }),
    Allow: header('The methods that are allowed.', 'GET, HEAD, OPTIONS'),
    'X-Request-Id': header(
      'Identifies the request in the log of the server. Include it when you report a problem.',
      '3f0c9a2e7f514a549d0e0b8f2c1d6e7a',
      { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' },
    ),
    'WWW-Authenticate': gated
      ? header(
          'The required credentials: the password of the gate (`Basic`) or an API key (`Bearer`).',
          'Basic realm="changelog", charset="UTF-8"',
        )
      : header('The required credentials: an API key.', 'Bearer realm="changelog"'),
  } satisfies Record<string, Header>;
}

function headers(...some: HeaderName[]): Record<string, Ref> {
  const names: HeaderName[] = [...some, 'X-Request-Id'];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Pages link to the next one, feeds to the other formats, and JSON of a changelog to its own domain (R60). */
function hasLinks(operation: OperationInput): boolean {
  const isPaged = hasParameter(operation, 'cursor') || hasParameter(operation, 'page');
  return isPaged || operation.tag === 'Feeds' || operation.bodies.includes('RangeEnvelope');
}

function hasParameter({ parameters }: OperationInput, wanted: string): boolean {
  return parameters.some(({ name }) => name === wanted);
}

function headersOf(operation: OperationInput): Record<string, Ref> {
  return headers(
    'ETag',
    'Cache-Control',
    'Vary',
    ...(hasLinks(operation) ? (['Link'] as const) : []),
    ...(hasParameter(operation, 'page') ? (['X-Total-Count'] as const) : []),
    ...(operation.surface === 'public' ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  );
}

export function describeSuccess(operation: OperationInput): Response {
  const [mediaType = ''] = operation.contentType.split(';');
  return {
    description: operation.summary,
    headers: headersOf(operation),
    content: { [mediaType]: describeBody(operation) },
  };
}

function describeBody({ bodies, example }: OperationInput): MediaType {
  if (bodies.length === 0)
    return { schema: text, ...(example !== undefined && { examples: { whole: { value: example } } }) };
  const schemas = bodies.map(schemaOf);
  const [only = text, ...others] = schemas;
  const examples = schemas.filter(isRef).map((schema) => [refName(schema), { value: exampleOf(schema) }]);
  return {
    // Not `oneOf`: an empty changelog matches both. Validators take the first match and drop fields it lacks, so the
    // one with more fields comes first.
    schema: others.length === 0 ? only : { anyOf: schemas.toReversed() },
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

export function describeUnchanged(operation: OperationInput): Response {
  return {
    description: 'The response with the ETag in `If-None-Match` is still current.',
    headers: headersOf(operation),
  };
}

export function describeHeadSuccess(operation: OperationInput): Response {
  return { description: 'GET would return 200.', headers: headersOf(operation) };
}

export function describeHeadError(): Response {
  return {
    description: 'The error that GET would return, without its body.',
    headers: headers('Cache-Control'),
  };
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  bad_request: 'The request is not valid HTTP/1.1, or a query parameter has an invalid value.',
  unauthorized: 'The API key is missing or not valid.',
  forbidden: 'The key belongs to another team, or may not read this product.',
  not_found: 'It does not exist, or is not visible here.',
  method_not_allowed: 'The method is not GET, HEAD or OPTIONS.',
  request_timeout: 'The request took too long to arrive.',
  precondition_failed: '`If-Match` does not contain the ETag of the current content.',
  uri_too_long: 'The path and the query together are too long.',
  rate_limited: 'The client has made too many public requests.',
  headers_too_large: 'There are too many headers, or they are too large.',
  internal_error: 'An unexpected error in the server.',
  unavailable: 'The database is down, or too many long responses are in progress.',
};
const GATE_TEXTS: Readonly<Record<string, string>> = {
  unauthorized: 'The password of the gate, or the API key, is missing or not valid.',
  rate_limited: 'The client has made too many public requests, or too many failed attempts at the gate.',
};
const MORE_HEADERS: Readonly<Record<string, readonly HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  rate_limited: ['Retry-After'],
  unavailable: ['Retry-After'],
};

export function describeError({ code, messages }: ErrorInput, gated: boolean): Response {
  const examples = Object.entries(messages).map(([name, message]) => [
    name,
    { value: { error: { code, message } } },
  ]);
  return {
    description: (gated ? GATE_TEXTS[code] : undefined) ?? ERROR_TEXTS[code] ?? code,
    headers: headers('Cache-Control', ...(MORE_HEADERS[code] ?? []), ...limitHeaders(code, gated)),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorBody' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** A client refused at the gate has not been counted by the limiter. */
function limitHeaders(code: string, gated: boolean): HeaderName[] {
  return code === 'rate_limited' && !gated ? ['RateLimit', 'RateLimit-Policy'] : [];
}

/** `rate_limited` → `RateLimited`. */
export function responseName(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
