import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { runWrk } from '../../bench/rounds/wrk.ts';
import { requestOnce } from '../../bench/servers/responses.ts';
import { ensureServers } from '../../cluster/debian.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const MILLISECONDS = 100;
const TEXT = 'some text';

/** Returns 404 for `/missing…` and 200 for everything else; records the paths and clients. */
async function serve(t: TestContext) {
  const paths: string[] = [];
  const clients: (string | string[] | undefined)[] = [];
  const respond: RequestListener = ({ url = '', headers }, response) => {
    paths.push(url);
    clients.push(headers['x-forwarded-for']);
    response.writeHead(url.startsWith('/missing') ? 404 : 200, { 'content-length': TEXT.length }).end(TEXT);
  };
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, clients };
}

describe('a run of wrk', () => {
  before(() => ensureServers(['wrk']));

  it('a run of wrk counts the expected responses', async (t) => {
    const { address, paths } = await serve(t);
    const { bytes } = await requestOnce(`${address}/`);
    const load = { address, target: { path: '/' }, expected: { status: 200, bytes } };
    const { requests, perSecond } = await runWrk(load, MILLISECONDS);
    assert.ok(requests > 0 && requests < paths.length, `${requests} of ${paths.length}`);
    assert.ok(perSecond > requests);
  });

  it('a run of wrk fails if a response has an unexpected status', async (t) => {
    const { address } = await serve(t);
    const load = { address, target: { path: '/missing' } };
    await runWrk({ ...load, expected: { status: 404, bytes: null } }, MILLISECONDS);
    await assert.rejects(
      runWrk({ ...load, expected: { status: 200, bytes: null } }, MILLISECONDS),
      /responses had a status of 400 or more, expected 0$/,
    );
  });

  it('a run of wrk fails if responses have an unexpected size', async (t) => {
    const { address } = await serve(t);
    const load = { address, target: { path: '/' }, expected: { status: 200, bytes: 5_000 } };
    await assert.rejects(runWrk(load, MILLISECONDS), /bytes, expected 5000$/);
  });

  it('wrk requests the paths of a file in order', async (t) => {
    const { address, paths } = await serve(t);
    const pathsFile = path.join(temporaryFolder(t), 'paths');
    writeFileSync(pathsFile, '/a\n/b\n/c\n');
    await runWrk({ address, target: { pathsFile }, expected: { status: 200, bytes: null } }, MILLISECONDS);
    const counts = ['/a', '/b', '/c'].map((wanted) => paths.filter((asked) => asked === wanted).length);
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      paths.length,
    );
    // The last requests may not have arrived.
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 3, `${counts}`);
  });

  it('wrk requests a new random slug each time', async (t) => {
    const { address, paths } = await serve(t);
    const load = { address, target: { before: '/missing/', after: '/changelog' } };
    for (const _ of [1, 2]) await runWrk({ ...load, expected: { status: 404, bytes: null } }, MILLISECONDS);
    assert.ok(paths.every((asked) => /^\/missing\/[a-z0-9]{20}\/changelog$/.test(asked)));
    assert.equal(new Set(paths).size, paths.length);
  });

  it('wrk names each of the clients in turn', async (t) => {
    const { address, paths, clients } = await serve(t);
    const load = { address, target: { path: '/a', clients: 300 } };
    await runWrk({ ...load, expected: { status: 200, bytes: null } }, MILLISECONDS);
    assert.deepEqual(new Set(paths), new Set(['/a']));
    assert.ok(clients.every((client) => /^10\.0\.[01]\.\d+$/.test(String(client))));
    const numbers = clients.map((client) => {
      const [, , high, low] = String(client).split('.').map(Number) as [number, number, number, number];
      return high * 256 + low;
    });
    // One row of neighbours for each start: wrk is started again, anywhere among them, if it had no time to count.
    const starts = [...new Set(numbers)].filter((number) => !numbers.includes(number - 1));
    assert.ok(starts.length <= 5, `${numbers}`);
  });
});
