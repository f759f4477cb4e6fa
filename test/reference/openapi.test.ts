import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Version } from '../../client/records.d.ts';
import { readConfig } from '../../src/config.ts';
import { SLUG_PATTERN } from '../../src/domain/model.ts';
import { API_ERRORS } from '../../src/errors.ts';
import { buildApp, READS } from '../../src/http/app.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { presentVersion } from '../../src/present/changelog.ts';
import { GITEA_VERSION } from '../../src/present/gitea/records.ts';
import { exampleRows } from '../../src/reference/example.ts';
import { describePath } from '../../src/reference/openapi/operations.ts';
import { exampleOf, schemaOf } from '../../src/reference/openapi/responses.ts';
import { isRef, type Response, refName } from '../../src/reference/openapi/types.ts';
import type { Source } from '../../src/store/source/source.ts';
import { renderAtOnce } from '../../src/text/parse.ts';
import { renderMarkdown } from '../../support/content/texts.ts';
import { assertDescribed, FORMATS, schemaCompiler, testedDocument } from '../../support/program/openapi.ts';

const DOCUMENT = testedDocument();
const OPERATIONS = Object.entries(DOCUMENT.paths).map(([path, { get }]) => ({ path, ...get }));
const { components } = DOCUMENT;
/** Tools send the examples of parameters, and a made-up value for these would be wrong. */
const ONLY_FROM_RESPONSES = ['cursor', 'id', 'If-None-Match', 'If-Match'];

