import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import { API_ERRORS } from '../../../src/errors.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { listenApp } from '../../../support/program/app.ts';
import { exchange, parseResponse, rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

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

  it('404 before the database: encoded slash, NUL, invalid UTF-8, overlong, trailing and doubled slashes', async () => {
    suite.queries.length = 0;
    for (const url of MALFORMED) {
      const answer = await suite.app.inject({
        url,
        headers: { authorization: `Bearer ${suite.world.full}` },
      });
      assert.equal(answer.statusCode, 404, url);
      assert.equal(answer.json().error.code, 'not_found', url);
      assert.equal(answer.headers.location, undefined);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('decodes once: an encoded letter is the letter, an encoded percent sign is not decoded again', async () => {
    assert.equal(
      (await suite.app.inject('/%61pi/v1/public/teams/acm%65/products/rocket/changelo%67')).statusCode,
      200,
    );
    assert.equal(
      (await suite.app.inject('/api/v1/public/teams/acm%2565/products/rocket/changelog')).statusCode,
      404,
    );
  });

  it('404 for slugs that cannot be, without a query on the public surface', async () => {
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
      const url = `/api/v1/public/teams/${encodeURIComponent(slug)}/products/rocket/changelog`;
      assert.equal((await suite.app.inject(url)).statusCode, 404, slug);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('reads a whole address, as a proxy may send it, by its path', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const answer = await rawRequest(port, [
      `GET http://changelog.example.com${PUBLIC_FEED}?x HTTP/1.1`,
      'Host: x',
    ]);
    assert.equal(answer.status, 200);
  });
});

describe('methods (R18)', () => {
  const suite = suiteWithWorld();

  it('HEAD answers as GET without a body', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    for (const path of [
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
      const same = (lines: string[]) => lines.filter((line) => !/^(date|ratelimit):/i.test(line));
      assert.deepEqual(same(head.headerLines), same(get.headerLines));
    }
  });

  it('405 with Allow for every other method on a known route, 404 on an unknown one, bodies unread', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'OPTIONS'].includes(name))) {
      for (const [path, status] of [
        [PUBLIC_FEED, 405],
        [TEAM_FEED, 405],
        ['/api/v1/public/unknown', 404],
        ['/', 404],
      ] as const) {
        const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: nonsense', 'Content-Length: 5'];
        const answer = await rawRequest(port, head, 'hello');
        assert.equal(answer.status, status, `${method} ${path}`);
        assert.equal(answer.headers.allow, status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
        if (method !== 'HEAD')
          assert.equal(
            JSON.parse(answer.body).error.code,
            status === 405 ? 'method_not_allowed' : 'not_found',
          );
      }
    }
  });

  it('405 and 404 alike for methods that nobody knows, and the 401 of the gate before', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    for (const path of [PUBLIC_FEED, TEAM_FEED, `${PUBLIC_FEED}/versions/ver_210?x=1`]) {
      const answer = await rawRequest(port, [`BREW ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(answer.status, 405, path);
      assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
      assert.equal(JSON.parse(answer.body).error.code, 'method_not_allowed');
    }
    assert.equal((await rawRequest(port, ['BREW /api/v1/teams HTTP/1.1', 'Host: x'])).status, 404);
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'visitor',
      PASSWORD_PROTECTION_PASSWORD: 'open sesame',
    };
    const gated = await listenApp(t, suite.workplace, gate);
    const refused = await rawRequest(gated.port, [`BREW ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']);
    assert.equal(refused.status, 401);
    assert.match(refused.headers['www-authenticate'] ?? '', /^Basic /);
  });

  it('405 and 404 alike for the methods of RTSP, which the parser takes', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    for (const method of ['DESCRIBE', 'SETUP', 'PLAY', 'TEARDOWN']) {
      assert.equal(
        (await rawRequest(port, [`${method} ${PUBLIC_FEED} RTSP/1.0`, 'Host: x'])).status,
        405,
        method,
      );
      assert.equal((await rawRequest(port, [`${method} /nothing RTSP/1.0`, 'Host: x'])).status, 404, method);
    }
  });

  it('CONNECT is answered in its turn, and a client that breaks off does no harm', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const connectRequest = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await exchange(port, `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n${connectRequest}`);
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404']);
    for (let count = 0; count < 100; count++) {
      const socket = net.connect({ port, host: '127.0.0.1' });
      socket.write(connectRequest, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    assert.equal((await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x'])).status, 200);
  });

  it('Upgrade is ignored: the request is answered, and the connection closed', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const text = await exchange(
      port,
      `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.match(text, /\r\nConnection: close\r\n/i);
  });

  it('OPTIONS is 204 with Allow on known routes, 404 on unknown ones', async () => {
    for (const url of [PUBLIC_FEED, TEAM_FEED, `${TEAM_FEED}/versions/x`]) {
      const answer = await suite.app.inject({ url, method: 'OPTIONS' });
      assert.equal(answer.statusCode, 204);
      assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
    }
    assert.equal((await suite.app.inject({ url: '/api/v1/none', method: 'OPTIONS' })).statusCode, 404);
  });

  it('GET with a body is answered, and the connection goes on', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const first = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\nnot json!`;
    const answer = await rawRequest(port, [`${first}GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.split('HTTP/1.1 200 OK').length, 2, 'a second answer follows the first');
  });
});

describe('errors (R19)', () => {
  const suite = suiteWithWorld();

  it('the catalogue has exactly the agreed codes and statuses', () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(API_ERRORS).map(([code, { status }]) => [code, status])),
      {
        bad_request: 400,
        unauthorized: 401,
        forbidden: 403,
        not_found: 404,
        method_not_allowed: 405,
        request_timeout: 408,
        uri_too_long: 414,
        rate_limited: 429,
        headers_too_large: 431,
        internal_error: 500,
        unavailable: 503,
      },
    );
  });

  it('below the routes have the same shape: 400, 414, 431', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
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
      const answer = await rawRequest(port, head);
      assert.equal(answer.status, status, head.join().slice(0, 100));
      assert.equal(JSON.parse(answer.body).error.code, code);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    }
  });

  it('reach a client whose earlier request on the connection had a body', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const socket = net.connect({ port, host: '127.0.0.1' });
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });
    socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n`);
    await once(socket, 'data');
    // The answer is there; now the body comes, and then something that is no request.
    socket.write('{"a":1}');
    socket.write('no request at all\r\n\r\n');
    await once(socket, 'close');
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('an unknown expectation is ignored, and HTTP/1.0 needs no Host', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    assert.equal(
      (await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x', 'Expect: miracles'])).status,
      200,
    );
    assert.equal((await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.0`])).status, 200);
  });

  it('answers who asks whether to send a body at once, and in its turn', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const request = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`;
    const text = await exchange(port, `${request}\r\n${request}Expect: 100-continue\r\n\r\n`);
    const answers = text.split(/(?=HTTP\/1\.1 )/).map(parseResponse);
    assert.equal(answers.length, 2);
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.equal(JSON.parse(answer.body).data.object, 'changelog');
    }
  });

  it('carry nosniff and no trace of what runs behind them', async () => {
    for (const url of [PUBLIC_FEED, TEAM_FEED, '/api/v1/none', '/']) {
      const { headers } = await suite.app.inject(url);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers.server, undefined);
    }
  });
});
