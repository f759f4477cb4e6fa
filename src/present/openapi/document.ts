// The whole API as one OpenAPI 3.1 document.
import type { Schema } from '../../domain/schema.ts';
import { type ApiInput, TAGS } from './inputs.ts';
import { describeOperation, describeParameters, describePath, mayReturn } from './operations.ts';
import { describeError, describeHeaders, responseName } from './responses.ts';
import { describeSchemas } from './schemas.ts';
import { introduce } from './texts.ts';
import type { OpenApiDocument } from './types.ts';

const SECURITY_SCHEMES: OpenApiDocument['components']['securitySchemes'] = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the team, made with `changelog key create`.',
  },
  basicGate: {
    type: 'http',
    scheme: 'basic',
    description:
      'User name and password of the gate, where the site has one. `Proxy-Authorization` is read as well as `Authorization`.',
  },
  apiKeyBesideGate: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'The API key, where `Authorization` carries the credentials of the gate. Ignored while there is none.',
  },
};

/** What the operation that gives the description answers with. */
export const OpenApiBody: Schema<unknown> = {
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  required: ['openapi', 'info', 'paths', 'components'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.' },
    info: { type: 'object' },
    paths: { type: 'object' },
    components: { type: 'object' },
  },
};

export function describeApi(facts: ApiInput): OpenApiDocument {
  const { operations, errors, license } = facts;
  const used = operations.flatMap(({ bodies }) => bodies);
  const answered = errors.filter(({ code }) => operations.some((operation) => mayReturn(operation, code)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Changelog Read API',
      version: facts.version,
      summary: 'Publishes product changelogs.',
      description: introduce(facts),
      license: { name: license, identifier: license },
    },
    servers: [{ url: facts.baseUrl, description: 'This server.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      operations.map((operation) => [
        describePath(operation.pattern),
        { get: describeOperation(operation, errors) },
      ]),
    ),
    components: {
      schemas: describeSchemas(
        used,
        errors.map(({ code }) => code),
      ),
      parameters: describeParameters(operations),
      headers: describeHeaders(facts),
      responses: Object.fromEntries(
        answered.map((error) => [responseName(error.code), describeError(error)]),
      ),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
