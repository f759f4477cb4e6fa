// Checks every response in the tests against the OpenAPI document.
import assert from 'node:assert/strict';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readConfig } from '../../src/config.ts';
import { API_ERRORS } from '../../src/errors.ts';
import { OUTPUTS, READS } from '../../src/http/app.ts';
import { routePaths } from '../../src/http/pipeline/path.ts';
import { buildOpenApi } from '../../src/http/reads/documents.ts';
import {
  isRef,
  type OpenApiDocument,
  type Operation,
  type Response,
} from '../../src/reference/openapi/types.ts';

type CheckedResponse = Readonly<{
  method: string;
  url: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}>;

const ID = 'openapi';
/** As strict as generated clients: `2026-05-04` is not a date-time. */
export const FORMATS = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
};
const SERVER = 'https://changelog.test';
/** Of `routePaths`: pages, and links that lead to them. */
const PAGE =
  /^\/(?:changelog(?:\/|$)|(?:index\.md)?$|(?!api\/)[^/?]+\/[^/?]+(?:\/releases(?:\/latest)?)?$|(?!api\/)[^/]+\/[^/]+\/(?:releases\/tag|compare)(?:\/|$))/;

const pathOf = (url: string) => routePaths(url, '')[0] as string;

const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'x',
  PASSWORD_PROTECTION_PASSWORD: 'x',
};

/** With the gate off and on; each is created for the first response. */
const opened = new Map<boolean, ReturnType<typeof open>>();

const [documentOpen, documentGated] = await Promise.all(
  [{}, GATE].map((environment) =>
    buildOpenApi({
      reads: READS,
      config: readConfig(environment),
      site: { baseUrl: SERVER, outputs: OUTPUTS },
    }),
  ),
);

export function testedDocument({ gated = false } = {}): OpenApiDocument {
  return structuredClone((gated ? documentGated : documentOpen) as OpenApiDocument);
}

/** Fails unless the OpenAPI document allows this response for this request. */
export function assertDescribed(checked: CheckedResponse, { gated = false } = {}): void {
  const check = opened.get(gated) ?? open(gated);
  opened.set(gated, check);
  check(checked);
}

/** Compiles a schema inside the document, by its JSON pointer. */
export function schemaCompiler(document: OpenApiDocument): (pointer: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ allowUnionTypes: true, validateSchema: false, formats: FORMATS });
  // The document is not itself a schema.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, ID);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const segments = pointer.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const $ref = `${ID}#/${segments.join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate;
  };
}

function open(gated: boolean) {
  const document = testedDocument({ gated });
  const compile = schemaCompiler(withoutOtherFields(document));
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    expression: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  function assertError({ url, status, headers, body }: CheckedResponse, what: string): void {
    const isPage = PAGE.test(pathOf(url));
    assert.match(String(headers['content-type']), isPage ? /^text\/html/ : /^application\/json/, what);
    if (isPage) return;
    const { error } = assertValid(['components', 'schemas', 'ErrorBody'], body, what);
    const known = Object.entries(API_ERRORS).find(([code]) => code === error.code);
    assert.equal(known?.[1].status, status, what);
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever the body is.
  function assertValid(pointer: readonly string[], body: string, what: string): any {
    const value = JSON.parse(body);
    const validate = compile(pointer);
    assert.ok(
      validate(value),
      `${what} does not match its schema: ${JSON.stringify(validate.errors)}\n${body.slice(0, 500)}`,
    );
    return value;
  }

  function assertHeaders(response: Response, { headers }: CheckedResponse, what: string): void {
    for (const name of Object.keys(response.headers)) {
      if (document.components.headers[name]?.required)
        assert.ok(headers[name.toLowerCase()] !== undefined, `${what} has no ${name}`);
    }
  }

  return (checked: CheckedResponse): void => {
    const { method, url, status, headers, body } = checked;
    const what = `${method} ${url} → ${status}`;
    const path = paths.find(({ expression }) => expression.test(pathOf(url)))?.path;
    const operation = path === undefined ? undefined : operationOf(document, method, path);
    if (operation === undefined || path === undefined) {
      if (status >= 400 && body !== '') assertError(checked, what);
      return;
    }
    const found = operation.responses[status];
    assert.ok(found !== undefined, `${what} is not in the OpenAPI document`);
    const response = isRef(found) ? resolve(document, found.$ref) : found;
    assertHeaders(response, checked, what);
    if (method === 'HEAD') {
      assert.equal(body, '', what);
      return;
    }
    if (status >= 400) {
      assertError(checked, what);
      return;
    }
    const [mediaType = ''] = String(headers['content-type'] ?? '').split(';');
    assert.deepEqual(status === 304 ? [] : [mediaType], Object.keys(response.content ?? {}), what);
    // A compressed body is the same JSON.
    if (!/[/+]json$/.test(mediaType) || headers['content-encoding'] !== undefined) return;
    assertValid(
      ['paths', path, 'get', 'responses', String(status), 'content', mediaType, 'schema'],
      body,
      what,
    );
  };
}

function operationOf({ paths }: OpenApiDocument, method: string, path: string): Operation | undefined {
  if (method === 'GET') return paths[path]?.get;
  return method === 'HEAD' ? paths[path]?.head : undefined;
}

/** The document allows fields of later versions; this version must send none that the document does not have. */
function withoutOtherFields({ components, ...document }: OpenApiDocument): OpenApiDocument {
  const schemas = JSON.parse(JSON.stringify(components.schemas), (_, value) =>
    value?.type === 'object' && 'properties' in value ? { ...value, additionalProperties: false } : value,
  );
  return { ...document, components: { ...components, schemas } };
}

function resolve(document: OpenApiDocument, $ref: string): Response {
  const name = $ref.split('/').at(-1) ?? '';
  return document.components.responses[name] as Response;
}
