// What the nginx site does with answers and failures that are hard to get out of real nodes on demand.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { startNginx } from '../../cluster/nginx.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { rawRequest } from '../support/socket.ts';

const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';
/** The site gives a node 3 s. */
const HUNG_NODE_MS_MAX = 4_000;
const MOVE_MS_MAX = 3_000;

describe('the nginx site', () => {
  it('passes a path on as it was sent, with the addresses it came from and without a body', async (t) => {
    const received: IncomingMessage[] = [];
    const node = await imitateNode(t, (request, response) => {
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
    it(`keeps nothing of a public address that says ${cacheControl ?? 'nothing'} about caches`, async (t) => {
      const node = await imitateNode(t, (_request, response) => {
        response.writeHead(200, cacheControl === null ? {} : { 'Cache-Control': cacheControl }).end();
      });
      const { address } = await startNginx(t, [node]);
      for (let times = 0; times < 3; times++) {
        const answer = await fetch(`${address}${FEED}`);
        assert.equal(answer.headers.get('x-cache-status'), 'MISS');
      }
    });
  }

  it('moves to other nodes without a failed request', async (t) => {
    const answerWith = (text: string): RequestListener => {
      return (_request, response) => void response.end(text);
    };
    const { port, reload } = await startNginx(t, [await imitateNode(t, answerWith('old'))]);
    reload([await imitateNode(t, answerWith('new'))]);
    const deadline = performance.now() + MOVE_MS_MAX;
    for (let text = 'old'; text !== 'new'; ) {
      assert.equal(text, 'old');
      assert.ok(performance.now() < deadline);
      // Each on a connection of its own: nginx closes those of the old site when it likes.
      text = (await rawRequest(port, ['GET / HTTP/1.0', 'Host: x'])).body;
    }
  });

  it('takes a 503 for the answer: it asks no other node, keeps nothing, and goes on asking', async (t) => {
    let requests = 0;
    const unavailable: RequestListener = (_request, response) => {
      requests++;
      response.writeHead(503, { 'Retry-After': '7', 'Cache-Control': 'no-store' }).end('as it is');
    };
    const { address } = await startNginx(t, [
      await imitateNode(t, unavailable),
      await imitateNode(t, unavailable),
    ]);
    for (let count = 1; count <= 10; count++) {
      const answer = await fetch(`${address}${FEED}`);
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '7');
      assert.equal(await answer.text(), 'as it is');
      assert.equal(requests, count);
    }
  });

  it('serves nothing that it kept once nodes fail', async (t) => {
    let answers = 0;
    const node = await imitateNode(t, (request, response) => {
      if (++answers > 1) return void request.socket.destroy();
      response.writeHead(200, { 'Cache-Control': 'public, max-age=30' }).end('kept');
    });
    const { address } = await startNginx(t, [node]);
    const statuses = [];
    do statuses.push((await fetch(`${address}${FEED}`)).status);
    while (statuses.at(-1) === 200);
    assert.equal(statuses.at(-1), 503);
  });

  it('asks another node when one hangs', async (t) => {
    const hung = await imitateNode(t, () => {});
    const sound = await imitateNode(t, (_request, response) => void response.end('sound'));
    const { address } = await startNginx(t, [hung, sound]);
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 12 }, () => fetch(address)));
    assert.ok(performance.now() - startedAt < HUNG_NODE_MS_MAX);
    for (const answer of answers) assert.equal(await answer.text(), 'sound');
  });
});

/** Something that listens like a node; returns its port. */
async function imitateNode(scope: Scope, answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
