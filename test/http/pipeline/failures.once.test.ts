// Whatever throws or rejects on the way of a request, at once or later: the client gets a 500 with the request's id, or a
// connection that ends if the head was sent; the process lives, and the next request gets its response.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import { collectLines } from '../../../cluster/lines.ts';
import { readConfig } from '../../../src/config.ts';
import { buildApp } from '../../../src/http/app.ts';
import { processCounters } from '../../../src/http/guards/counters/exchange.ts';
import { createLog } from '../../../src/http/telemetry/log.ts';
import { openSource } from '../../../src/store/source/open.ts';
import { openRenderer } from '../../../src/text/render.ts';
import { PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { environmentOf } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { rawRequest } from '../../support/socket.ts';

const SECRET = 'a secret';

type Asked = Readonly<{ path?: string; headers?: Record<string, string>; method?: string }>;

describe('a failure', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  let world: World;
  before(async () => {
    world = await seedWorld(sandbox);
  });

  /** What throws now, and only where the call comes from this file or function. */
  let broken = '';
  let brokenIn = '';
  let isLate = false;
  function failAt(name: string): Promise<never> | undefined {
    const isHere = broken === name && (new Error().stack ?? '').includes(brokenIn);
    if (!isHere) return undefined;
    if (isLate) return Promise.reject(new Error(SECRET));
    throw new Error(SECRET);
  }
  function breaking<Args extends unknown[], Result>(name: string, work: (...args: Args) => Result) {
    return (...args: Args) => (failAt(name) as Result | undefined) ?? work(...args);
  }

  async function serve(environment: Record<string, string> = {}) {
    const config = readConfig({ ...(await environmentOf(sandbox)), ...environment });
    const { baseUrl, ...rest } = config;
    const configured = {
      ...rest,
      get baseUrl() {
        failAt('base URL');
        return baseUrl;
      },
    };
    const source = await openSource(config.databaseUrls, {});
    const lines = collectLines();
    const counters = processCounters();
    const app = buildApp({
      config: configured,
      source: {
        ...source,
        read: breaking('read', source.read) as typeof source.read,
        isConfirmed: breaking('confirmation', source.isConfirmed),
      },
      log: createLog('info', { write: lines.add }),
      render: breaking('render', openRenderer(1)) as ReturnType<typeof openRenderer>,
      counters: { ...counters, open: (allowance) => breaking('counters', counters.open(allowance)) },
      onSent: breaking('request observer', () => {}),
      keyUsage: { record: breaking('key usage', () => {}), close: async () => {} },
    });
    // The app's own server does not listen, so the base URL is read each time.
    const server = createServer(app.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    scope.after(async () => {
      server.closeAllConnections();
      server.close();
      await source.close();
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { address, lines, app };
  }

  let asked = 0;
  /** Uncached, and not routed before. */
  const fresh = (path: string) => `${path}?since=2019-01-01T00:00:00.${String(++asked).padStart(3, '0')}Z`;

  async function fails(
    { address, lines }: Awaited<ReturnType<typeof serve>>,
    at: Readonly<{ broken: string; brokenIn?: string; isLate?: boolean }>,
    { path = fresh(PUBLIC_FEED), headers = {}, method = 'GET' }: Asked = {},
  ): Promise<void> {
    const before = lines.count(SECRET);
    broken = at.broken;
    brokenIn = at.brokenIn ?? '';
    isLate = at.isLate ?? false;
    const response = await fetch(address + path, { headers, method }).finally(() => {
      broken = '';
    });
    const body = await response.text();
    assert.equal(response.status, 500, JSON.stringify(at));
    assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f]{32}$/);
    assert.doesNotMatch(body, new RegExp(SECRET));
    assert.ok(lines.count(SECRET) > before, 'the cause is in the log');
    assert.equal((await fetch(address + PUBLIC_FEED, { headers })).status, 200);
  }

  for (const isLate of [false, true]) {
    const when = isLate ? 'later' : 'at once';
    it(`is a 500 wherever what may take time fails ${when}`, async () => {
      const service = await serve();
      const bearer = { authorization: `Bearer ${world.full}` };
      for (const [at, request] of [
        [{ broken: 'counters' }],
        [
          { broken: 'read', brokenIn: 'bearer.ts' },
          { path: TEAM_FEED, headers: bearer },
        ],
        [{ broken: 'read', brokenIn: 'make-response.ts' }],
        [{ broken: 'read', brokenIn: 'make-response.ts' }, { path: fresh(PRODUCT_PAGE) }],
        [{ broken: 'confirmation', brokenIn: 'respond.ts' }],
        [{ broken: 'confirmation', brokenIn: 'make-response.ts' }, { path: fresh(PRODUCT_PAGE) }],
        [{ broken: 'render' }, { path: fresh(PRODUCT_PAGE) }],
      ] as [Parameters<typeof fails>[1], Asked?][])
        await fails(service, { ...at, isLate }, request);
    });

    it(`is a 500 if the gate fails ${when}`, async () => {
      const service = await serve({
        PASSWORD_PROTECTION: 'true',
        PASSWORD_PROTECTION_USERNAME: 'ann',
        PASSWORD_PROTECTION_PASSWORD: 'pass',
      });
      const headers = { authorization: `Basic ${Buffer.from('ann:pass').toString('base64')}` };
      await fails(service, { broken: 'counters', brokenIn: 'gate.ts', isLate }, { headers });
    });
  }

  it('is a 500 in the router, in the usage of keys and in a document', async () => {
    const service = await serve();
    const bearer = { authorization: `Bearer ${world.full}` };
    await fails(service, { broken: 'base URL', brokenIn: 'ownHost' });
    await fails(service, { broken: 'base URL', brokenIn: 'router.ts' });
    await fails(service, { broken: 'key usage' }, { path: TEAM_FEED, headers: bearer });
    await fails(service, { broken: 'base URL', brokenIn: 'app.ts' }, { path: '/robots.txt' });
  });

  it('is a 500 where an error page cannot be written, whichever error it is', async () => {
    const service = await serve();
    const at = { broken: 'base URL', brokenIn: '/send.ts' };
    for (const [path, method] of [
      [fresh('/changelog/acme/nothing'), 'GET'],
      [fresh('/changelog/acme/%ff/x'), 'GET'],
      [fresh('/changelog/acme'), 'POST'],
      [fresh(PRODUCT_PAGE), 'DELETE'],
    ] as const)
      await fails(service, at, { path, method });
    await fails(service, { broken: 'base URL', brokenIn: 'read.ts' }, { path: `${PRODUCT_PAGE}?since=x` });
  });

  it('is a 500 where the head cannot be written', async (t) => {
    const service = await serve();
    const { writeHead } = ServerResponse.prototype;
    t.mock.method(
      ServerResponse.prototype,
      'writeHead',
      function (this: ServerResponse, ...head: Parameters<typeof writeHead>) {
        if (head[0] === 200) failAt('head');
        return writeHead.apply(this, head);
      },
    );
    await fails(service, { broken: 'head' });
    await fails(service, { broken: 'head' }, { path: PUBLIC_FEED });
  });

  it('ends the connection once the head is sent', async (t) => {
    const { address, lines } = await serve();
    const { end } = ServerResponse.prototype;
    t.mock.method(
      ServerResponse.prototype,
      'end',
      function (this: ServerResponse, ...rest: Parameters<typeof end>) {
        failAt('body');
        return end.apply(this, rest);
      },
    );
    broken = 'body';
    brokenIn = '';
    await assert.rejects(fetch(address + PUBLIC_FEED));
    broken = '';
    assert.ok(lines.count(SECRET) > 0);
    assert.equal((await fetch(address + PUBLIC_FEED)).status, 200);
  });

  it('of what records a request after its response changes nothing for the client', async () => {
    const { address, lines } = await serve();
    broken = 'request observer';
    brokenIn = '';
    assert.equal((await fetch(address + PUBLIC_FEED)).status, 200);
    await lines.until(SECRET);
    broken = '';
    assert.equal((await fetch(address + PUBLIC_FEED)).status, 200);
  });

  it('is a 500 for what is no request, too', async () => {
    const { app, lines } = await serve();
    app.server.listen(0, '127.0.0.1');
    await once(app.server, 'listening');
    scope.after(() => void app.server.close());
    const { port } = app.server.address() as AddressInfo;
    const malformed = [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x', 'no header'];
    assert.equal((await rawRequest(port, malformed)).status, 400);
    broken = 'counters';
    brokenIn = 'gate.ts';
    assert.equal((await rawRequest(port, malformed)).status, 500);
    broken = '';
    assert.ok(lines.count(SECRET) > 0);
    assert.equal((await rawRequest(port, malformed)).status, 400);
  });
});
