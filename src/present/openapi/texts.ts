// What is true of all operations, in plain words: Markdown, a section each.
import type { ApiInput } from './inputs.ts';

export function introduce({ rateLimit, rateWindowSeconds, maxAgeSeconds }: ApiInput): string {
  const sections: Readonly<Record<string, readonly string[]>> = {
    Surfaces: [
      'Teams have products, a product has a changelog, and a changelog has versions with changes. They can be read on two surfaces with the same records.',
      '- **Public**, under `/api/v1/public`: what is published all the way up, the team included. Whatever is not is answered exactly as if it did not exist.',
      '- **Authenticated**, under `/api/v1/teams`: everything that the API key may read, whatever its state.',
    ],
    Authentication: [
      'Send an API key as `Authorization: Bearer KEY`. A `FULL` key reads all products of its team, a `SELECT` key those that are attached to it.',
      'The first of these that fails is the answer: is there an active key (401), may it read the product in the path (403), is there such a thing (404)?',
    ],
    'The gate': [
      'A site may be protected as a whole. Everything under `/api` then asks for a user name and a password by HTTP Basic first, public routes too, and answers 401 without them.',
      'One `Authorization` header cannot carry both. Send the password there and the key as `X-API-Key`, or the password as `Proxy-Authorization: Basic` and the key as `Authorization: Bearer`.',
    ],
    'Rate limit': [
      `A client may make ${rateLimit} public requests in ${rateWindowSeconds} seconds. \`RateLimit\` and \`RateLimit-Policy\` on every public answer say how things stand; over the limit the answer is 429 with \`Retry-After\`. Authenticated reads have no limit.`,
    ],
    Caching: [
      `Every 200 has an \`ETag\`. Send it as \`If-None-Match\`, and the answer is 304 without a body while nothing has changed. Public answers may be kept for ${maxAgeSeconds} seconds; authenticated ones, and all behind the gate, must be asked for each time. Answers are compressed with Brotli, Zstandard or gzip for clients that say so.`,
    ],
    Errors: [
      'Every error has the same body. Decide by the status or by `error.code`; `error.message` is for people.',
    ],
    Methods: [
      'Everything is GET. HEAD answers the same without a body, OPTIONS answers 204 with `Allow`, and any other method is 405. A query parameter that is not listed is ignored; one with a value that it does not take is 400.',
    ],
  };
  return [
    'Reads product changelogs: no writes, no sessions, JSON in UTF-8.',
    ...Object.entries(sections).flatMap(([title, paragraphs]) => [`## ${title}`, ...paragraphs]),
  ].join('\n\n');
}
