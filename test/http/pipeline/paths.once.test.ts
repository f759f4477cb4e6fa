import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import { API_ERRORS } from '../../../src/errors.ts';
import {
  CHANGES_PAGE,
  LISTS,
  MALFORMED_PAGES,
  PAGES,
  PRODUCT_PAGE,
  UNKNOWN_PAGES,
  VERSION_PAGE,
} from '../../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { exchange, parseResponse, rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const HTML = 'text/html; charset=utf-8';

describe('paths (R17)', () => {
  const suite = suiteWithWorld();
  const MALFORMED = [
    '/api/v1/S/acme%2Fx/products/rocket/changelog',
    '/api/v1/S/acme/products/rocket%2fchangelog',
    '/api/v1/S/acme/products/rocket/changelog%2Fversions/ver_210',
    '/api/v1/S/ac%00me/products/rocket/changelog',
    '/api/v1/S/acme/products/rocket/changelog/versions/%00',
    '/api/v1/S/%ff/products/rocket/changelog',
    '/api/v1/S/acme/products/%c3%28/changelog',
    '/api/v1/S/acme/products/%/changelog',
    '/api/v1/S/acme/products/%zz/changelog',
    `/api/v1/S/${'a'.repeat(129)}/products/rocket/changelog`,
    `/api/v1/S/acme/products/rocket/changelog/versions/ver_${'1'.repeat(3000)}`,
    '/api/v1/S/acme/products/rocket/changelog/',
    '/api/v1/S/acme/products//rocket/changelog',
    '/api/v1//S/acme/products/rocket/changelog',
    '//api/v1/S/acme/products/rocket/changelog',
    '/api/v1/S/acme/products/rocket/changelog/versions/',
    '/api/v1/S/acme/products/rocket/changelog/versions//',
  ].flatMap((path) => [path.replace('S', 'public/teams'), path.replace('S', 'teams')]);

  it('a path with an encoded slash, NUL, invalid UTF-8, an overlong segment or an empty one is 404 without a query', async () => {
    suite.queries.length = 0;
    for (const url of MALFORMED) {
      const response = await suite.app.inject({
        url,
        headers: { authorization: `Bearer ${suite.world.full}` },
      });
      assert.equal(response.statusCode, 404, url);
      assert.equal(response.json().error.code, 'not_found', url);
      assert.equal(response.headers.location, undefined);
    }
    for (const url of MALFORMED_PAGES) {
      const response = await suite.app.inject(url);
      assert.equal(response.statusCode, 404, url);
      assert.match(response.body, /^<!doctype html>/i);
      assert.equal(response.headers.location, undefined);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('a path is decoded once: an encoded letter is that letter, and an encoded percent sign is not decoded again', async () => {
    assert.equal(
      (await suite.app.inject('/%61pi/v1/public/teams/acm%65/products/rocket/changelo%67')).statusCode,
      200,
    );
    assert.equal(
      (await suite.app.inject('/api/v1/public/teams/acm%2565/products/rocket/changelog')).statusCode,
      404,
    );
    for (const [url, status] of [
      ['/%63hangelog/acm%65/r%6fcket', 200],
      ['/changelog/acme/rocket/%76ersions/2%2e1.0', 200],
      ['/changelog/acme/rocket/versions/%6catest', 200],
      ['/changelog/acm%2565/rocket', 404],
      ['/changelog/acme/rocket/versions/2%252e1.0', 404],
    ] as const)
      assert.equal((await suite.app.inject(url)).statusCode, status, url);
  });

  it('a path with an invalid slug is 404, without a query on the public surface', async () => {
    suite.queries.length = 0;
    for (const slug of [
      'Acme',
      'ACME',
      '-acme',
      'acme-',
      'ac_me',
      'a'.repeat(65),
      'ä',
      'acme.',
      '../..',
      '*',
    ]) {
      const name = encodeURIComponent(slug);
      for (const url of [
        `/api/v1/public/teams/${name}/products/rocket/changelog`,
        `/changelog/${name}`,
        `/changelog/acme/${name}`,
        `/changelog/acme/${name}/changes.md`,
        `/changelog/acme/${name}/versions/latest`,
      ])
        assert.equal((await suite.app.inject(url)).statusCode, 404, url);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('an unknown path outside /api links to the reference, at a URL that no request can influence', async (t) => {
    const hostile = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const { app } = await startApp(t, suite.sandbox, { BASE_URL: 'https://changelög.example/notes/' });
    for (const url of ['/docs/', '/index.html', '/apis', '/%ff', '//api', '/llms.txt', '/x?<script>']) {
      const response = await app.inject({ url, headers: { ...hostile, accept: 'text/html' } });
      assert.equal(response.statusCode, 404, url);
      assert.deepEqual(response.json(), {
        error: {
          code: 'not_found',
          message:
            'Nothing was found here. The API is described at https://xn--changelg-t4a.example/notes/docs',
        },
      });
      assert.equal(response.headers['cache-control'], 'no-store');
    }
    const { app: zoned } = await startApp(t, suite.sandbox, { HOST: 'fe80::1%eth0' });
    assert.equal((await zoned.inject('/x')).body, (await suite.app.inject('/api')).body);
    const { port, address } = await listenApp(t, suite.sandbox);
    for (const method of ['GET', 'DELETE', 'BREW']) {
      const { status, body } = await rawRequest(port, [`${method} /x HTTP/1.1`, 'Host: evil.example']);
      assert.equal(status, 404);
      assert.ok(JSON.parse(body).error.message.endsWith(` ${address}/docs`), method);
    }
  });

  it('an unknown or malformed path under /api looks exactly like a version that does not exist (R9)', async () => {
    const missing = await suite.app.inject(`${PUBLIC_FEED}/versions/ver_none`);
    for (const url of ['/api', '/api/', '/api/v2', '/api/v1/public/unknown', '/api/v1/public/%ff'])
      assert.equal((await suite.app.inject(url)).body, missing.body, url);
  });

  it('an absolute URL in the request line, as proxies send it, is routed by its path', async (t) => {
    const { port } = await listenApp(t, suite.sandbox, { LISTING: 'all' });
    for (const path of [PUBLIC_FEED, PRODUCT_PAGE, '/', '']) {
      const response = await rawRequest(port, [
        `GET http://changelog.example.com${path}?x HTTP/1.1`,
        'Host: x',
      ]);
      assert.equal(response.status, 200, path);
    }
  });
});

describe('methods (R18)', () => {
  const suite = suiteWithWorld();

  it('HEAD returns what GET returns, without the body', async (t) => {
    const { port } = await listenApp(t, suite.sandbox, { LISTING: 'all' });
    for (const path of [
      ...PAGES,
      ...LISTS,
      ...UNKNOWN_PAGES,
      '/changelog//',
      `${PRODUCT_PAGE}?from=nonsense`,
      PUBLIC_FEED,
      `${PUBLIC_FEED}/versions/ver_210`,
      `${PUBLIC_FEED}/versions/ver_none`,
      TEAM_FEED,
    ]) {
      const get = await rawRequest(port, [`GET ${path} HTTP/1.1`, 'Host: x']);
      const head = await rawRequest(port, [`HEAD ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(head.status, get.status);
      assert.equal(head.body, '');
      assert.equal(head.headers['content-length'], String(get.body.length));
      const same = (lines: string[]) =>
        lines.filter((line) => !/^(date|ratelimit|x-request-id):/i.test(line));
      assert.deepEqual(same(head.headerLines), same(get.headerLines));
    }
  });

  it('every other method is 405 with Allow on a known route and 404 on an unknown one, with the body unread', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'OPTIONS'].includes(name))) {
      for (const [path, status] of [
        [PUBLIC_FEED, 405],
        [TEAM_FEED, 405],
        ['/api/v1/public/unknown', 404],
        ['/x', 404],
        [PRODUCT_PAGE, 405],
        [`${CHANGES_PAGE}?from=nonsense`, 405],
        ['/changelog', 404],
        ['/changelog/%ff', 404],
      ] as const) {
        const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: nonsense', 'Content-Length: 5'];
        const response = await rawRequest(port, head, 'hello');
        assert.equal(response.status, status, `${method} ${path}`);
        assert.equal(response.headers.allow, status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
        if (path.startsWith('/changelog'))
          assert.match(response.body, status === 405 ? /<h1>Method not allowed/ : /<h1>Page not found/);
        else
          assert.equal(
            JSON.parse(response.body).error.code,
            status === 405 ? 'method_not_allowed' : 'not_found',
          );
      }
    }
  });

  it('an unknown method is 405 or 404 likewise, after the 401 of the gate', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    for (const path of [PUBLIC_FEED, TEAM_FEED, `${PUBLIC_FEED}/versions/ver_210?x=1`]) {
      const response = await rawRequest(port, [`BREW ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(response.status, 405, path);
      assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
      assert.equal(JSON.parse(response.body).error.code, 'method_not_allowed');
    }
    assert.equal((await rawRequest(port, ['BREW /api/v1/teams HTTP/1.1', 'Host: x'])).status, 404);
    for (const [path, status] of [
      [VERSION_PAGE, 405],
      ['/changelog/acme/rocket/versions', 404],
    ] as const) {
      const response = await rawRequest(port, [`BREW ${path} HTTP/1.1`, 'Host: x']);
      assert.deepEqual([response.status, response.headers['content-type']], [status, HTML]);
      assert.equal(response.headers.allow, status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
      const known = await rawRequest(port, [`DELETE ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(response.body, known.body);
    }
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'visitor',
      PASSWORD_PROTECTION_PASSWORD: 'open sesame',
    };
    const gated = await listenApp(t, suite.sandbox, gate);
    const refused = await rawRequest(gated.port, [`BREW ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']);
    assert.equal(refused.status, 401);
    assert.match(refused.headers['www-authenticate'] ?? '', /^Basic /);
  });

  it('a request within the body of another is none, whatever follows it', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const inner = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`;
    const outer = `POST ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n`;
    const responses = await exchange(port, `${outer}${inner}?`);
    assert.deepEqual(responses.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 405', 'HTTP/1.1 400']);
  });

  it('an RTSP method, which the parser accepts, is 405 or 404 likewise', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    for (const method of ['DESCRIBE', 'SETUP', 'PLAY', 'TEARDOWN']) {
      assert.equal(
        (await rawRequest(port, [`${method} ${PUBLIC_FEED} RTSP/1.0`, 'Host: x'])).status,
        405,
        method,
      );
      assert.equal((await rawRequest(port, [`${method} /nothing RTSP/1.0`, 'Host: x'])).status, 404, method);
    }
  });

  it('CONNECT gets its response in order, and a client that disconnects does no harm', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const connectRequest = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const responses = await exchange(port, `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n${connectRequest}`);
    assert.deepEqual(responses.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404']);
    for (let count = 0; count < 100; count++) {
      const socket = net.connect({ port, host: '127.0.0.1' });
      socket.write(connectRequest, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    assert.equal((await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x'])).status, 200);
  });

  it('Upgrade is ignored: the request gets its response, and the connection is closed', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const text = await exchange(
      port,
      `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.match(text, /\r\nConnection: close\r\n/i);
  });

  it('OPTIONS is 204 with Allow on known routes, 404 on unknown ones', async () => {
    for (const url of [PUBLIC_FEED, TEAM_FEED, `${TEAM_FEED}/versions/x`, PRODUCT_PAGE, VERSION_PAGE]) {
      const response = await suite.app.inject({ url, method: 'OPTIONS' });
      assert.equal(response.statusCode, 204);
      assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
    }
    for (const url of ['/api/v1/none', '/changelog', '/changelog/%ff'])
      assert.equal((await suite.app.inject({ url, method: 'OPTIONS' })).statusCode, 404, url);
  });

  it('GET with a body gets its response, and the connection stays open', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const first = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\nnot json!`;
    const response = await rawRequest(port, [`${first}GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']);
    assert.equal(response.status, 200);
    assert.equal(response.body.split('HTTP/1.1 200 OK').length, 2, 'a second response follows the first');
  });
});

describe('errors (R19)', () => {
  const suite = suiteWithWorld();

  it('the error catalogue has exactly the specified codes and statuses', () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(API_ERRORS).map(([code, { status }]) => [code, status])),
      {
        bad_request: 400,
        unauthorized: 401,
        forbidden: 403,
        not_found: 404,
        method_not_allowed: 405,
        request_timeout: 408,
        precondition_failed: 412,
        uri_too_long: 414,
        rate_limited: 429,
        headers_too_large: 431,
        internal_error: 500,
        unavailable: 503,
      },
    );
  });

  it('errors of the HTTP parser have the same shape: 400, 414, 431', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const get = `GET ${PUBLIC_FEED} HTTP/1.1`;
    const cases: [number, string, string[]][] = [
      [400, 'bad_request', ['nonsense / HTTP/1.1', 'Host: x']],
      [400, 'bad_request', ['NONSENSE HTTP/1.1', 'Host: x']],
      [400, 'bad_request', [get, 'Host: x', 'No colon here']],
      [400, 'bad_request', [get, 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
      [400, 'bad_request', [get]],
      [400, 'bad_request', [get, 'Host: x', 'Host: y']],
      [414, 'uri_too_long', [`GET /api/${'a'.repeat(8_100)} HTTP/1.1`, 'Host: x']],
      [414, 'uri_too_long', [`GET ${PUBLIC_FEED}?${'a'.repeat(30_000)} HTTP/1.1`, 'Host: x']],
      [431, 'headers_too_large', [get, 'Host: x', `X-Long: ${'a'.repeat(20_000)}`]],
      [
        431,
        'headers_too_large',
        [get, 'Host: x', ...Array.from({ length: 120 }, (_, index) => `X-${index}: y`)],
      ],
    ];
    for (const [status, code, head] of cases) {
      const response = await rawRequest(port, head);
      assert.equal(response.status, status, head.join().slice(0, 100));
      assert.equal(JSON.parse(response.body).error.code, code);
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
    }
  });

  it('a character that is invalid in a URL is 400', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const ask = async (target: string) => {
      const bytes = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1');
      const { status, body } = parseResponse(await exchange(port, bytes, { closing: true }));
      return { status, message: JSON.parse(body).error?.message };
    };
    for (const raw of ['caf\u00e9', 'caf\u00c3\u00a9', '\u00ff', 'a b', 'a\tb', '\u0001', '\u007f'])
      for (const target of [`${PUBLIC_FEED}?q=${raw}`, `${TEAM_FEED}?${raw}=1`, `/api/${raw}`, `/${raw}`]) {
        const { status, message } = await ask(target);
        assert.equal(status, 400, target);
        assert.equal(message, API_ERRORS.bad_request.message, target);
      }
    assert.equal((await ask(`${PUBLIC_FEED}?q=caf%C3%A9`)).status, 200);
    const other = await exchange(port, 'GET / ICE/1.0\r\n\r\n', { closing: true });
    assert.equal(JSON.parse(parseResponse(other).body).error.message, API_ERRORS.bad_request.message);
  });

  it('errors on pages are pages, even those found before routing (R39)', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const get = `GET ${PRODUCT_PAGE} HTTP/1.1`;
    for (const [status, head] of [
      [400, [get]],
      [400, [get, 'Host: x', 'Host: y']],
      [414, [`GET /changelog/${'a'.repeat(8_100)} HTTP/1.1`, 'Host: x']],
      [414, [`GET ${PRODUCT_PAGE}?${'type=added&'.repeat(800)} HTTP/1.1`, 'Host: x']],
      [414, [`GET ${PRODUCT_PAGE}?${'type=added&'.repeat(100_000)} HTTP/1.1`, 'Host: x']],
      [431, [get, 'Host: x', `X-Long: ${'a'.repeat(20_000)}`]],
      [431, [get, 'Host: x', ...Array.from({ length: 120 }, (_, index) => `X-${index}: y`)]],
    ] as const) {
      const response = await rawRequest(port, head);
      assert.equal(response.status, status, head.join().slice(0, 100));
      assert.match(response.body, /^<!doctype html>/i);
      assert.match(response.headers['content-security-policy'] ?? '', /^default-src 'none'; /);
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.equal(response.headers['content-type'], HTML);
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
    }
  });

  it('an error reaches a client whose earlier request on the connection had a body', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const socket = net.connect({ port, host: '127.0.0.1' });
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });
    socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n`);
    await once(socket, 'data');
    // The response has arrived; now the body follows, then bytes that are not a request.
    socket.write('{"a":1}');
    socket.write('no request at all\r\n\r\n');
    await once(socket, 'close');
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('an unknown expectation is ignored, and HTTP/1.0 needs no Host', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    assert.equal(
      (await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x', 'Expect: miracles'])).status,
      200,
    );
    assert.equal((await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.0`])).status, 200);
  });

  it('Expect: 100-continue gets the final response at once, and in order', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const request = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`;
    const text = await exchange(port, `${request}\r\n${request}Expect: 100-continue\r\n\r\n`);
    const responses = text.split(/(?=HTTP\/1\.1 )/).map(parseResponse);
    assert.equal(responses.length, 2);
    for (const response of responses) {
      assert.equal(response.status, 200);
      assert.equal(JSON.parse(response.body).data.object, 'changelog');
    }
  });

  it('errors carry nosniff and do not reveal the software behind them', async () => {
    for (const url of [PUBLIC_FEED, TEAM_FEED, '/api/v1/none', '/', PRODUCT_PAGE, '/changelog/%ff']) {
      const { headers } = await suite.app.inject(url);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers.server, undefined);
    }
  });
});
