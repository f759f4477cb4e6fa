import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { LISTS, PAGES, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { ACME, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

/** Another thread compresses, and may wait on a busy machine. */
const COMPRESSED_MS_MAX = 60_000;

describe('caching headers (R27)', () => {
  const suite = suiteWithWorld({ LISTING: 'all' });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it('a public response has max-age=30, an ETag, Vary: Accept-Encoding and no Last-Modified', async () => {
    for (const url of [PUBLIC_FEED, ...PAGES, ...LISTS]) {
      const { headers } = await suite.app.inject(url);
      assert.equal(headers['cache-control'], 'public, max-age=30', url);
      assert.match(String(headers.etag), /^"[\w-]+"$/);
      assert.equal(headers['last-modified'], undefined);
      assert.equal(headers.vary, 'Accept-Encoding');
    }
  });

  it('PUBLIC_MAX_AGE_SECONDS sets the max-age of public responses', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { PUBLIC_MAX_AGE_SECONDS: '5' });
    for (const url of [PUBLIC_FEED, PRODUCT_PAGE])
      assert.equal((await app.inject(url)).headers['cache-control'], 'public, max-age=5');
  });

  it('an authenticated response is private, no-cache with Vary: Authorization, and its ETag does not depend on the key', async () => {
    const [full, select] = [
      await suite.app.inject({ url: TEAM_FEED, headers: bearer(suite.world.full) }),
      await suite.app.inject({ url: TEAM_FEED, headers: bearer(suite.world.select) }),
    ];
    assert.equal(full.headers['cache-control'], 'private, no-cache');
    assert.equal(String(full.headers.vary), 'Authorization,Accept-Encoding');
    assert.equal(full.headers.etag, select.headers.etag);
    assert.notEqual(full.headers.etag, (await suite.app.inject(PUBLIC_FEED)).headers.etag);
  });

  it('304 has no body and the same ETag, Vary and Cache-Control, for GET and HEAD', async () => {
    for (const [url, headers] of [
      [PUBLIC_FEED, {}],
      [TEAM_FEED, bearer(suite.world.full)],
      [`${PUBLIC_FEED}/versions/ver_210`, {}],
      ...[...PAGES, ...LISTS].map((url) => [url, {}] as const),
    ] as const) {
      for (const method of ['GET', 'HEAD'] as const) {
        const whole = await suite.app.inject({ url, headers, method });
        const etag = String(whole.headers.etag);
        for (const candidates of [etag, `W/${etag}`, `"x", ${etag}`, '*', ` ${etag} , "y"`]) {
          const response = await suite.app.inject({
            url,
            method,
            headers: { ...headers, 'if-none-match': candidates },
          });
          assert.equal(response.statusCode, 304, candidates);
          assert.equal(response.body, '');
          for (const name of ['etag', 'vary', 'cache-control'])
            assert.deepEqual(response.headers[name], whole.headers[name]);
          assert.equal(response.headers['content-length'], undefined);
        }
      }
    }
  });

  it('a request with another ETag gets 200', async () => {
    for (const url of [PUBLIC_FEED, PRODUCT_PAGE])
      for (const candidate of ['"x"', 'x', '', 'W/"x", "y"']) {
        const response = await suite.app.inject({ url, headers: { 'if-none-match': candidate } });
        assert.equal(response.statusCode, 200, candidate);
      }
  });

  it('If-Match with * or the current ETag, in any encoding, changes nothing; it is checked before If-None-Match', async () => {
    for (const url of [PUBLIC_FEED, ...PAGES, ...LISTS, '/docs', '/api/openapi.json', '/robots.txt']) {
      const etag = String((await suite.app.inject(url)).headers.etag);
      const compressed = await suite.app.inject({ url, headers: { 'accept-encoding': 'br' } });
      for (const candidate of [etag, '*', ' * ', `"x", ${etag}`, String(compressed.headers.etag)])
        for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
          const response = await suite.app.inject({ url, method, headers: { 'if-match': candidate } });
          assert.equal(response.statusCode, method === 'OPTIONS' ? 204 : 200, `${url} ${candidate}`);
        }
      const headers = { 'if-match': etag, 'if-none-match': etag };
      assert.equal((await suite.app.inject({ url, headers })).statusCode, 304, url);
    }
  });

  it('an If-Match that does not match is 412, in the error format of its route, for GET and HEAD (R49)', async () => {
    for (const url of [
      PUBLIC_FEED,
      TEAM_FEED,
      ...PAGES,
      ...LISTS,
      '/docs',
      '/api/openapi.json',
      '/robots.txt',
    ]) {
      const key = url === TEAM_FEED ? bearer(suite.world.full) : {};
      const etag = String((await suite.app.inject({ url, headers: key })).headers.etag);
      for (const candidate of ['"x"', `W/${etag}`, etag.slice(1, -1), '', ',', `${etag}x`, 'W/"x", "y"'])
        for (const [method, ifNoneMatch] of [
          ['GET', '"x"'],
          ['HEAD', '"x"'],
          ['GET', etag],
        ] as const) {
          const headers = { ...key, 'if-match': candidate, 'if-none-match': ifNoneMatch };
          const response = await suite.app.inject({ url, method, headers });
          assert.equal(response.statusCode, 412, `${method} ${url} ${candidate}`);
          assert.equal(response.headers['cache-control'], 'no-store');
          assert.equal(response.headers.etag, undefined);
          if (method === 'HEAD') assert.equal(response.body, '');
          else if (PAGES.some((page) => page === url))
            assert.match(response.body, /^<!doctype html>.*Precondition failed/is);
          else assert.equal(response.json().error.code, 'precondition_failed');
        }
      const options = { url, method: 'OPTIONS', headers: { 'if-match': '"x"' } } as const;
      assert.equal((await suite.app.inject(options)).statusCode, 204);
    }
  });

  it('If-Match does not change any other error', async () => {
    for (const [url, status] of [
      [`${PUBLIC_FEED}/versions/none`, 404],
      ['/changelog/acme/secret', 404],
      [TEAM_FEED, 401],
      [`${PUBLIC_FEED}?limit=0`, 400],
    ] as const)
      for (const candidate of ['*', '"x"'])
        assert.equal(
          (await suite.app.inject({ url, headers: { 'if-match': candidate } })).statusCode,
          status,
        );
  });

  it('no two URLs share an ETag, and errors have none', async () => {
    const urls = [PUBLIC_FEED, ...PAGES, ...LISTS, `${PRODUCT_PAGE}?q=countdown`, `${PRODUCT_PAGE}?limit=1`];
    const etags = await Promise.all(urls.map(async (url) => (await suite.app.inject(url)).headers.etag));
    assert.equal(new Set(etags).size, urls.length);
    for (const url of [`${PRODUCT_PAGE}?from=x`, '/changelog/acme/secret', '/changelog/%ff']) {
      const { statusCode, headers } = await suite.app.inject({ url, headers: { 'if-none-match': '*' } });
      assert.ok(statusCode >= 400, url);
      assert.equal(headers.etag, undefined);
    }
  });

  it('Range and other conditions are ignored: the whole page is sent', async () => {
    const { body } = await suite.app.inject(PRODUCT_PAGE);
    for (const headers of [
      { range: 'bytes=0-10' },
      { range: 'bytes=0-10', 'if-range': '"x"' },
      { 'if-modified-since': new Date().toUTCString() },
    ]) {
      const response = await suite.app.inject({ url: PRODUCT_PAGE, headers });
      assert.equal(response.statusCode, 200);
      assert.equal(response.body, body);
    }
  });

  it('visibility is decided before If-None-Match is compared', async () => {
    const etag = String((await suite.app.inject(PUBLIC_FEED)).headers.etag);
    await runOk(suite.sandbox, ['team', 'set', 'acme', '--visibility', 'private']);
    for (const candidate of [etag, '*'])
      for (const url of [PUBLIC_FEED, ...PAGES.filter((page) => !['/', '/index.md'].includes(page))]) {
        const status = async () =>
          (await suite.app.inject({ url, headers: { 'if-none-match': candidate } })).statusCode;
        await becomes(status, 404);
      }
    const response = await suite.app.inject({ url: TEAM_FEED, headers: { 'if-none-match': '*' } });
    assert.equal(response.statusCode, 401);
    await runOk(suite.sandbox, ['team', 'set', 'acme', '--visibility', 'public']);
    await becomes(async () => (await suite.app.inject(PUBLIC_FEED)).statusCode, 200);
  });

  it('unknown query parameters change neither bytes nor ETag', async () => {
    for (const url of [PUBLIC_FEED, ...PAGES, ...LISTS]) {
      const plain = await suite.app.inject(url);
      suite.queries.length = 0;
      for (const query of ['?x=1', '?utm_source=mail&b', '?%ff=%zz', '?', '??', '?a[b]=c&a[b]=d']) {
        const response = await suite.app.inject(url + query);
        assert.equal(response.body, plain.body, url + query);
        assert.equal(response.headers.etag, plain.headers.etag, url + query);
      }
      assert.equal(suite.queries.length, 0, 'they share a cached response');
    }
  });
});