describe('the OpenAPI document', () => {
  it('the OpenAPI document passes the strict rules of Redocly without a warning', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = JSON.stringify(DOCUMENT);
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });

  it('the linter finds an error in a broken document', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const { license: _, ...info } = DOCUMENT.info;
    const source = JSON.stringify({ ...DOCUMENT, info });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    assert.ok(problems.some(({ ruleId }) => ruleId === 'info-license'));
  });

  it('the OpenAPI document has every route of the API', () => {
    const log = createLog('silent', { write: () => {} });
    const source = { onTouched: () => {} } as unknown as Source;
    const { routes } = buildApp({ config: readConfig({}), source, log });
    const served = routes.map(({ path }) => path).filter((path) => path.startsWith('/api/'));
    assert.deepEqual(OPERATIONS.map(({ path }) => path).sort(), served.map(describePath).sort());
  });

  it('every operation has its security, parameters and responses', () => {
    for (const { path, operationId, tags, summary, description, security, responses } of OPERATIONS) {
      assert.match(operationId, /^get[A-Z]\w+$/);
      assert.ok(DOCUMENT.tags.some(({ name }) => name === tags[0]));
      assert.match(summary, /\.$/);
      assert.match(description, /\.$/);
      const isTeam = path.startsWith('/api/v1/teams/');
      const isGitea = tags[0] === 'Gitea';
      assert.equal(isGitea, /^\/api\/v1\/(?:repos|version)\b/.test(path), path);
      const withKey = [{ bearerAuth: [] }];
      assert.deepEqual(security, isTeam ? withKey : isGitea ? [{}, ...withKey] : [], path);
      for (const status of ['200', '304', '400', '405', '408', '414', '431', '500'])
        assert.ok(status in responses, `${path} ${status}`);
      const hasProduct = path.includes('{');
      assert.equal('401' in responses, isTeam || isGitea, path);
      assert.equal('403' in responses, isTeam && hasProduct, path);
      assert.equal('404' in responses, hasProduct, path);
      assert.equal('429' in responses, path.startsWith('/api/v1/public/') || isGitea, path);
      assert.equal('503' in responses, path.startsWith('/api/v1/'), path);
    }
  });

  it('the OpenAPI document mentions the gate only if it is on', () => {
    const { paths, components, info } = testedDocument({ gated: true });
    assert.deepEqual(Object.keys(components.securitySchemes), ['basicGate', 'apiKeyBesideGate']);
    for (const [path, { get }] of Object.entries(paths)) {
      const isTeam = path.startsWith('/api/v1/teams/');
      const password = { basicGate: [] };
      const withKey = { ...password, apiKeyBesideGate: [] };
      const isGitea = get.tags[0] === 'Gitea';
      assert.deepEqual(get.security, isTeam ? [withKey] : isGitea ? [password, withKey] : [password], path);
      assert.ok('401' in get.responses && '429' in get.responses, path);
    }
    assert.match(info.description, /^## The gate$/m);
    assert.deepEqual(Object.keys(DOCUMENT.components.securitySchemes), ['bearerAuth']);
    assert.doesNotMatch(JSON.stringify(DOCUMENT), /gate\b|X-API-Key|password/i);
  });

  it('every operation accepts If-None-Match and If-Match, HEAD equals GET without bodies, and every response has an X-Request-Id', () => {
    for (const [path, { get, head }] of Object.entries(DOCUMENT.paths)) {
      const names = get.parameters.map(refName);
      assert.ok(names.includes('If-None-Match') && names.includes('If-Match'), path);
      assert.deepEqual([head.parameters, head.security], [get.parameters, get.security]);
      assert.equal(head.operationId, get.operationId.replace('get', 'head'));
      assert.deepEqual((head.responses[200] as Response).headers, (get.responses[200] as Response).headers);
      assert.deepEqual(head.responses[304], get.responses[304]);
      assert.deepEqual(Object.keys(head.responses), Object.keys(get.responses));
      for (const response of Object.values(head.responses)) assert.ok(!('content' in response), path);
    }
    const described = Object.values(DOCUMENT.paths).flatMap(({ get, head }) => [get, head]);
    const responses = described
      .flatMap((each) => Object.values(each.responses))
      .filter((each) => !isRef(each));
    for (const { headers } of [...(responses as Response[]), ...Object.values(components.responses)])
      assert.ok('X-Request-Id' in headers);
    assert.ok('Allow' in (components.responses.MethodNotAllowed?.headers ?? {}));
  });

  it('every error has an example', () => {
    const { properties } = components.schemas.ErrorBody as {
      properties: { error: { properties: { code: { enum: string[] } } } };
    };
    assert.deepEqual(properties.error.properties.code.enum, Object.keys(API_ERRORS));
    const shown = Object.values(components.responses).flatMap(({ content }) =>
      Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value),
    ) as { error: { code: string } }[];
    const codes = new Set(shown.map(({ error }) => error.code));
    assert.deepEqual([...codes].sort(), Object.keys(API_ERRORS).sort());
  });

  it('parameters are those of the server, with their schemas', () => {
    const inQuery = Object.values(components.parameters).filter((parameter) => parameter.in === 'query');
    for (const { name, schema } of inQuery) {
      const known = READS.flatMap(({ read }) => read.parameters?.[name]?.schema ?? []);
      const described = JSON.stringify(schema.type === 'array' ? schema.items : schema);
      assert.ok(known.map((each) => JSON.stringify(each)).includes(described), `${name}: ${described}`);
    }
  });

  it('what does not follow from the operations is filled in, and agrees with the server', () => {
    for (const document of [DOCUMENT, testedDocument({ gated: true })])
      assert.doesNotMatch(JSON.stringify(document), /\{(?:baseUrl|rate\w+|maxAgeSeconds)\}/);
    for (const name of ['teamSlug', 'productSlug'])
      assert.equal(components.parameters[name]?.schema.pattern, SLUG_PATTERN);
    const { version } = components.schemas.GiteaServerVersion?.properties ?? {};
    assert.deepEqual(version && !isRef(version) && version.examples, [GITEA_VERSION]);
  });

  it('the OpenAPI document avoids what makes client generators write code that does not compile', () => {
    const statuses = Object.values(DOCUMENT.paths).flatMap(({ get, head }) =>
      Object.keys({ ...get.responses, ...head.responses }),
    );
    for (const status of statuses) assert.match(status, /^\d{3}$/);
    const withAlternatives = Object.values(components.parameters).filter(({ schema }) => 'anyOf' in schema);
    assert.equal(withAlternatives.length, 2);
    for (const { schema } of withAlternatives) assert.deepEqual(Object.keys(schema), ['type', 'anyOf']);
  });

  it('of several possible bodies, the one with more fields is first', () => {
    const alternatives = OPERATIONS.flatMap(({ responses }) => {
      const { content = {} } = responses[200] as Response;
      return Object.values(content).flatMap(({ schema }) => ('anyOf' in schema ? [schema.anyOf] : []));
    });
    const bodies = (name: string) =>
      [`Full${name}`, name].map((each) => ({ $ref: `#/components/schemas/${each}` }));
    assert.deepEqual(
      alternatives,
      ['ChangelogEnvelope', 'ChangelogEnvelope', 'TimelineEnvelope', 'TimelineEnvelope'].map(bodies),
    );
  });

  it('clients generated from the OpenAPI document accept fields that a later version adds', () => {
    assert.doesNotMatch(JSON.stringify(DOCUMENT), /additionalProperties|unevaluatedProperties/);
  });

  it('the OpenAPI document is deterministic', () => {
    assert.deepEqual(testedDocument(), DOCUMENT);
  });
});

