// The OpenAPI document's introduction, in Markdown.
import type { ApiInput } from './inputs.ts';

export function introduce({ rateLimit, rateWindowSeconds, maxAgeSeconds, gated }: ApiInput): string {
  const sections: Readonly<Record<string, readonly string[]>> = {
    Surfaces: [
      'Teams have products, a product has a changelog, and a changelog has versions with changes. Two surfaces return the same records.',
      '- **Public**, under `/api/v1/public`: published versions, if their changelog and product are published and their team is public. Everything else looks exactly as if it did not exist.',
      '- **Authenticated**, under `/api/v1/teams`: everything that the API key may read, in any state.',
    ],
    Authentication: [
      `Send an API key as \`${gated ? 'X-API-Key: KEY' : 'Authorization: Bearer KEY'}\`. A \`FULL\` key reads all products of its team, a \`SELECT\` key only those attached to it.`,
      'The first check that fails decides the response: the key is active (401), it may read the product in the path (403), the resource exists (404).',
    ],
    ...(gated && {
      'The gate': [
        'This site is password protected. Everything under `/api`, including public routes, requires a user name and a password by HTTP Basic, and returns 401 without them.',
        'One `Authorization` header cannot contain both credentials. Send the password there and the key as `X-API-Key`, or the password as `Proxy-Authorization: Basic` and the key as `Authorization: Bearer`.',
      ],
    }),
    'Rate limit': [
      `A client may make ${rateLimit} public requests in ${rateWindowSeconds} seconds. \`RateLimit\` and \`RateLimit-Policy\` on every public response tell how many are left; over the limit the response is 429 with \`Retry-After\`. Authenticated requests have no limit.`,
    ],
    Caching: [
      `Every 200 has an \`ETag\`. Send it as \`If-None-Match\` to get 304 without a body while nothing has changed. ${gated ? 'Every response must be revalidated each time.' : `Public responses may be cached for ${maxAgeSeconds} seconds; authenticated ones must be revalidated each time.`} Responses are compressed with Brotli, Zstandard or gzip for clients that accept it.`,
    ],
    Errors: [
      'Every error has the same body. Decide by the status or by `error.code`; `error.message` is for people.',
    ],
    Methods: [
      'Everything is GET. HEAD returns the same status and headers without a body, OPTIONS returns 204 with `Allow`, and any other method is 405 with `Allow`. Unknown query parameters are ignored, except those that are almost known, such as `tpye`: like an invalid value, they are 400.',
    ],
  };
  return [
    'Reads product changelogs: no writes, no sessions, JSON in UTF-8.',
    ...Object.entries(sections).flatMap(([title, paragraphs]) => [`## ${title}`, ...paragraphs]),
  ].join('\n\n');
}
