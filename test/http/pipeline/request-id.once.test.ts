import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { LISTS, PAGES, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { makeUnavailable } from '../../../support/databases/engine.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { GUARDED } from '../../support/guesses.ts';
import { exchange, parseResponse } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const OWN = /^[\da-f]{32}$/;
const LONGEST = 'aZ09_-'.padEnd(64, 'x');
/** A request that reaches a route, and one that does not. */
const EITHER = [
  [200, 'GET'],
  [405, 'BREW'],
] as const;

describe('X-Request-Id (R48)', () => {
  const suite = suiteWithWorld();
  let server: Awaited<ReturnType<typeof listenApp>>;
  let proxied: Awaited<ReturnType<typeof listenApp>>;
  before(async () => {
    server = await listenApp(suite.scope, suite.sandbox, { LISTING: 'all' });
    proxied = await listenApp(suite.scope, suite.sandbox, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  type Server = Pick<typeof server, 'port' | 'logLines'>;

  /** The response's id, after checking that the log has the same one. */
  async function idOf({ port, logLines }: Server, status: number, request: string): Promise<string> {
    const logged = logLines.length;
    const response = parseResponse(await exchange(port, Buffer.from(request, 'latin1'), { closing: true }));
    const what = request.slice(0, 100);
    assert.equal(response.status, status, what);
    const ids = response.headerLines.filter((line) => /^x-request-id:/i.test(line));
    assert.equal(ids.length, 1, what);
    const id = response.headers['x-request-id'] ?? '';
    const lines = logLines.slice(logged).map((line) => JSON.parse(line));
    assert.ok(lines.length > 0, what);
    for (const { reqId } of lines) assert.equal(reqId, id, what);
    return id;
  }
  const ask = (method: string, target: string, ...headers: string[]) =>
    [`${method} ${target} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

  it('every response has its own id, as logged: on routes, on pages, and before routing', async () => {
    const { etag = '' } = (await suite.app.inject(PUBLIC_FEED)).headers;
    const key = `Authorization: Bearer ${suite.world.full}`;
    const requests: [status: number, request: string][] = [
      ...[PUBLIC_FEED, ...PAGES, ...LISTS, '/docs', '/api/openapi.json', '/robots.txt'].map(
        (target): [number, string] => [200, ask('GET', target)],
      ),
      [200, ask('HEAD', PUBLIC_FEED)],
      [304, ask('GET', PUBLIC_FEED, `If-None-Match: ${etag}`)],
      [204, ask('OPTIONS', PUBLIC_FEED)],
      [204, ask('GET', '/favicon.ico')],
      [200, ask('GET', TEAM_FEED, key)],
      [401, ask('GET', TEAM_FEED)],
      [403, ask('GET', TEAM_FEED.replace('acme', 'vault'), key)],
      [400, ask('GET', `${PUBLIC_FEED}?limit=0`)],
      [400, ask('GET', `${PRODUCT_PAGE}?limit=0`)],
      [404, ask('GET', `${PUBLIC_FEED}/nothing`)],
      [404, ask('GET', '/changelog/nobody')],
      [404, ask('GET', '/nothing')],
      [405, ask('POST', PUBLIC_FEED)],
      [405, ask('BREW', PUBLIC_FEED)],
      [405, ask('BREW', PRODUCT_PAGE)],
      [405, `CONNECT ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n`],
      [400, 'nonsense\r\n\r\n'],
      [414, ask('GET', `/${'a'.repeat(9_000)}`)],
      [414, ask('GET', `/${'a'.repeat(30_000)}`)],
      [431, ask('GET', '/', `X: ${'a'.repeat(20_000)}`)],
    ];
    const ids = new Set<string>();
    for (const [status, request] of requests) ids.add(await idOf(server, status, request));
    assert.equal(ids.size, requests.length);
    for (const id of ids) assert.match(id, OWN);
  });

  it('the gate and the limiter send one too, and so do responses without a database', async (t) => {
    const gated = await listenApp(t, suite.sandbox, GUARDED);
    await idOf(gated, 401, ask('GET', PUBLIC_FEED));
    await idOf(gated, 401, ask('BREW', PUBLIC_FEED));
    const limited = await listenApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '1' });
    await idOf(limited, 200, ask('GET', PUBLIC_FEED));
    await idOf(limited, 429, ask('GET', PUBLIC_FEED));
    await idOf(limited, 429, ask('BREW', PRODUCT_PAGE));
    const giveBack = await makeUnavailable(suite.sandbox);
    await idOf(server, 503, ask('GET', TEAM_FEED, `Authorization: Bearer ${suite.world.full}`));
    await giveBack();
  });

  it('a well-formed id from a trusted proxy is kept', async () => {
    for (const id of ['7', 'aZ09_-', LONGEST, randomUUID()]) {
      for (const [status, method] of EITHER)
        assert.equal(await idOf(proxied, status, ask(method, PUBLIC_FEED, `X-REQUEST-ID:  ${id} `)), id);
    }
  });

  it('any other id is replaced: malformed, sent twice, or not from a trusted proxy', async () => {
    const wrong = ['', `${LONGEST}x`, 'a b', 'a.b', 'a"b', 'a\\n', 'ä', 'a,b', '%41'];
    const headers = [...wrong.map((id) => [`X-Request-Id: ${id}`]), ['X-Request-Id: a', 'X-Request-Id: b']];
    for (const lines of headers)
      for (const [status, method] of EITHER)
        assert.match(await idOf(proxied, status, ask(method, PUBLIC_FEED, ...lines)), OWN, lines.join());
    for (const [status, method] of EITHER)
      assert.match(await idOf(server, status, ask(method, PUBLIC_FEED, 'X-Request-Id: mine')), OWN);
    const { app } = await startApp(suite.scope, suite.sandbox, { TRUSTED_PROXIES: '10.0.0.0/8' });
    const idFrom = async (remoteAddress: string, forwarded: string) => {
      const sent = { 'x-request-id': 'mine', 'x-forwarded-for': forwarded };
      return (await app.inject({ url: PUBLIC_FEED, remoteAddress, headers: sent })).headers['x-request-id'];
    };
    assert.equal(await idFrom('10.1.2.3', '192.0.2.1'), 'mine');
    assert.equal(await idFrom('::ffff:10.1.2.3', '192.0.2.1'), 'mine');
    assert.match(String(await idFrom('192.0.2.1', '10.1.2.3')), OWN);
  });
});
