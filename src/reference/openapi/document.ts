// The API as an OpenAPI 3.1 document.
import { type ApiInput, TAGS } from './inputs.ts';
import {
  describeHead,
  describeOperation,
  describeParameters,
  describePath,
  HEAD_TAG,
  mayReturn,
} from './operations.ts';
import { describeError, describeHeaders, responseName } from './responses.ts';
import { NAMED_SCHEMAS } from './schemas.ts';
import { securitySchemes } from './security.ts';
import { introduce } from './texts.ts';
import type { OpenApiDocument } from './types.ts';

export function describeApi(input: ApiInput): OpenApiDocument {
  const { operations, errors, license, gated } = input;
  const returned = errors.filter(({ code }) =>
    operations.some((operation) => mayReturn(operation, code, gated)),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Changelog Read API',
      version: input.version,
      summary: 'Publishes product changelogs.',
      description: introduce(input),
      license: { name: license, identifier: license },
    },
    servers: [{ url: input.baseUrl, description: 'This server.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => name === HEAD_TAG || operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      operations.map((operation) => [
        describePath(operation.pattern),
        { get: describeOperation(operation, input), head: describeHead(operation, input) },
      ]),
    ),
    components: {
      schemas: NAMED_SCHEMAS,
      parameters: describeParameters(operations),
      headers: describeHeaders(input),
      responses: Object.fromEntries(
        returned.map((error) => [responseName(error.code), describeError(error, gated)]),
      ),
      securitySchemes: securitySchemes(gated),
    },
  };
}
