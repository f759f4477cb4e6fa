import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TEAM_FEED } from '../../../support/content/world.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const VERSION = '/api/v1/version';
const UNKNOWN = '/api/v1/repos/acme/rocket/contents';
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'visitor',
  PASSWORD_PROTECTION_PASSWORD: 'open sesame',
};
const BASIC = `Basic ${btoa('visitor:open sesame')}`;

describe('a route where a key is optional (R57)', () => {
  const suite = suiteWithWorld();
  const ask = (url: string, headers: Record<string, string> = {}, app = suite.app) =>
    app.inject({ url, headers });

  it('without a key it is public: counted, cacheable, readable by scripts of other sites', async () => {
    for (const headers of [{}, { authorization: BASIC }, { 'x-api-key': suite.world.full }]) {
      const { statusCode, headers: sent } = await ask(VERSION, headers);
      assert.equal(statusCode, 200);
      assert.equal(sent['cache-control'], 'public, max-age=30');
      assert.equal(sent['access-control-allow-origin'], '*');
      assert.match(String(sent.ratelimit), /^"public"/);
      assert.deepEqual(sent.vary, ['Authorization', 'Accept-Encoding']);
    }
  });

  it('with a key, sent as Bearer or token, it is not limited and not public', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '1' });
    for (const scheme of ['Bearer', 'bearer', 'token', 'Token', 'TOKEN ']) {
      const { statusCode, headers } = await ask(
        VERSION,
        { authorization: `${scheme} ${suite.world.full}` },
        app,
      );
      assert.equal(statusCode, 200, scheme);
      assert.equal(headers['cache-control'], 'private, no-cache');
      assert.deepEqual(headers.vary, ['Authorization', 'Accept-Encoding']);
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.equal(headers.ratelimit, undefined);
    }
    assert.equal((await ask(VERSION, {}, app)).statusCode, 200);
    assert.equal((await ask(VERSION, {}, app)).statusCode, 429);
    assert.equal((await ask(UNKNOWN, {}, app)).statusCode, 429);
    const unknown = await ask(UNKNOWN, { authorization: `token ${suite.world.full}` }, app);
    assert.deepEqual([unknown.statusCode, unknown.headers.ratelimit], [404, undefined]);
  });

  it('a key that is not valid is 401, and any valid one is enough where there is no product', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const bodies = new Set<string>();
    for (const token of ['x', suite.world.disabled])
      for (const scheme of ['Bearer', 'token']) {
        const response = await ask(VERSION, { authorization: `${scheme} ${token}` });
        assert.equal(response.statusCode, 401);
        assert.equal(response.headers['www-authenticate'], 'Bearer realm="changelog", error="invalid_token"');
        bodies.add(response.body);
      }
    assert.equal(bodies.size, 1);
    for (const key of [suite.world.select, suite.world.vault])
      assert.equal((await ask(VERSION, { authorization: `token ${key}` })).statusCode, 200);
    const line = `Authorization: token ${suite.world.full}`;
    const twice = await rawRequest(port, [`GET ${VERSION} HTTP/1.1`, 'Host: x', line, line]);
    assert.equal(twice.status, 401);
  });

  it('only these routes know the scheme token, also on a connection that has used it', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const line = `Authorization: token ${suite.world.full}`;
    const both = `GET ${VERSION} HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\nGET ${TEAM_FEED} HTTP/1.1`;
    const first = await rawRequest(port, [both, 'Host: x', line]);
    assert.equal(first.status, 200);
    assert.match(first.body, /HTTP\/1\.1 401 /);
  });

  it('with the gate on, the key is beside the password', async (t) => {
    const { app } = await startApp(t, suite.sandbox, GATE);
    const { full, disabled } = suite.world;
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: `token ${full}` }, 401],
      [{ authorization: BASIC }, 200],
      [{ authorization: BASIC, 'x-api-key': full }, 200],
      [{ authorization: BASIC, 'x-api-key': disabled }, 401],
      [{ 'proxy-authorization': BASIC, authorization: `token ${full}` }, 200],
      [{ 'proxy-authorization': BASIC, authorization: `Bearer ${disabled}` }, 401],
      [{ 'proxy-authorization': BASIC }, 200],
    ] as const) {
      const response = await ask(VERSION, headers, app);
      assert.equal(response.statusCode, status, JSON.stringify(headers));
      const hasKey =
        'x-api-key' in headers || /^(?:token|Bearer)/.test(headers['authorization' as never] ?? '');
      const isPastGate = JSON.stringify(headers).includes('Basic');
      assert.equal('ratelimit' in response.headers, isPastGate && !hasKey, JSON.stringify(headers));
      if (!isPastGate) assert.match(String(response.headers['www-authenticate']), /^Basic /);
      if (status === 200) assert.equal(response.headers['cache-control'], 'private, no-cache');
    }
  });

  it('a request that is not valid HTTP is counted unless it has a key', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const large = `X-Large: ${'a'.repeat(17_000)}`;
    for (const lines of [[], [`Authorization: token ${suite.world.full}`]]) {
      const response = await rawRequest(port, [`GET ${VERSION} HTTP/1.1`, 'Host: x', ...lines, large]);
      assert.equal(response.status, 431);
      assert.equal('ratelimit' in response.headers, lines.length === 0);
    }
  });

  it('the version is a semantic version, for clients that compare it', async () => {
    assert.deepEqual((await ask(VERSION)).json(), { version: '1.22.0+changelog' });
  });
});