describe('ETags of large responses (R27)', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  const url = `${PUBLIC_FEED}/versions/ver_large`;
  /** The status and the ETag. */
  const askWith = async (app: TestApp, acceptEncoding: string, etag = '"x"') => {
    const headers = { 'accept-encoding': acceptEncoding, 'if-none-match': etag };
    const response = await app.inject({ url, headers });
    return [response.statusCode, response.headers.etag];
  };
  const start = async () => (await startApp(scope, sandbox)).app;

  before(async () => {
    const large = { id: 'ver_large', version: '1.0.0', title: '', description: 'word '.repeat(20_000) };
    const change = { type: 'added', text: 'word '.repeat(20_000) };
    const changes = Array.from({ length: 11 }, () => change);
    const document = structuredClone(ACME);
    const versions = [{ ...large, status: 'published', changes }];
    Object.assign(document.products[0]?.changelog ?? {}, { versions });
    await apply(sandbox, document);
  });

  it('a client that has a large response in its encoding gets 304 with its own ETag, even after a restart', async () => {
    const app = await start();
    const [status, plain] = await askWith(app, 'br');
    assert.equal(status, 200);
    const compressed = String(plain).replace(/"$/, '-br"');
    await becomes(() => askWith(app, 'br'), [200, compressed], COMPRESSED_MS_MAX);
    assert.deepEqual(await askWith(app, 'br', String(plain)), [304, plain]);
    assert.deepEqual(await askWith(app, 'br', `${plain}, ${compressed}`), [304, compressed]);

    const restarted = await start();
    assert.deepEqual(await askWith(restarted, 'gzip, br', `W/"x", ${compressed}`), [304, compressed]);
    assert.deepEqual(await askWith(restarted, 'br', `W/${compressed}`), [304, compressed]);
    // An encoding that the client does not accept does not match.
    assert.equal((await askWith(restarted, 'gzip', compressed))[0], 200);
    assert.deepEqual(await askWith(restarted, 'identity', compressed), [200, plain]);
  });
});