describe('examples in the OpenAPI document', () => {
  const compile = schemaCompiler(DOCUMENT);
  let examples = 0;

  function assertValid(pointer: readonly string[], value: unknown): void {
    const validate = compile(pointer);
    assert.ok(validate(value), `${pointer.join(' ')}: ${JSON.stringify(validate.errors)}`);
    examples++;
  }

  it('every example of a response matches its schema', () => {
    for (const { path, responses } of OPERATIONS) {
      for (const [status, response] of Object.entries(responses)) {
        if (isRef(response)) continue;
        for (const [type, media] of Object.entries(response.content ?? {})) {
          for (const { value } of Object.values(media.examples ?? {}))
            assertValid(['paths', path, 'get', 'responses', status, 'content', type, 'schema'], value);
        }
      }
    }
    for (const { content } of Object.values(components.responses)) {
      for (const { value } of Object.values(content?.['application/json']?.examples ?? {}))
        assertValid(['components', 'schemas', 'ErrorBody'], value);
    }
    assert.ok(examples >= 20, String(examples));
  });

  it('the rows of the other examples are those of the record', async () => {
    const { head, version } = exampleRows();
    const shown = exampleOf(schemaOf('Version')) as Version;
    const row = { ...version, changeCount: version.changes.length };
    assert.deepEqual(await presentVersion(head, row, renderAtOnce), shown);
  });

  it('every example of a parameter or header matches its schema', () => {
    for (const [name, { example, examples: several = {} }] of Object.entries(components.parameters)) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(several).map(({ value }) => value),
      ];
      assert.equal(values.length === 0, ONLY_FROM_RESPONSES.includes(name), name);
      for (const value of values) assertValid(['components', 'parameters', name, 'schema'], value);
    }
    for (const [name, { example }] of Object.entries(components.headers))
      assertValid(['components', 'headers', name, 'schema'], example);
  });

  it('since and until accept a date or a timestamp, and nothing else', () => {
    for (const name of ['since', 'until']) {
      const validate = compile(['components', 'parameters', name, 'schema']);
      for (const value of ['2026-05-04', '2026-05-04T09:00:00Z', '2026-05-04T09:00:00.000+02:00'])
        assert.ok(validate(value), value);
      for (const value of ['yesterday', '2026-05-04T09:00:00', 20260504]) assert.ok(!validate(value));
    }
  });

  it('every field of a record has an example that matches its schema', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true, formats: FORMATS });
    for (const [name, schema] of Object.entries(components.schemas)) {
      for (const [field, inner] of leavesOf(schema as Node)) {
        const { examples: shown = [] } = inner;
        assert.ok(name === 'ErrorBody' || 'const' in inner || shown.length > 0, `${name}.${field}`);
        assert.ok('description' in inner, `${name}.${field} has no description`);
        for (const value of shown) assert.ok(ajv.validate(inner, value), `${name}.${field}`);
      }
    }
  });

  it('every timestamp field has the format of one', () => {
    const found = Object.entries(components.schemas).flatMap(([name, schema]) =>
      leavesOf(schema as Node)
        .filter(([, { examples = [] }]) => FORMATS['date-time'].test(String(examples[0])))
        .map(([field, { format }]) => ({ field: `${name}.${field}`, format })),
    );
    assert.ok(found.some(({ field }) => field === 'Version.publishedAt'));
    for (const { field, format } of found) assert.equal(format, 'date-time', field);
  });

  it('HTML examples are as the server renders them', () => {
    const { properties } = components.schemas.Change as {
      properties: Record<string, { examples: string[] }>;
    };
    assert.equal(properties.html?.examples[0], renderMarkdown(properties.text?.examples[0] ?? ''));
  });
});

describe('a response that does not match the OpenAPI document', () => {
  const path = '/api/v1/public/teams/acme/products/rocket/changelog';
  const headers = {
    'content-type': 'application/json',
    etag: '"x"',
    'cache-control': 'no-cache',
    vary: 'x',
    ratelimit: 'x',
    'ratelimit-policy': 'x',
    'x-request-id': 'x',
  };
  const error = (code: string) => JSON.stringify({ error: { code, message: 'x' } });
  const answered = { method: 'GET', url: path, status: 404, headers, body: error('not_found') };

  it('a response that does not match the OpenAPI document fails the test that received it', () => {
    assertDescribed(answered);
    for (const wrong of [
      { status: 200, body: '{"data":{}}' },
      { status: 200, body: error('not_found') },
      { body: '{"error":{"code":"not_found","message":"x","sql":"x"}}' },
      { status: 403, body: error('forbidden') },
      { body: error('forbidden') },
      { body: error('made_up') },
      { body: '{"error":{"code":"not_found"}}' },
      { headers: { ...headers, 'cache-control': undefined } },
      { url: '/nowhere', body: '{}' },
      { method: 'POST', status: 405, body: error('not_found') },
    ]) {
      assert.throws(
        () => assertDescribed({ ...answered, ...wrong }),
        assert.AssertionError,
        JSON.stringify(wrong),
      );
    }
  });
});

type Node = Readonly<Record<string, unknown>> & Readonly<{ examples?: unknown[] }>;

/** The fields of a record that are not records themselves. */
function leavesOf(schema: Node, prefix = ''): [string, Node][] {
  return Object.entries((schema.properties ?? {}) as Record<string, Node>).flatMap(([name, inner]) => {
    if ('$ref' in inner || 'anyOf' in inner || inner.type === 'array') return [];
    return inner.type === 'object'
      ? leavesOf(inner, `${prefix}${name}.`)
      : [[prefix + name, inner] as [string, Node]];
  });
}
