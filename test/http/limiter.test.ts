import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../support/app.ts';
import { suiteWithWorld } from '../support/suite.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../support/world.ts';

describe('the public limiter', () => {
  const suite = suiteWithWorld();
  const limited = async (t: { after: (f: () => void) => void }, environment = {}) =>
    (
      await startApp(t, suite.workplace, {
        PUBLIC_RATE_LIMIT: '5',
        PUBLIC_RATE_WINDOW_SECONDS: '60',
        ...environment,
      })
    ).app;

  it('is 60 requests in 60 seconds by default', async (t) => {
    const { app } = await startApp(t, suite.workplace, { PUBLIC_RATE_LIMIT: '60' });
    const answer = await app.inject(PUBLIC_FEED);
    assert.equal(answer.headers['ratelimit-policy'], '"public";q=60;w=60');
    assert.equal(answer.headers.ratelimit, '"public";r=59;t=60');
  });

  it('takes one for every kind of answer, and says how many are left on each', async (t) => {
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '9' });
    const etag = String((await suite.app.inject(PUBLIC_FEED)).headers.etag);
    const requests = [
      { expected: 200, request: { url: PUBLIC_FEED } },
      { expected: 304, request: { url: PUBLIC_FEED, headers: { 'if-none-match': etag } } },
      { expected: 200, request: { url: PUBLIC_FEED, method: 'HEAD' as const } },
      { expected: 404, request: { url: `${PUBLIC_FEED}/versions/ver_none` } },
      { expected: 404, request: { url: '/api/v1/public/unknown' } },
      { expected: 404, request: { url: '/api/v1/public/teams/%ff' } },
      { expected: 405, request: { url: PUBLIC_FEED, method: 'DELETE' as const } },
      { expected: 204, request: { url: PUBLIC_FEED, method: 'OPTIONS' as const } },
      { expected: 414, request: { url: `${PUBLIC_FEED}?${'x'.repeat(9_000)}` } },
    ];
    for (const [index, { expected, request }] of requests.entries()) {
      const answer = await app.inject(request);
      assert.equal(answer.statusCode, expected, request.url.slice(0, 80));
      assert.match(
        String(answer.headers.ratelimit),
        new RegExp(`^"public";r=${8 - index};t=(60|59)$`),
        request.url,
      );
      assert.equal(answer.headers['ratelimit-policy'], '"public";q=9;w=60');
    }
  });

  it('answers 429 with the error body, Retry-After and both fields, and looks nothing up', async (t) => {
    const { app, queries } = await startApp(t, suite.workplace, { PUBLIC_RATE_LIMIT: '1' });
    await app.inject(PUBLIC_FEED);
    queries.length = 0;
    const answer = await app.inject(PUBLIC_FEED);
    assert.equal(answer.statusCode, 429);
    assert.equal(answer.json().error.code, 'rate_limited');
    assert.match(String(answer.headers['retry-after']), /^(60|59)$/);
    assert.match(String(answer.headers.ratelimit), /^"public";r=0;t=(60|59)$/);
    assert.equal(answer.headers['ratelimit-policy'], '"public";q=1;w=60');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(queries.length, 0);
  });

  it('admits exactly the limit of a thousand at once', async (t) => {
    const { app } = await startApp(t, suite.workplace, { PUBLIC_RATE_LIMIT: '100' });
    // Held from then on: a process that is busy with a thousand requests may find its database slow.
    await app.inject({ url: PUBLIC_FEED, remoteAddress: '192.0.2.99' });
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => app.inject(PUBLIC_FEED)));
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 100);
    assert.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 900);
  });

  it('admits again when the window is over', async (t) => {
    const { app } = await startApp(t, suite.workplace, {
      PUBLIC_RATE_LIMIT: '1',
      PUBLIC_RATE_WINDOW_SECONDS: '1',
    });
    const startedAt = performance.now();
    assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    let status = 429;
    while (status === 429 && performance.now() - startedAt < 5_000)
      status = (await app.inject(PUBLIC_FEED)).statusCode;
    assert.equal(status, 200);
    assert.ok(performance.now() - startedAt >= 1_000);
  });

  it('never limits authenticated routes', async (t) => {
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '1' });
    for (let count = 0; count < 20; count++) {
      const answer = await app.inject({
        url: TEAM_FEED,
        headers: { authorization: `Bearer ${suite.world.full}` },
      });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers.ratelimit, undefined);
    }
    for (let count = 0; count < 20; count++) assert.equal((await app.inject(TEAM_FEED)).statusCode, 401);
  });

  it('counts by client: an IPv4 address, an IPv6 /64, mapped addresses unwrapped', async (t) => {
    const app = await limited(t, { PUBLIC_RATE_LIMIT: '100' });
    const left = async (remoteAddress: string) => {
      const answer = await app.inject({ url: PUBLIC_FEED, remoteAddress });
      return Number(/r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
    };
    assert.equal(await left('192.0.2.1'), 99);
    assert.equal(await left('::ffff:192.0.2.1'), 98);
    assert.equal(await left('192.0.2.2'), 99);
    assert.equal(await left('2001:db8:0:1::1'), 99);
    assert.equal(await left('2001:db8:0:1:ffff::2'), 98);
    assert.equal(await left('2001:db8:0:2::1'), 99);
  });

  it('believes X-Forwarded-For from trusted proxies alone, from the right', async (t) => {
    const app = await limited(t, {
      PUBLIC_RATE_LIMIT: '100',
      TRUSTED_PROXIES: '10.0.0.0/8,2001:db8:ffff::/48',
    });
    const left = async (remoteAddress: string, forwarded: string) => {
      const answer = await app.inject({
        url: PUBLIC_FEED,
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
      });
      return Number(/r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]);
    };
    assert.equal(await left('10.0.0.1', '203.0.113.9'), 99);
    assert.equal(await left('10.0.0.2', 'spoofed, 198.51.100.1, 203.0.113.9, 10.1.1.1'), 98);
    assert.equal(await left('192.0.2.7', '203.0.113.9'), 99, 'not a trusted proxy');
    assert.equal(await left('192.0.2.7', '203.0.113.10'), 98);
  });
});
