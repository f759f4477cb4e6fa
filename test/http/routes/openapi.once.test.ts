import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
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

describe(`GET ${URL}`, () => {
  const suite = suiteWithWorld({ BASE_URL: 'https://changes.test/sub/' });

  it('answers the description, with BASE_URL as its server', async () => {
    const answer = await suite.app.inject(URL);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    const { openapi, servers, paths } = answer.json();
    assert.equal(openapi, '3.1.0');
    assert.equal(servers[0].url, 'https://changes.test/sub');
    assert.ok(URL in paths);
  });

  it('asks no database and is not counted by the limiter', async (t) => {
    const { app, queries } = await startApp(t, suite.workplace, { PUBLIC_RATE_LIMIT: '1' });
    queries.length = 0;
    for (let count = 0; count < 3; count++) {
      const { statusCode, headers } = await app.inject(URL);
      assert.equal(statusCode, 200);
      assert.equal(headers.ratelimit, undefined);
    }
    assert.deepEqual(queries, []);
  });

  it('may be kept like a public answer, has an ETag, and is 304 for who has it', async () => {
    const { headers, body } = await suite.app.inject(URL);
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.equal(headers.vary, 'Accept-Encoding');
    const again = await suite.app.inject({ url: URL, headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
    assert.equal((await suite.app.inject(URL)).body, body);
  });

  it('comes in compressed forms, each with an ETag of its own', async () => {
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

  it('answers HEAD and OPTIONS, and refuses other methods', async () => {
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

  it('may be read by pages of other origins', async () => {
    const { headers } = await suite.app.inject(URL);
    assert.equal(headers['access-control-allow-origin'], '*');
  });

  it('is behind the gate where there is one, and nobody may keep it then', async (t) => {
    const { app } = await startApp(t, suite.workplace, GATE);
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
  it('prints what the server answers, laid out', async (t) => {
    const workplace = { folder: temporaryFolder(t), environment: { BASE_URL: 'https://changes.test' } };
    await runOk(workplace, ['migrate']);
    const { app } = await startApp(t, workplace, { PUBLIC_RATE_LIMIT: '60' });
    const printed = await runOk(workplace, ['openapi']);
    assert.deepEqual(JSON.parse(printed), (await app.inject(URL)).json());
    assert.match(printed, /^\{\n {2}"openapi": "3\.1\.0",\n/);
    assert.equal(await runOk(workplace, ['openapi', '--json']), printed);
  });

  it('needs no database, and takes the address from HOST and PORT', async (t) => {
    const environment = { DATABASE_URL: 'sqlite:/nowhere/at/all.db', HOST: '::1', PORT: '8080' };
    const { code, stdout } = await run({ folder: temporaryFolder(t), environment, withoutDatabase: true }, [
      'openapi',
    ]);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).servers[0].url, 'http://[::1]:8080');
  });
});
