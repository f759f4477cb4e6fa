// The answers of the operations: what stands in their headers, and what in their bodies.
import type { ApiInput, ErrorInput, OperationInput } from './inputs.ts';
import { exampleOf, nameOf, referTo } from './schemas.ts';
import type { Example, Header, MediaType, Ref, Response } from './types.ts';

type HeaderName =
  | 'ETag'
  | 'Cache-Control'
  | 'Vary'
  | 'Link'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'WWW-Authenticate';

const text = { type: 'string' } as const;

export function describeHeaders(facts: ApiInput): Record<HeaderName, Header> {
  const { rateLimit, rateWindowSeconds, maxAgeSeconds } = facts;
  return {
    ETag: {
      description: 'Stands for these bytes. Sent back in `If-None-Match`, it saves sending them again.',
      required: true,
      schema: { ...text, pattern: '^"[\\w-]+"$' },
      example: '"FZeqeqrc6LOTfiQm4xOcL2y__HW"',
    },
    'Cache-Control': {
      description: 'Who may keep the answer, and for how long. Errors are never kept.',
      required: true,
      schema: text,
      example: `public, max-age=${maxAgeSeconds}`,
    },
    Vary: {
      description: 'The headers of the request that the answer depends on.',
      required: true,
      schema: text,
      example: 'Accept-Encoding',
    },
    Link: {
      description:
        'Where to go on from here: with `rel="next"` the next page, with `rel="alternate"` the same in another format.',
      required: false,
      schema: text,
      example: `<${facts.baseUrl}/api/v1/public/teams/acme/products/rocket/changelog?limit=2&cursor=8V3L_JX3aaIswds3MjAyNi0wNS0wNFQwOTowMDowMC4wMDBaIHZlcl9h>; rel="next"`,
    },
    RateLimit: {
      description: 'Requests that are left (`r`), and the seconds until the count starts anew (`t`).',
      required: true,
      schema: text,
      example: `"public";r=${rateLimit - 1};t=${rateWindowSeconds}`,
    },
    'RateLimit-Policy': {
      description: 'Requests that are allowed (`q`) in a window of so many seconds (`w`).',
      required: true,
      schema: text,
      example: `"public";q=${rateLimit};w=${rateWindowSeconds}`,
    },
    'Retry-After': {
      description: 'Seconds to wait before asking again.',
      required: true,
      schema: { type: 'integer', minimum: 1 },
      example: 30,
    },
    'WWW-Authenticate': {
      description: 'Which credentials are wanted: an API key (`Bearer`), or those of the gate (`Basic`).',
      required: true,
      schema: text,
      example: 'Bearer realm="changelog"',
    },
  };
}

/** Lines of a response; an answer of the public surface says how the client stands. */
function headers(...names: HeaderName[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Pages lead to the next one, and feeds to the other formats. */
export function hasLinks({ parameters, tag }: OperationInput): boolean {
  return tag === 'Feeds' || parameters.some(({ name }) => name === 'cursor');
}

function headersOf(operation: OperationInput): Record<string, Ref> {
  return headers(
    'ETag',
    'Cache-Control',
    'Vary',
    ...(hasLinks(operation) ? (['Link'] as const) : []),
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
  const [only, ...others] = bodies;
  if (only === undefined)
    return { schema: text, ...(example !== undefined && { examples: { whole: { value: example } } }) };
  const examples = bodies.flatMap((schema): [string, Example][] => {
    const name = nameOf(schema);
    return name === undefined ? [] : [[name, { value: exampleOf(schema) }]];
  });
  return {
    // An empty changelog is an answer of either kind.
    schema: others.length === 0 ? referTo(only) : { anyOf: bodies.map(referTo) },
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

export function describeUnchanged(operation: OperationInput): Response {
  return {
    description: 'Nothing has changed since the answer with the ETag in `If-None-Match`.',
    headers: headersOf(operation),
  };
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  bad_request: 'The request is not HTTP/1.1, or a query parameter has a value that it does not take.',
  unauthorized: 'A credential is missing or not accepted: the API key, or the password of the gate.',
  forbidden: 'The key belongs to another team, or may not read this product.',
  not_found: 'There is no such thing, or the surface does not show it.',
  request_timeout: 'The request took too long to arrive.',
  uri_too_long: 'The path and the query are too long together.',
  rate_limited: 'The client has used up its public requests, or its wrong tries at the gate.',
  headers_too_large: 'The headers are too many or too large.',
  internal_error: 'Something is broken in the server.',
  unavailable: 'The database does not answer.',
};
const MORE_HEADERS: Readonly<Record<string, HeaderName>> = {
  unauthorized: 'WWW-Authenticate',
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
};

export function describeError({ code, messages }: ErrorInput): Response {
  const more = MORE_HEADERS[code];
  const examples = Object.entries(messages).map(([name, message]) => [
    name,
    { value: { error: { code, message } } },
  ]);
  return {
    description: ERROR_TEXTS[code] ?? code,
    headers: headers('Cache-Control', ...(more === undefined ? [] : [more])),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorBody' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** `rate_limited` → `RateLimited`. */
export function responseName(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
