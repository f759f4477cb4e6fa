// How the nginx site handles responses and failures that are hard to provoke in real nodes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { startNginx, TEST_CLIENT_HEADER } from '../../cluster/nginx.ts';
import { ApiError } from '../../src/errors.ts';
import { deadline } from '../../support/processes/busy.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { rawRequest } from '../support/socket.ts';

const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';
/** The site waits 3 s for a node. */
const HUNG_NODE_MS_MAX = 4_000;
const MOVE_MS_MAX = 3_000;

describe('the nginx site', () => {
  it('the nginx site passes on the path as sent, with the addresses of the clients and without a body', async (t) => {
    const received: IncomingMessage[] = [];
    const node = await fakeNode(t, (request, response) => {
      received.push(request);
      response.end();
    });
    const { port } = await startNginx(t, [node]);
    for (const target of ['/api/v1/public//a%2Fb/%2e%2E/c?d=%20&&', '/api/v1/teams/./x/../y']) {
      const head = [`GET ${target} HTTP/1.1`, 'Host: example.com', 'X-Forwarded-For: 192.0.2.1'];
      await rawRequest(port, [...head, 'Content-Length: 4'], 'body');
      const request = received.pop();
      assert.equal(request?.url, target);
      assert.equal(request.headers.host, 'example.com');
      assert.equal(request.headers['x-forwarded-for'], '192.0.2.1, 127.0.0.1');
      assert.equal(request.headers['content-length'], undefined);
      assert.equal(request.headers.connection, undefined);
    }
  });

  for (const cacheControl of ['private, no-cache', 'no-store', null]) {
    it(`the nginx site does not cache a public response ${cacheControl === null ? 'without Cache-Control' : `with Cache-Control: ${cacheControl}`}`, async (t) => {
      const node = await fakeNode(t, (_request, response) => {
        response.writeHead(200, cacheControl === null ? {} : { 'Cache-Control': cacheControl }).end();
      });
      const { address } = await startNginx(t, [node]);
      for (let times = 0; times < 3; times++) {
        const response = await fetch(`${address}${FEED}`);
        assert.equal(response.headers.get('x-cache-status'), 'MISS');
      }
    });
  }

  it('the nginx site switches to other nodes without a failed request', async (t) => {
    const respondWith = (text: string): RequestListener => {
      return (_request, response) => void response.end(text);
    };
    const { port, reload } = await startNginx(t, [await fakeNode(t, respondWith('old'))]);
    reload([await fakeNode(t, respondWith('new'))]);
    const startedAt = performance.now();
    for (let text = 'old'; text !== 'new'; ) {
      assert.equal(text, 'old');
      assert.ok(performance.now() - startedAt < deadline(MOVE_MS_MAX));
      // Each on a new connection: nginx closes those of the old site at any time.
      text = (await rawRequest(port, ['GET / HTTP/1.0', 'Host: x'])).body;
    }
  });

  it('the nginx site passes on a 503: it does not try another node, cache it or stop using the node', async (t) => {
    let requests = 0;
    const unavailable: RequestListener = (_request, response) => {
      requests++;
      response.writeHead(503, { 'Retry-After': '7', 'Cache-Control': 'no-store' }).end('as it is');
    };
    const { address } = await startNginx(t, [await fakeNode(t, unavailable), await fakeNode(t, unavailable)]);
    for (let count = 1; count <= 10; count++) {
      const response = await fetch(`${address}${FEED}`);
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('retry-after'), '7');
      assert.equal(await response.text(), 'as it is');
      assert.equal(requests, count);
    }
  });

  it('the nginx site returns 503 to a client with 100 requests in progress, and serves others', async (t) => {
    const held: ServerResponse[] = [];
    const full = Promise.withResolvers<void>();
    const node = await fakeNode(t, (_request, response) => {
      if (held.length === 100) return void response.end();
      // The site waits 3 s for more of a response.
      response.write('.');
      if (held.push(response) === 100) full.resolve();
    });
    const beat = setInterval(() => void held.map((response) => response.write('.')), 1_000);
    t.after(() => clearInterval(beat));
    const { port } = await startNginx(t, [node]);
    const ask = (client: string) =>
      rawRequest(port, ['GET /api/v1/teams/acme HTTP/1.1', 'Host: x', `${TEST_CLIENT_HEADER}: ${client}`]);
    const first = Array.from({ length: 100 }, (_, index) => ask(`2001:db8::${index + 1}`));
    await full.promise;
    const refused = await ask('2001:db8::ffff');
    assert.equal(refused.status, 503);
    assert.equal(refused.body, new ApiError('unavailable').body);
    assert.equal(refused.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(refused.headers['retry-after'] ?? '', /^[123]$/);
    for (const client of ['2001:db8:0:1::1', '192.0.2.1', '192.0.2.2'])
      assert.equal((await ask(client)).status, 200, client);
    for (const response of held) response.end();
    for (const { status } of await Promise.all(first)) assert.equal(status, 200);
    assert.equal((await ask('2001:db8::1')).status, 200);
  });

  it('the nginx site does not serve stale responses when nodes fail', async (t) => {
    let responses = 0;
    const node = await fakeNode(t, (request, response) => {
      if (++responses > 1) return void request.socket.destroy();
      response.writeHead(200, { 'Cache-Control': 'public, max-age=30' }).end('kept');
    });
    const { address } = await startNginx(t, [node]);
    const statuses = [];
    do statuses.push((await fetch(`${address}${FEED}`)).status);
    while (statuses.at(-1) === 200);
    assert.equal(statuses.at(-1), 503);
  });

  it('the nginx site tries another node when one hangs', async (t) => {
    const hung = await fakeNode(t, () => {});
    const sound = await fakeNode(t, (_request, response) => void response.end('sound'));
    const { address } = await startNginx(t, [hung, sound]);
    const startedAt = performance.now();
    const responses = await Promise.all(Array.from({ length: 12 }, () => fetch(address)));
    assert.ok(performance.now() - startedAt < deadline(HUNG_NODE_MS_MAX));
    for (const response of responses) assert.equal(await response.text(), 'sound');
  });
});

/** Starts a server in place of a node; returns its port. */
async function fakeNode(scope: Scope, respond: RequestListener): Promise<number> {
  const server = createServer(respond);
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
