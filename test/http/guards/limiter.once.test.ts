import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, it } from 'node:test';
import { LISTS, PAGES, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { GUARDED, RIGHT } from '../../support/guesses.ts';
import { exchange, parseResponse, type RawResponse, rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

/** Both programs and people are limited, by the same count. */
const LIMITED = {
  'the public API': {
    url: PUBLIC_FEED,
    missing: `${PUBLIC_FEED}/versions/ver_none`,
    unknown: '/api/v1/public/unknown',
    malformed: '/api/v1/public/teams/%ff',
    wrong: `${PUBLIC_FEED}?limit=0`,
  },
  pages: {
    url: PRODUCT_PAGE,
    missing: `${PRODUCT_PAGE}/versions/ver_none`,
    unknown: '/changelog/acme/rocket/unknown',
    malformed: '/changelog/%ff',
    wrong: `${PRODUCT_PAGE}?from=nonsense`,
  },
} as const;

describe('the rate limiter', () => {
  const suite = suiteWithWorld();
  const limited = async (t: { after: (f: () => void) => void }, environment = {}) =>
    (
      await startApp(t, suite.sandbox, {
        PUBLIC_RATE_LIMIT: '5',
        PUBLIC_RATE_WINDOW_SECONDS: '60',
        ...environment,
      })
    ).app;

  it('the default limit is 60 requests in 60 seconds', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '60' });
    const response = await app.inject(PUBLIC_FEED);
    assert.equal(response.headers['ratelimit-policy'], '"public";q=60;w=60');
    assert.equal(response.headers.ratelimit, '"public";r=59;t=60');
  });

  for (const [where, { url, missing, unknown, malformed, wrong }] of Object.entries(LIMITED))
    it(`every response on ${where} counts, and shows how many requests are left`, async (t) => {
      const app = await limited(t, { PUBLIC_RATE_LIMIT: '10' });
      const { headers } = await app.inject({ url, remoteAddress: '192.0.2.99' });
      const requests = [
        { expected: 200, request: { url } },
        { expected: 304, request: { url, headers: { 'if-none-match': String(headers.etag) } } },
        { expected: 200, request: { url, method: 'HEAD' as const } },
        { expected: 404, request: { url: missing } },
        { expected: 404, request: { url: missing } },
        { expected: 404, request: { url: unknown } },
        { expected: 404, request: { url: malformed } },
        { expected: 400, request: { url: wrong } },
        { expected: 405, request: { url, method: 'DELETE' as const } },
        { expected: 414, request: { url: `${url}?${'x'.repeat(9_000)}` } },
      ];
      for (const [index, { expected, request }] of requests.entries()) {
        const response = await app.inject(request);
        assert.equal(response.statusCode, expected, request.url.slice(0, 80));
        assert.match(
          String(response.headers.ratelimit),
          new RegExp(`^"public";r=${9 - index};t=(60|59)$`),
          request.url,
        );
        assert.equal(response.headers['ratelimit-policy'], '"public";q=10;w=60');
      }
    });

  it('a preflight on a public route is neither counted nor refused, and shows how many requests are left (R46)', async (t) => {
    const ROUTES = [PUBLIC_FEED, `${PUBLIC_FEED}/changes?x=1`, `${PUBLIC_FEED}/versions/none`];
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '2' });
    const preflight = async (left: RegExp) => {
      for (const url of [...ROUTES, `${PUBLIC_FEED}/feed.atom`]) {
        const { statusCode, headers } = await app.inject({
          url,
          method: 'OPTIONS',
          headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
        });
        assert.equal(statusCode, 204, url);
        assert.match(String(headers.ratelimit), left);
        assert.equal(headers['ratelimit-policy'], '"public";q=2;w=60');
        assert.equal(headers['access-control-allow-origin'], '*');
        assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
        assert.equal(headers['access-control-max-age'], '86400');
        assert.equal(headers['retry-after'], undefined);
      }
    };
    await preflight(/^"public";r=2;t=60$/);
    assert.equal((await app.inject(PUBLIC_FEED)).headers.ratelimit, '"public";r=1;t=60');
    await preflight(/^"public";r=1;t=(60|59)$/);
    for (let count = 0; count < 3; count++) await app.inject(PUBLIC_FEED);
    await preflight(/^"public";r=0;t=(60|59)$/);
    const refused = await app.inject(PUBLIC_FEED);
    assert.equal(refused.statusCode, 429);
    const exposed = String(refused.headers['access-control-expose-headers']);
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy'])
      assert.ok(exposed.split(', ').includes(name), name);
  });

  it('OPTIONS counts elsewhere: on unknown paths and on pages, which no script of another site may read', async (t) => {
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '3' });
    const { unknown, malformed } = LIMITED['the public API'];
    const statusOf = async (url: string) => (await app.inject({ url, method: 'OPTIONS' })).statusCode;
    for (const [url, status] of [
      [unknown, 404],
      [malformed, 404],
      [PRODUCT_PAGE, 204],
    ] as const)
      assert.equal(await statusOf(url), status);
    for (const url of [unknown, malformed, PRODUCT_PAGE, '/changelog/%ff'])
      assert.equal(await statusOf(url), 429);
  });

  it('preflights pass the gate like other requests, and are free behind it', async (t) => {
    const app = await limited(t, { ...GUARDED, PUBLIC_RATE_LIMIT: '1' });
    const RIGHTLY = { authorization: RIGHT };
    const statusOf = async (method: 'GET' | 'OPTIONS', headers: Record<string, string> = RIGHTLY) =>
      (await app.inject({ url: PUBLIC_FEED, method, headers })).statusCode;
    assert.equal(await statusOf('OPTIONS', {}), 401);
    for (let count = 0; count < 3; count++) assert.equal(await statusOf('OPTIONS'), 204);
    assert.equal(await statusOf('GET'), 200);
    assert.equal(await statusOf('GET'), 429);
    assert.equal(await statusOf('OPTIONS'), 204);
  });

  it('pages, lists and the public API are counted together; paths without content are not counted', async (t) => {
    const urls = [PUBLIC_FEED, ...PAGES, ...LISTS, '/changelog/nobody', '/changelog//'];
    const app = await limited(t, { PUBLIC_RATE_LIMIT: String(urls.length), LISTING: 'all' });
    for (const [index, url] of urls.entries()) {
      for (const open of ['/docs', '/nothing', '/robots.txt', '/widget.js', '/favicon.ico'])
        assert.equal((await app.inject(open)).headers.ratelimit, undefined, open);
      const left = /r=(\d+)/.exec(String((await app.inject(url)).headers.ratelimit))?.[1];
      assert.equal(left, String(urls.length - 1 - index), url);
    }
    for (const url of urls) assert.equal((await app.inject(url)).statusCode, 429, url);
  });

  for (const [where, { url, malformed }] of Object.entries(LIMITED))
    it(`a 429 on ${where} has the error body, Retry-After and both rate limit headers, and causes no query`, async (t) => {
      const { app, queries } = await startApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '1' });
      await app.inject(url);
      queries.length = 0;
      for (const limitedUrl of [url, `${url}?q=other`, malformed]) {
        const response = await app.inject(limitedUrl);
        assert.equal(response.statusCode, 429);
        if (where === 'pages') assert.match(response.body, /^<!doctype html>.*Too many requests/is);
        else assert.equal(response.json().error.code, 'rate_limited');
        assert.match(String(response.headers['retry-after']), /^(60|59)$/);
        assert.match(String(response.headers.ratelimit), /^"public";r=0;t=(60|59)$/);
        assert.equal(response.headers['ratelimit-policy'], '"public";q=1;w=60');
        assert.equal(response.headers['cache-control'], 'no-store');
        assert.equal(
          response.headers['access-control-allow-origin'],
          where === 'pages' ? undefined : '*',
          'pages are not for scripts of other sites',
        );
      }
      assert.equal(queries.length, 0);
    });

  it('the limiter admits exactly the limit of a thousand concurrent requests', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '100' });
    // Cached from now on: a process busy with a thousand requests may find its database slow.
    await app.inject({ url: PUBLIC_FEED, remoteAddress: '192.0.2.99' });
    const responses = await Promise.all(Array.from({ length: 1_000 }, () => app.inject(PUBLIC_FEED)));
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 100);
    assert.equal(responses.filter(({ statusCode }) => statusCode === 429).length, 900);
  });

  it('the limiter admits requests again when the window is over', async (t) => {
    const { app } = await startApp(t, suite.sandbox, {
      PUBLIC_RATE_LIMIT: '1',
      PUBLIC_RATE_WINDOW_SECONDS: '1',
    });
    const startedAt = performance.now();
    assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    let status = 429;
    while (status === 429 && performance.now() - startedAt < deadline(5_000))
      status = (await app.inject(PUBLIC_FEED)).statusCode;
    assert.equal(status, 200);
    assert.ok(performance.now() - startedAt >= 1_000);
  });

  it('authenticated routes have no limit', async (t) => {
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '1' });
    for (let count = 0; count < 20; count++) {
      const response = await app.inject({
        url: TEAM_FEED,
        headers: { authorization: `Bearer ${suite.world.full}` },
      });
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers.ratelimit, undefined);
    }
    for (let count = 0; count < 20; count++) assert.equal((await app.inject(TEAM_FEED)).statusCode, 401);
  });

  it('a client is an IPv4 address or an IPv6 /64, with mapped addresses unwrapped', async (t) => {
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '100' });
    const left = async (remoteAddress: string) => {
      const response = await app.inject({ url: PUBLIC_FEED, remoteAddress });
      return Number(/r=(\d+)/.exec(String(response.headers.ratelimit))?.[1]);
    };
    assert.equal(await left('192.0.2.1'), 99);
    assert.equal(await left('::ffff:192.0.2.1'), 98);
    assert.equal(await left('192.0.2.2'), 99);
    assert.equal(await left('2001:db8:0:1::1'), 99);
    assert.equal(await left('2001:db8:0:1:ffff::2'), 98);
    assert.equal(await left('2001:db8:0:2::1'), 99);
  });

  it('X-Forwarded-For is trusted only from trusted proxies, from the right', async (t) => {
    const app = await limited(t, {
      PUBLIC_RATE_LIMIT: '100',
      TRUSTED_PROXIES: '10.0.0.0/8,2001:db8:ffff::/48',
    });
    const left = async (remoteAddress: string, forwarded: string) => {
      const response = await app.inject({
        url: PUBLIC_FEED,
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
      });
      return Number(/r=(\d+)/.exec(String(response.headers.ratelimit))?.[1]);
    };
    assert.equal(await left('10.0.0.1', '203.0.113.9'), 99);
    assert.equal(await left('10.0.0.2', 'spoofed, 198.51.100.1, 203.0.113.9, 10.1.1.1'), 98);
    assert.equal(await left('192.0.2.7', '203.0.113.9'), 99, 'not a trusted proxy');
    assert.equal(await left('192.0.2.7', '203.0.113.10'), 98);
  });

  describe('the rate limiter on a socket', () => {
    const LIMIT = 1_000;
    const left = ({ headers }: RawResponse) =>
      Number(/^"public";r=(\d+);t=\d+$/.exec(headers.ratelimit ?? '')?.[1]);
    /** Sends each on a separate connection, and expects one response that counts as one request. */
    const assertEachCostsOne = async (port: number, requests: readonly [status: number, text: string][]) => {
      let before = left(await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']));
      for (const [status, text] of requests) {
        const response = parseResponse(await exchange(port, text, { closing: true }));
        assert.equal(response.status, status, text.slice(0, 100));
        assert.equal(left(response), before - 1, text.slice(0, 100));
        assert.equal(response.headers['ratelimit-policy'], `"public";q=${LIMIT};w=60`);
        before--;
      }
    };
    const limitTo = (t: Parameters<typeof listenApp>[0], limit: number, environment = {}) =>
      listenApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: String(limit), ...environment });

    it('every method but a preflight, known or unknown, counts on every public path', async (t) => {
      const { port } = await limitTo(t, LIMIT);
      const statusOf = (method: string) =>
        (({ GET: 200, HEAD: 200 }) as Record<string, number>)[method] ?? 405;
      const methods = [
        ...METHODS.filter((method) => method !== 'OPTIONS'),
        'BREW',
        'WHEN',
        'G',
        'GETTY',
        'X-NEW',
        'SECRET_ONE',
      ];
      await assertEachCostsOne(
        port,
        methods.flatMap((method) =>
          Object.values(LIMITED).flatMap(({ url, unknown, malformed }): [number, string][] => [
            [statusOf(method), `${method} ${url} HTTP/1.1\r\nHost: x\r\n\r\n`],
            [404, `${method} ${unknown} HTTP/1.1\r\nHost: x\r\n\r\n`],
            [404, `${method} ${malformed} HTTP/1.1\r\nHost: x\r\n\r\n`],
          ]),
        ),
      );
    });

    for (const [where, { url, malformed }] of Object.entries(LIMITED))
      it(`a malformed request counts on ${where} if its path is readable`, async (t) => {
        const { port } = await limitTo(t, LIMIT);
        const host = 'Host: x\r\n\r\n';
        await assertEachCostsOne(port, [
          [405, `BREW ${url} HTTP/1.0\r\n\r\n`],
          [405, `BREW http://elsewhere${url}?x=1 HTTP/1.1\r\n${host}`],
          [405, `BREW ${url.replace('a', '%61')} HTTP/1.1\r\n${host}`],
          [404, `BREW ${malformed} HTTP/1.1\r\n${host}`],
          [405, `\r\n\r\nBREW ${url} HTTP/1.1\r\n${host}`],
          [400, `get ${url} HTTP/1.1\r\n${host}`],
          [400, `BREW ${url}\r\n${host}`],
          [400, `GET ${url} HTTP/9.9\r\n${host}`],
          [400, `GET ${url} ICE/1.0\r\n${host}`],
          [400, `GET ${url}?\u0001 HTTP/1.1\r\n${host}`],
          [400, `GET ${url} HTTP/1.1\r\nNo colon here\r\n${host}`],
          [400, `GET ${url} HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n${host}`],
          [400, `GET ${url} HTTP/1.1\r\n\r\n`],
          [414, `GET ${url}?${'a'.repeat(30_000)} HTTP/1.1\r\n${host}`],
          [431, `GET ${url} HTTP/1.1\r\nX-Long: ${'a'.repeat(20_000)}\r\n${host}`],
          [200, `GET ${url} HTTP/1.0\r\n\r\n`],
          [200, `GET http://elsewhere${url} HTTP/1.1\r\n${host}`],
          [200, `GET ${url} HTTP/1.1\r\nExpect: 100-continue\r\n${host}`],
          [200, `GET ${url} HTTP/1.1\r\nExpect: miracles\r\n${host}`],
          [200, `GET ${url} HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n${host}`],
        ]);
      });

    it('each of several pipelined requests counts', async (t) => {
      const { port } = await limitTo(t, LIMIT);
      const ask = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const send = async (...requests: string[]) =>
        (await exchange(port, requests.join(''), { closing: true }))
          .split(/(?=HTTP\/1\.1 \d)/)
          .map(parseResponse);
      const seen = (responses: readonly RawResponse[]) =>
        responses.map((response) => [response.status, left(response)]);
      const get = ask('GET', PUBLIC_FEED);
      assert.deepEqual(seen(await send(get, get, ask('BREW', `${PUBLIC_FEED}/versions/x`))), [
        [200, LIMIT - 1],
        [200, LIMIT - 2],
        [405, LIMIT - 3],
      ]);
      assert.deepEqual(
        seen(await send(ask('GET', '/nothing'), ask('BREW', PUBLIC_FEED), get)),
        [
          [404, Number.NaN],
          [405, LIMIT - 4],
        ],
        'nothing is read behind it',
      );
      assert.deepEqual(
        seen(await send(get, ask('BREW', TEAM_FEED))),
        [
          [200, LIMIT - 5],
          [405, Number.NaN],
        ],
        'not by the path of the one before',
      );
      const withBody = `POST ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`;
      assert.deepEqual(seen(await send(withBody, ask('BREW', PUBLIC_FEED))), [
        [405, LIMIT - 6],
        [400, LIMIT - 7],
      ]);
    });

    it('an unknown method gets 429 when no requests are left', async (t) => {
      const { port, logLines } = await limitTo(t, 1, { TRUSTED_PROXIES: '127.0.0.1' });
      const brew = (client: string, path = PUBLIC_FEED) =>
        rawRequest(port, [`BREW ${path} HTTP/1.1`, 'Host: x', `X-Forwarded-For: 203.0.113.9, ${client}`]);
      assert.equal((await brew('198.51.100.1')).status, 405);
      const response = await brew('198.51.100.1');
      assert.equal(response.status, 429);
      assert.equal(JSON.parse(response.body).error.code, 'rate_limited');
      assert.match(response.headers['retry-after'] ?? '', /^(60|59)$/);
      assert.match(response.headers.ratelimit ?? '', /^"public";r=0;t=(60|59)$/);
      assert.match(
        logLines.at(-1) ?? '',
        /"status":429.*"client":"198\.51\.100\.1","keyId":null,"msg":"request"/,
      );
      assert.equal((await brew('198.51.100.2')).status, 405, 'another client');
      const page = await brew('198.51.100.1', PRODUCT_PAGE);
      assert.deepEqual([page.status, page.headers['content-type']], [429, 'text/html; charset=utf-8']);
      assert.match(page.headers['retry-after'] ?? '', /^(60|59)$/);
      const other = await brew('198.51.100.1', TEAM_FEED);
      assert.deepEqual([other.status, other.headers.ratelimit], [405, undefined]);
    });

    it('malformed requests that did not pass the gate do not count', async (t) => {
      const { port } = await listenApp(t, suite.sandbox, { ...GUARDED, PUBLIC_RATE_LIMIT: '2' });
      for (const line of [
        `BREW ${PUBLIC_FEED} HTTP/1.1`,
        `GET ${PUBLIC_FEED} HTTP/9.9`,
        'GET /api/x HTTP/9.9',
        `BREW ${PRODUCT_PAGE} HTTP/1.1`,
        'GET / HTTP/9.9',
        'GET /changelog// HTTP/9.9',
        'GET /llms.txt HTTP/9.9',
      ]) {
        const rejected = await rawRequest(port, [line, 'Host: x']);
        assert.equal(rejected.status, 401, line);
        assert.match(rejected.headers['www-authenticate'] ?? '', /^Basic /);
        assert.equal(rejected.headers.ratelimit, undefined);
      }
      const passed = await rawRequest(port, [
        `GET ${PUBLIC_FEED} HTTP/1.1`,
        'Host: x',
        `Authorization: ${RIGHT}`,
      ]);
      assert.deepEqual([passed.status, left(passed)], [200, 1]);
    });
  });
});
