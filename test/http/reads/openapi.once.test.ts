import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { releaseNumber } from '../../../src/domain/release-number.ts';
import { type OpenApiDocument, type Parameter, refName } from '../../../src/reference/openapi/types.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { run, runOk } from '../../../support/program/command.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const URL = '/api/openapi.json';
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'site',
  PASSWORD_PROTECTION_PASSWORD: 'secret',
};
const BASIC = { authorization: `Basic ${Buffer.from('site:secret').toString('base64')}` };

/** Parameters whose values only responses have. */
const FOUND: Record<string, unknown> = { id: releaseNumber('ver_210') };

describe(`GET ${URL}`, () => {
  const suite = suiteWithWorld({ BASE_URL: 'https://changes.test/sub/' });

  it('the OpenAPI document has BASE_URL as its server', async () => {
    const response = await suite.app.inject(URL);
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    const { openapi, servers, paths } = response.json();
    assert.equal(openapi, '3.1.0');
    assert.equal(servers[0].url, 'https://changes.test/sub');
    assert.ok(URL in paths);
  });

  it('a request with the examples of all parameters is 200, as Swagger UI and Postman send it', async () => {
    const { paths, components }: OpenApiDocument = (await suite.app.inject(URL)).json();
    for (const [path, { get }] of Object.entries(paths)) {
      const query = new URLSearchParams();
      let filled = path;
      for (const ref of get.parameters) {
        const parameter = components.parameters[refName(ref)] as Parameter;
        const { name, example = Object.values(parameter.examples ?? {})[0]?.value } = parameter;
        if (parameter.in === 'path') filled = filled.replace(`{${name}}`, String(example ?? FOUND[name]));
        else if (example !== undefined)
          for (const value of [example].flat()) query.append(name, String(value));
      }
      const headers = { authorization: `Bearer ${suite.world.full}` };
      const { statusCode, body } = await suite.app.inject({ url: `${filled}?${query}`, headers });
      assert.equal(statusCode, 200, `${filled}?${query}: ${body}`);
    }
  });

  it('the OpenAPI document needs no query and does not count against the rate limit', async (t) => {
    const { app, queries } = await startApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '1' });
    queries.length = 0;
    for (let count = 0; count < 3; count++) {
      const { statusCode, headers } = await app.inject(URL);
      assert.equal(statusCode, 200);
      assert.equal(headers.ratelimit, undefined);
    }
    assert.deepEqual(queries, []);
  });

  it('the OpenAPI document is cacheable like a public response, with an ETag and 304', async () => {
    const { headers, body } = await suite.app.inject(URL);
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.equal(headers.vary, 'Accept-Encoding');
    const again = await suite.app.inject({ url: URL, headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
    assert.equal((await suite.app.inject(URL)).body, body);
  });

  it('the OpenAPI document is sent compressed, with its own ETag for each encoding', async () => {
    const plain = await suite.app.inject(URL);
    const etags = new Set([plain.headers.etag]);
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await suite.app.inject({
        url: URL,
        headers: { 'accept-encoding': encoding },
      });
      assert.equal(headers['content-encoding'], encoding);
      assert.equal(decode(rawPayload).toString(), plain.body);
      etags.add(headers.etag);
    }
    assert.equal(etags.size, 3);
  });

  it('the OpenAPI document supports HEAD and OPTIONS, and is 405 for other methods', async () => {
    const whole = await suite.app.inject(URL);
    const head = await suite.app.inject({ url: URL, method: 'HEAD' });
    assert.equal(head.statusCode, 200);
    assert.equal(head.body, '');
    assert.equal(head.headers['content-length'], whole.headers['content-length']);
    const options = await suite.app.inject({ url: URL, method: 'OPTIONS' });
    assert.equal(options.statusCode, 204);
    assert.equal(options.headers.allow, 'GET, HEAD, OPTIONS');
    const refused = await suite.app.inject({ url: URL, method: 'POST' });
    assert.equal(refused.statusCode, 405);
    assert.equal(refused.json().error.code, 'method_not_allowed');
  });

  it('the OpenAPI document can be read from other origins', async () => {
    const { headers } = await suite.app.inject(URL);
    assert.equal(headers['access-control-allow-origin'], '*');
  });

  it('the gate protects the OpenAPI document, which is then not cacheable', async (t) => {
    const { app } = await startApp(t, suite.sandbox, GATE);
    const refused = await app.inject(URL);
    assert.equal(refused.statusCode, 401);
    assert.equal(refused.headers['www-authenticate'], 'Basic realm="changelog", charset="UTF-8"');
    const { statusCode, headers } = await app.inject({ url: URL, headers: BASIC });
    assert.equal(statusCode, 200);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers['access-control-allow-origin'], undefined);
  });
});

describe('changelog openapi', () => {
  it('changelog openapi prints the same document as the server, indented', async (t) => {
    const sandbox = { folder: temporaryFolder(t), environment: { BASE_URL: 'https://changes.test' } };
    await runOk(sandbox, ['migrate']);
    const { app } = await startApp(t, sandbox, { PUBLIC_RATE_LIMIT: '60' });
    const printed = await runOk(sandbox, ['openapi']);
    assert.deepEqual(JSON.parse(printed), (await app.inject(URL)).json());
    assert.match(printed, /^\{\n {2}"openapi": "3\.1\.0",\n/);
    assert.equal(await runOk(sandbox, ['openapi', '--json']), printed);
  });

  it('changelog openapi needs no database, and takes the URL from HOST and PORT', async (t) => {
    for (const [HOST, host] of [
      ['::1', '[::1]'],
      ['::', '[::1]'],
      ['0.0.0.0', '127.0.0.1'],
    ]) {
      const environment = { DATABASE_URL: 'sqlite:/nowhere/at/all.db', HOST, PORT: '8080' };
      const sandbox = { folder: temporaryFolder(t), environment, withoutDatabase: true as const };
      const { code, stdout } = await run(sandbox, ['openapi']);
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).servers[0].url, `http://${host}:8080`);
    }
  });
});
