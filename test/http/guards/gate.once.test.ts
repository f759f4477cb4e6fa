import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { assertGuessesBounded, GUARDED } from '../../support/guesses.ts';
import { rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const PASSWORD = 'öpen: sesame';
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'visitor',
  PASSWORD_PROTECTION_PASSWORD: PASSWORD,
};
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
const RIGHT = basic(`visitor:${PASSWORD}`);
const WRONG = basic('visitor:guess');

describe('the gate', () => {
  const suite = suiteWithWorld(GATE);
  const ask = (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'OPTIONS' | 'POST' = 'GET',
  ) => suite.app.inject({ url, headers, method });

  it('everything under /api gets the same 401: known, unknown, malformed, preflights', async () => {
    const responses = new Set<string>();
    for (const method of ['GET', 'OPTIONS', 'POST'] as const) {
      for (const url of [
        PUBLIC_FEED,
        TEAM_FEED,
        '/api',
        '/api/',
        '/api/nothing',
        '/api//v1',
        '/api/%ff',
        '/%61pi/v1',
        '/api/v1/public/%2f',
        `${PUBLIC_FEED}/`,
        'http://elsewhere/api/v1',
      ]) {
        const response = await ask(url, { authorization: `Bearer ${suite.world.full}` }, method);
        const { date, ...headers } = response.headers;
        responses.add(JSON.stringify([response.statusCode, headers, response.body]));
      }
    }
    assert.equal(responses.size, 1, [...responses].join('\n'));
    const response = await ask(PUBLIC_FEED);
    assert.equal(response.statusCode, 401);
    assert.equal(response.headers['www-authenticate'], 'Basic realm="changelog", charset="UTF-8"');
    assert.equal(response.json().error.code, 'unauthorized');
  });

  it('paths without content need no password', async () => {
    for (const url of ['/apis', '/nothing', '/changelogs'])
      assert.equal((await ask(url)).statusCode, 404, url);
  });

  it('the right password in either header opens the public API', async () => {
    for (const headers of [
      { authorization: RIGHT },
      { authorization: RIGHT.replace('Basic', 'bASIC') },
      { 'proxy-authorization': RIGHT },
      { authorization: `Bearer ${suite.world.full}`, 'proxy-authorization': RIGHT },
    ]) {
      const response = await ask(PUBLIC_FEED, headers);
      assert.equal(response.statusCode, 200, JSON.stringify(headers));
      assert.equal(response.headers['cache-control'], 'private, no-cache');
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    }
  });

  it('the API key may be in Bearer with Proxy-Authorization, or in X-API-Key with Basic', async () => {
    const key = suite.world.full;
    assert.equal(
      (await ask(TEAM_FEED, { 'proxy-authorization': RIGHT, authorization: `Bearer ${key}` })).statusCode,
      200,
    );
    assert.equal((await ask(TEAM_FEED, { authorization: RIGHT, 'x-api-key': key })).statusCode, 200);
  });

  it('after the gate, a missing API key gets the usual 401', async () => {
    for (const [headers, challenge] of [
      [{ authorization: RIGHT }, 'Bearer realm="changelog"'],
      [{ 'proxy-authorization': RIGHT }, 'Bearer realm="changelog"'],
      [{ 'proxy-authorization': RIGHT, 'x-api-key': suite.world.full }, 'Bearer realm="changelog"'],
      [{ authorization: RIGHT, 'x-api-key': 'nonsense' }, 'Bearer realm="changelog", error="invalid_token"'],
    ] as const) {
      const response = await ask(TEAM_FEED, headers);
      assert.equal(response.statusCode, 401);
      assert.equal(response.headers['www-authenticate'], challenge, JSON.stringify(headers));
    }
  });

  it('two Authorization lines are rejected, even if one is right', async (t) => {
    const { port } = await listenApp(t, suite.sandbox, GATE);
    const lines = [`Authorization: ${RIGHT}`, `Authorization: Bearer ${suite.world.full}`];
    const response = await rawRequest(port, [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', ...lines]);
    assert.equal(response.status, 401);
    assert.match(response.headers['www-authenticate'] ?? '', /^Basic /);
  });

  it('a client gets 429 after 20 failed attempts in a minute, whatever it sends, and other clients do not', async (t) => {
    const { app } = await startApp(t, suite.sandbox, GATE);
    const from = (remoteAddress: string, authorization?: string) =>
      app.inject({
        url: PUBLIC_FEED,
        remoteAddress,
        headers: authorization === undefined ? {} : { authorization },
      });
    for (let count = 0; count < 40; count++)
      assert.equal((await from('192.0.2.1')).statusCode, 401, 'no try at all');
    for (let count = 0; count < 20; count++) assert.equal((await from('192.0.2.1', WRONG)).statusCode, 401);
    assert.equal((await from('192.0.2.1', RIGHT)).statusCode, 200, '20 are not more than 20');
    assert.equal((await from('192.0.2.1', WRONG)).statusCode, 429);
    for (const authorization of [RIGHT, WRONG, undefined]) {
      const response = await from('192.0.2.1', authorization);
      assert.equal(response.statusCode, 429);
      assert.match(String(response.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/);
      assert.equal(response.json().error.code, 'rate_limited');
    }
    assert.equal((await from('192.0.2.2', RIGHT)).statusCode, 200);
  });

  it('concurrent guesses get no more than 20 attempts', async (t) => {
    const { port } = await listenApp(t, suite.sandbox, GUARDED);
    await assertGuessesBounded(port);
  });

  it('a request is one attempt: Authorization takes precedence over Proxy-Authorization', async (t) => {
    const { app } = await startApp(t, suite.sandbox, GATE);
    const status = async (authorization: string, proxy: string) =>
      (
        await app.inject({
          url: PUBLIC_FEED,
          headers: { authorization, 'proxy-authorization': proxy },
        })
      ).statusCode;
    assert.equal(await status(RIGHT, WRONG), 200);
    for (let count = 0; count < 20; count++) assert.equal(await status(WRONG, RIGHT), 401);
    assert.equal(await status(RIGHT, WRONG), 200, 'the second password was not an attempt');
    assert.equal(await status(WRONG, WRONG), 429);
    assert.equal(await status(RIGHT, RIGHT), 429);
  });

  it('requests rejected by the gate cause no query', async () => {
    suite.queries.length = 0;
    await ask(TEAM_FEED, { authorization: `Bearer ${suite.world.full}` });
    await ask(PUBLIC_FEED, { authorization: WRONG });
    assert.equal(suite.queries.length, 0);
  });
});
