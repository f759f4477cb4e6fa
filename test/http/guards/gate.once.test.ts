import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, it } from 'node:test';
import {
  HIDDEN_PAGES,
  LISTS,
  MALFORMED_PAGES,
  PAGES,
  PRODUCT_PAGE,
  UNKNOWN_PAGES,
} from '../../../support/content/pages.ts';
import { HIDDEN, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { assertGuessesBounded, GUARDED } from '../../support/guesses.ts';
import { exchange, parseResponse, rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const PASSWORD = 'öpen: sesame';
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'visitor',
  PASSWORD_PROTECTION_PASSWORD: PASSWORD,
};
/** With every page, and the same links on any port. */
const LISTED = { ...GATE, LISTING: 'all', BASE_URL: 'https://changes.example.com' };
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
const RIGHT = basic(`visitor:${PASSWORD}`);
const WRONG = basic('visitor:guess');

/** Everything that the gate covers, by the form of its 401. */
const COVERED = {
  'under /api, and lists for programs': [
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
    ...LISTS,
    '/llms%2etxt',
    '/sitemap.xml?cursor=x',
    'http://elsewhere/llms.txt',
  ],
  'where people look': [
    ...PAGES,
    ...UNKNOWN_PAGES,
    ...MALFORMED_PAGES,
    ...HIDDEN_PAGES,
    '/?cursor=x',
    '/#x',
    'http://elsewhere',
    'http://elsewhere/changelog/acme',
    'HTTPS://user:secret@elsewhere/changelog/acme',
    '/%63hangelog/acme/rocket',
    `${PRODUCT_PAGE}?from=nonsense`,
    `${PRODUCT_PAGE}?cursor=nonsense`,
    `${PRODUCT_PAGE}?q=${'x'.repeat(9_000)}`,
  ],
} as const;

describe('the gate', () => {
  const suite = suiteWithWorld(LISTED);
  const ask = (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'OPTIONS' | 'POST' = 'GET',
  ) => suite.app.inject({ url, headers, method });

  for (const [where, urls] of Object.entries(COVERED)) {
    const isPage = where === 'where people look';

    it(`everything ${where} gets the same 401: known, unknown, malformed, preflights`, async () => {
      const responses = new Set<string>();
      suite.queries.length = 0;
      for (const method of ['GET', 'OPTIONS', 'POST'] as const) {
        for (const url of urls) {
          const response = await ask(url, { authorization: `Bearer ${suite.world.full}` }, method);
          const { date, 'x-request-id': id, ...headers } = response.headers;
          responses.add(JSON.stringify([response.statusCode, headers, response.body]));
        }
      }
      assert.equal(responses.size, 1, [...responses].join('\n'));
      assert.equal(suite.queries.length, 0);
      const response = await ask(urls[0]);
      assert.equal(response.statusCode, 401);
      assert.equal(response.headers['www-authenticate'], 'Basic realm="changelog", charset="UTF-8"');
      assert.equal(response.headers['cache-control'], 'no-store');
      if (isPage) assert.match(response.body, /^<!doctype html>.*Password required/is);
      else assert.equal(response.json().error.code, 'unauthorized');
      assert.ok(!response.body.includes(HIDDEN));
    });

    it(`every method, known or unknown, gets the same 401 ${where}`, async (t) => {
      const { port } = await listenApp(t, suite.sandbox, LISTED);
      const { body } = await ask(urls[0]);
      for (const method of [...METHODS, 'BREW', 'get']) {
        for (const target of isPage ? ['/', PRODUCT_PAGE, '/changelog/%ff'] : [PUBLIC_FEED, '/llms.txt']) {
          const response = await rawRequest(port, [`${method} ${target} HTTP/1.1`, 'Host: x']);
          assert.equal(response.status, 401, `${method} ${target}`);
          if (method !== 'HEAD') assert.ok(Buffer.from(response.body, 'latin1').toString() === body, method);
        }
      }
    });

    it(`malformed requests get the 401 ${where} too, and their own error only with the password`, async (t) => {
      const { port } = await listenApp(t, suite.sandbox, LISTED);
      for (const target of isPage ? ['/', PRODUCT_PAGE, '/changelog//'] : [PUBLIC_FEED, '/sitemap.xml']) {
        for (const [status, text] of [
          [400, `GET ${target} HTTP/9.9\r\nHost: x\r\n\r\n`],
          [400, `GET ${target} HTTP/1.1\r\nNo colon\r\n\r\n`],
          // The URL alone is more than is read.
          [401, `GET ${target}?${'a'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
          [431, `GET ${target} HTTP/1.1\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
        ] as const) {
          const withPassword = text.replace('\r\n', `\r\nAuthorization: ${RIGHT}\r\n`);
          const admitted = parseResponse(await exchange(port, withPassword, { closing: true }));
          assert.equal(admitted.status, status, text.slice(0, 80));
          const response = parseResponse(await exchange(port, text, { closing: true }));
          assert.equal(response.status, 401, text.slice(0, 80));
          assert.equal(
            response.headers['content-type'],
            `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
          );
        }
      }
    });
  }

  it('targets that no client should send never get past the gate to content', async (t) => {
    const { port } = await listenApp(t, suite.sandbox, LISTED);
    for (const line of [
      'CONNECT x:1',
      'CONNECT /changelog/acme',
      'OPTIONS *',
      'GET *',
      'GET //changelog/acme/rocket',
      'GET ///',
      'GET /./changelog/acme/rocket',
      'GET /x/../changelog/acme/rocket',
      'GET /%2e%2e/changelog/acme/rocket',
      'GET /changelog%2Facme%2Frocket',
      'GET \\\\changelog\\acme',
      'GET http:///changelog/acme/rocket',
      'GET http://x//changelog/acme/rocket',
      'GET ftp://x/changelog/acme/rocket',
      'GET //x/changelog/acme/rocket',
      'GET ?/changelog/acme/rocket',
      'GET #/changelog/acme/rocket',
      'GET /CHANGELOG/acme/rocket',
      'GET /changelog;/acme/rocket',
    ]) {
      const { status, body } = await rawRequest(port, [`${line} HTTP/1.1`, 'Host: x']);
      assert.ok([400, 401, 404].includes(status), `${line}: ${status}`);
      assert.ok(!/Rocket|Faster|Acme/.test(body), line);
    }
  });

  it('paths without content need no password', async () => {
    for (const url of ['/apis', '/nothing', '/changelogs', '/sitemap.xml/', '/widget.jsx'])
      assert.equal((await ask(url)).statusCode, 404, url);
    for (const url of ['/docs', '/robots.txt', '/widget.js'])
      assert.equal((await ask(url)).statusCode, 200, url);
    assert.equal((await ask('/favicon.ico')).statusCode, 204);
  });

  it('the right password in either header opens the public API and the pages', async () => {
    for (const url of [PUBLIC_FEED, ...PAGES, ...LISTS])
      for (const headers of [
        { authorization: RIGHT },
        { authorization: RIGHT.replace('Basic', 'bASIC') },
        { 'proxy-authorization': RIGHT },
        { authorization: `Bearer ${suite.world.full}`, 'proxy-authorization': RIGHT },
      ]) {
        const response = await ask(url, headers);
        assert.equal(response.statusCode, 200, url + JSON.stringify(headers));
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

  it('past the gate, a missing API key gets the usual 401', async () => {
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

  it('failed attempts on pages, even malformed and unknown ones, count together with those on the API', async (t) => {
    const setLanguage = (tag: string) => execute(suite.sandbox, `update changelogs set language = '${tag}'`);
    t.after(() => setLanguage('en'));
    await setLanguage('de');
    const { app } = await startApp(t, suite.sandbox, LISTED);
    const at = (url: string, authorization: string) => app.inject({ url, headers: { authorization } });
    assert.match((await at(`${PRODUCT_PAGE}/versions/9.9.9`, RIGHT)).body, /<html lang="de">/);
    const urls = [
      PUBLIC_FEED,
      TEAM_FEED,
      '/',
      PRODUCT_PAGE,
      '/llms.txt',
      '/changelog/%ff',
      '/changelog/nobody',
    ];
    for (let count = 0; count < 20; count++)
      assert.equal((await at(urls[count % urls.length] as string, WRONG)).statusCode, 401);
    assert.equal((await at('/changelog//', WRONG)).statusCode, 429);
    for (const url of urls) {
      const { statusCode, headers, body } = await at(url, RIGHT);
      assert.equal(statusCode, 429, url);
      assert.match(String(headers['retry-after']), /^([1-9]|[1-5]\d|60)$/);
      // Another language would reveal that there is a product.
      assert.match(body, /^\/(changelog|$)/.test(url) ? /^<!doctype html>\s<html lang="en">/i : /^{"error":/);
    }
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
    for (const url of [PUBLIC_FEED, ...PAGES, ...LISTS]) await ask(url, { authorization: WRONG });
    assert.equal(suite.queries.length, 0);
  });
});
