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

  it('answers everything under /api with the same 401: known, unknown, malformed, preflights', async () => {
    const answers = new Set<string>();
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
        const answer = await ask(url, { authorization: `Bearer ${suite.world.full}` }, method);
        const { date, ...headers } = answer.headers;
        answers.add(JSON.stringify([answer.statusCode, headers, answer.body]));
      }
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    const answer = await ask(PUBLIC_FEED);
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], 'Basic realm="changelog", charset="UTF-8"');
    assert.equal(answer.json().error.code, 'unauthorized');
  });

  it('covers nothing outside /api', async () => {
    for (const url of ['/', '/apis', '/nothing']) assert.equal((await ask(url)).statusCode, 404, url);
  });

  it('lets the right credentials through, from either header, to the public surface', async () => {
    for (const headers of [
      { authorization: RIGHT },
      { authorization: RIGHT.replace('Basic', 'bASIC') },
      { 'proxy-authorization': RIGHT },
      { authorization: `Bearer ${suite.world.full}`, 'proxy-authorization': RIGHT },
    ]) {
      const answer = await ask(PUBLIC_FEED, headers);
      assert.equal(answer.statusCode, 200, JSON.stringify(headers));
      assert.equal(answer.headers['cache-control'], 'private, no-cache');
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  });

  it('takes the key from Bearer behind Proxy-Authorization, and from X-API-Key beside Basic', async () => {
    const key = suite.world.full;
    assert.equal(
      (await ask(TEAM_FEED, { 'proxy-authorization': RIGHT, authorization: `Bearer ${key}` })).statusCode,
      200,
    );
    assert.equal((await ask(TEAM_FEED, { authorization: RIGHT, 'x-api-key': key })).statusCode, 200);
  });

  it('then asks for a key in the words of the bearer 401', async () => {
    for (const [headers, challenge] of [
      [{ authorization: RIGHT }, 'Bearer realm="changelog"'],
      [{ 'proxy-authorization': RIGHT }, 'Bearer realm="changelog"'],
      [{ 'proxy-authorization': RIGHT, 'x-api-key': suite.world.full }, 'Bearer realm="changelog"'],
      [{ authorization: RIGHT, 'x-api-key': 'nonsense' }, 'Bearer realm="changelog", error="invalid_token"'],
    ] as const) {
      const answer = await ask(TEAM_FEED, headers);
      assert.equal(answer.statusCode, 401);
      assert.equal(answer.headers['www-authenticate'], challenge, JSON.stringify(headers));
    }
  });

  it('refuses two Authorization lines, one of them right', async (t) => {
    const { port } = await listenApp(t, suite.workplace, GATE);
    const lines = [`Authorization: ${RIGHT}`, `Authorization: Bearer ${suite.world.full}`];
    const answer = await rawRequest(port, [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', ...lines]);
    assert.equal(answer.status, 401);
    assert.match(answer.headers['www-authenticate'] ?? '', /^Basic /);
  });

  it('gives 429 after 20 wrong tries in a minute, unchecked, and only to that client', async (t) => {
    const { app } = await startApp(t, suite.workplace, GATE);
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
      const answer = await from('192.0.2.1', authorization);
      assert.equal(answer.statusCode, 429);
      assert.match(String(answer.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/);
      assert.equal(answer.json().error.code, 'rate_limited');
    }
    assert.equal((await from('192.0.2.2', RIGHT)).statusCode, 200);
  });

  it('tells 20 wrong tries from a right one, and no more, however many are sent at once', async (t) => {
    const { port } = await listenApp(t, suite.workplace, GUARDED);
    await assertGuessesBounded(port);
  });

  it('tries one password a request: that of Authorization, if it is there', async (t) => {
    const { app } = await startApp(t, suite.workplace, GATE);
    const status = async (authorization: string, proxy: string) =>
      (
        await app.inject({
          url: PUBLIC_FEED,
          headers: { authorization, 'proxy-authorization': proxy },
        })
      ).statusCode;
    assert.equal(await status(RIGHT, WRONG), 200);
    for (let count = 0; count < 20; count++) assert.equal(await status(WRONG, RIGHT), 401);
    assert.equal(await status(RIGHT, WRONG), 200, 'the second was never a try');
    assert.equal(await status(WRONG, WRONG), 429);
    assert.equal(await status(RIGHT, RIGHT), 429);
  });

  it('asks the database nothing before it is passed', async () => {
    suite.queries.length = 0;
    await ask(TEAM_FEED, { authorization: `Bearer ${suite.world.full}` });
    await ask(PUBLIC_FEED, { authorization: WRONG });
    assert.equal(suite.queries.length, 0);
  });
});