describe('requests from other origins (R28)', () => {
  const suite = suiteWithWorld();
  const headers = { origin: 'https://example.com' };

  it('public routes allow any origin, and expose the headers that a script needs', async () => {
    const releases = '/api/v1/repos/acme/rocket/releases';
    for (const [url, ...more] of [
      [PUBLIC_FEED],
      [`${PUBLIC_FEED}/versions/ver_none`],
      ['/api/v1/public/unknown'],
      [releases, 'X-Total-Count'],
    ] as const) {
      const response = await suite.app.inject({ url, headers });
      assert.equal(response.headers['access-control-allow-origin'], '*', url);
      const exposed = String(response.headers['access-control-expose-headers']).split(', ');
      for (const name of ['RateLimit', 'ETag', 'Link', 'Retry-After', 'X-Request-Id', ...more])
        assert.ok(exposed.includes(name), name);
    }
  });

  it('a preflight on a public route is 204 with Allow', async () => {
    const response = await suite.app.inject({
      url: PUBLIC_FEED,
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
    });
    assert.equal(response.statusCode, 204);
    assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
    assert.equal(response.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    assert.equal(response.headers['access-control-allow-headers'], '*');
    assert.equal(response.body, '');
  });

  it('authenticated routes and pages allow no other origin', async () => {
    for (const url of [TEAM_FEED, PRODUCT_PAGE, '/changelog/acme', '/changelog/%ff'])
      for (const method of ['GET', 'OPTIONS'] as const) {
        const response = await suite.app.inject({ url, method, headers });
        for (const name of Object.keys(response.headers)) assert.ok(!name.startsWith('access-control'), name);
      }
  });
});
