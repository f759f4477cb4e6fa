import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { startApp } from '../../../support/program/app.ts';
import { runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

describe('caching headers (R27)', () => {
  const suite = suiteWithWorld();
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it('public: public, max-age=30, an ETag, Vary: Accept-Encoding, no Last-Modified', async () => {
    const { headers } = await suite.app.inject(PUBLIC_FEED);
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.match(String(headers.etag), /^"[\w-]+"$/);
    assert.equal(headers['last-modified'], undefined);
    assert.equal(headers.vary, 'Accept-Encoding');
  });

  it('public: max-age follows PUBLIC_MAX_AGE_SECONDS', async (t) => {
    const { app } = await startApp(t, suite.workplace, { PUBLIC_MAX_AGE_SECONDS: '5' });
    assert.equal((await app.inject(PUBLIC_FEED)).headers['cache-control'], 'public, max-age=5');
  });

  it('authenticated: private, no-cache and Vary: Authorization, with an ETag that does not depend on the key', async () => {
    const [full, select] = [
      await suite.app.inject({ url: TEAM_FEED, headers: bearer(suite.world.full) }),
      await suite.app.inject({ url: TEAM_FEED, headers: bearer(suite.world.select) }),
    ];
    assert.equal(full.headers['cache-control'], 'private, no-cache');
    assert.equal(String(full.headers.vary), 'Authorization,Accept-Encoding');
    assert.equal(full.headers.etag, select.headers.etag);
    assert.notEqual(full.headers.etag, (await suite.app.inject(PUBLIC_FEED)).headers.etag);
  });

  it('304 without a body, with the same ETag, Vary and Cache-Control, for GET and HEAD', async () => {
    for (const [url, headers] of [
      [PUBLIC_FEED, {}],
      [TEAM_FEED, bearer(suite.world.full)],
      [`${PUBLIC_FEED}/versions/ver_210`, {}],
    ] as const) {
      for (const method of ['GET', 'HEAD'] as const) {
        const whole = await suite.app.inject({ url, headers, method });
        const etag = String(whole.headers.etag);
        for (const candidates of [etag, `W/${etag}`, `"x", ${etag}`, '*', ` ${etag} , "y"`]) {
          const answer = await suite.app.inject({
            url,
            method,
            headers: { ...headers, 'if-none-match': candidates },
          });
          assert.equal(answer.statusCode, 304, candidates);
          assert.equal(answer.body, '');
          for (const name of ['etag', 'vary', 'cache-control'])
            assert.deepEqual(answer.headers[name], whole.headers[name]);
          assert.equal(answer.headers['content-length'], undefined);
        }
      }
    }
  });

  it('200 for another ETag', async () => {
    for (const candidate of ['"x"', 'x', '', 'W/"x", "y"']) {
      const answer = await suite.app.inject({ url: PUBLIC_FEED, headers: { 'if-none-match': candidate } });
      assert.equal(answer.statusCode, 200, candidate);
    }
  });

  it('decides visibility before it looks at If-None-Match', async () => {
    const etag = String((await suite.app.inject(PUBLIC_FEED)).headers.etag);
    await runOk(suite.workplace, ['team', 'set', 'acme', '--visibility', 'private']);
    for (const candidate of [etag, '*']) {
      const status = async () =>
        (await suite.app.inject({ url: PUBLIC_FEED, headers: { 'if-none-match': candidate } })).statusCode;
      await becomes(status, 404);
    }
    const answer = await suite.app.inject({ url: TEAM_FEED, headers: { 'if-none-match': '*' } });
    assert.equal(answer.statusCode, 401);
    await runOk(suite.workplace, ['team', 'set', 'acme', '--visibility', 'public']);
    await becomes(async () => (await suite.app.inject(PUBLIC_FEED)).statusCode, 200);
  });

  it('ignores unknown query parameters: the same bytes and ETag', async () => {
    const plain = await suite.app.inject(PUBLIC_FEED);
    for (const query of ['?x=1', '?utm_source=mail&b', '?%ff=%zz', '?', '??', '?a[b]=c&a[b]=d']) {
      const answer = await suite.app.inject(PUBLIC_FEED + query);
      assert.equal(answer.body, plain.body, query);
      assert.equal(answer.headers.etag, plain.headers.etag, query);
    }
  });
});

describe('other origins (R28)', () => {
  const suite = suiteWithWorld();
  const headers = { origin: 'https://example.com' };

  it('public routes allow any, and expose what a script needs', async () => {
    for (const url of [PUBLIC_FEED, `${PUBLIC_FEED}/versions/ver_none`, '/api/v1/public/unknown']) {
      const answer = await suite.app.inject({ url, headers });
      assert.equal(answer.headers['access-control-allow-origin'], '*', url);
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
      for (const name of ['RateLimit', 'ETag', 'Link', 'Retry-After'])
        assert.ok(exposed.includes(name), name);
    }
  });

  it('a preflight on a public route is 204 with Allow', async () => {
    const answer = await suite.app.inject({
      url: PUBLIC_FEED,
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
    });
    assert.equal(answer.statusCode, 204);
    assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
    assert.equal(answer.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    assert.equal(answer.headers['access-control-allow-headers'], '*');
    assert.equal(answer.body, '');
  });

  it('authenticated routes allow none', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await suite.app.inject({ url: TEAM_FEED, method, headers });
      for (const name of Object.keys(answer.headers)) assert.ok(!name.startsWith('access-control'), name);
    }
  });
});
