// The API as an OpenAPI 3.1 document. What does not follow from the operations is in `api.json`, and what the gate changes of
// it in `gate.json`; settings are filled in.
import api from './api.json' with { type: 'json' };
import gate from './gate.json' with { type: 'json' };
import type { ApiInput } from './inputs.ts';
import { describeOperations, describePath, describeQueryParameters } from './operations.ts';
import { describeError, NAMED_SCHEMAS, responseName } from './responses.ts';
import type { OpenApiDocument, Response } from './types.ts';

const LEAD = 'Reads product changelogs: no writes, no sessions, JSON in UTF-8.';

type Components = OpenApiDocument['components'];
type Constants = Pick<Components, 'parameters' | 'headers' | 'responses' | 'securitySchemes'> &
  Readonly<{
    title: string;
    summary: string;
    /** Paragraphs of the introduction; a section without any is left out. */
    sections: Readonly<Record<string, readonly string[]>>;
    tags: OpenApiDocument['tags'];
  }>;

export function describeApi(input: ApiInput): OpenApiDocument {
  const { operations, errors, license } = input;
  const { title, summary, sections, tags, parameters, headers, responses, securitySchemes } =
    constantsFor(input);
  const paragraphs = Object.entries(sections)
    .filter(([, texts]) => texts.length > 0)
    .flatMap(([section, texts]) => [`## ${section}`, ...texts]);
  const isInPath = ([, each]: [string, Components['parameters'][string]]) => each.in === 'path';
  const constants = Object.entries(parameters);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: input.version,
      summary,
      description: [LEAD, ...paragraphs].join('\n\n'),
      license: { name: license, identifier: license },
    },
    servers: [{ url: input.baseUrl, description: 'This server.' }],
    tags,
    paths: Object.fromEntries(
      operations.map((operation) => [describePath(operation.pattern), describeOperations(operation, input)]),
    ),
    components: {
      schemas: NAMED_SCHEMAS,
      parameters: Object.fromEntries([
        ...constants.filter(isInPath),
        ...describeQueryParameters(operations),
        ...constants.filter((each) => !isInPath(each)),
      ]),
      headers,
      responses: Object.fromEntries(
        errors.map((error) => {
          const name = responseName(error.code);
          return [name, describeError(responses[name] as Response, error)];
        }),
      ),
      securitySchemes,
    },
  };
}

function constantsFor({ gated, ...settings }: ApiInput): Constants {
  const changed = gated ? gate : { sections: {}, headers: {}, responses: {} };
  const constants = {
    ...api,
    ...(gated && { securitySchemes: gate.securitySchemes }),
    sections: { ...api.sections, ...changed.sections },
    headers: { ...api.headers, ...changed.headers },
    responses: { ...api.responses, ...changed.responses },
  };
  const { baseUrl, rateLimit, rateWindowSeconds, maxAgeSeconds } = settings;
  const values = { baseUrl, rateLimit, rateLeft: rateLimit - 1, rateWindowSeconds, maxAgeSeconds };
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => String(value)),
    JSON.stringify(constants),
  );
  return JSON.parse(filled);
}
