// The operations listener (R36), on real sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { before, describe, it } from 'node:test';
import { startRedis } from '../../cluster/redis.ts';
import { Refusal } from '../../src/errors.ts';
import { listenForOperations, type Operations } from '../../src/serve/operations.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Workplace } from '../../support/program/command.ts';
import { type ServerProcess, spawnProgram, spawnServer } from '../../support/program/process.ts';

const QUIET = { LOG_LEVEL: 'silent', OPS_PORT: '0' };
const OPS_PATHS = ['/livez', '/readyz', '/metrics'];

const NOTHING: Operations = {
  isReady: async () => true,
  metrics: async () => ({ contentType: 'text/plain', text: 'a 1\n' }),
};

async function listenHere(scope: Scope, operations: Partial<Operations> = {}): Promise<string> {
  const listener = await listenForOperations({ host: '127.0.0.1', port: 0 }, { ...NOTHING, ...operations });
  scope.after(listener.close);
  return listener.address;
}

async function statusOf(address: string | null, method = 'GET'): Promise<number> {
  const response = await fetch(`${address}`, { method });
  await response.arrayBuffer();
  return response.status;
}

async function takePort(scope: Scope): Promise<string> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  scope.after(() => void taken.close());
  return String((taken.address() as AddressInfo).port);
}

describe('the operations listener', () => {
  it('answers in plain text, and nobody keeps it', async (t) => {
    const address = await listenHere(t);
    for (const [path, body] of Object.entries({
      '/livez': 'alive\n',
      '/readyz': 'ready\n',
      '/metrics': 'a 1\n',
    })) {
      const response = await fetch(address + path);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), body);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
  });

  it('is alive and not ready where requests may not be sent', async (t) => {
    const address = await listenHere(t, { isReady: async () => false });
    assert.equal(await statusOf(`${address}/livez`), 200);
    const response = await fetch(`${address}/readyz`);
    assert.equal(response.status, 503);
    assert.equal(await response.text(), 'not ready\n');
  });

  it('answers HEAD without a body, and refuses every other method', async (t) => {
    const address = await listenHere(t);
    for (const path of OPS_PATHS) {
      const head = await fetch(address + path, { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.ok(Number(head.headers.get('content-length')) > 0);
      assert.equal(await head.text(), '');
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const refused = await fetch(address + path, { method });
        assert.equal(refused.status, 405, `${method} ${path}`);
        assert.equal(refused.headers.get('allow'), 'GET, HEAD');
      }
    }
  });

  it('has nothing elsewhere, and ignores a query', async (t) => {
    const address = await listenHere(t);
    for (const path of [
      '/',
      '/livez/',
      '/metrics/x',
      '/LIVEZ',
      '/api/v1',
      PUBLIC_FEED,
      '/%6civez',
      '//livez',
    ])
      assert.equal(await statusOf(address + path), 404, path);
    assert.equal(await statusOf(`${address}/nothing`, 'POST'), 404);
    for (const path of OPS_PATHS) assert.equal(await statusOf(`${address + path}?verbose=1`), 200);
  });

  it('answers 500, without the reason, where looking fails', async (t) => {
    const fail = () => Promise.reject(new Error('the secret reason'));
    const address = await listenHere(t, { isReady: fail, metrics: fail });
    for (const path of ['/readyz', '/metrics']) {
      const response = await fetch(address + path);
      assert.equal(response.status, 500);
      assert.doesNotMatch(await response.text(), /secret/);
    }
    assert.equal(await statusOf(`${address}/livez`), 200);
  });

  it('refuses a port that is taken, naming the setting', async (t) => {
    const port = await takePort(t);
    await assert.rejects(listenForOperations({ host: '127.0.0.1', port: Number(port) }, NOTHING), (error) => {
      assert.ok(error instanceof Refusal);
      assert.match(error.message, new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is taken: .*OPS_PORT\\.$`));
      return true;
    });
  });
});

describe('serve with OPS_PORT', () => {
  const scope = sharedScope();
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  let server: ServerProcess;

  before(async () => {
    await seedWorld(workplace);
    server = await spawnServer(scope, workplace, QUIET);
  });

  it('says where, and is alive and ready', async () => {
    assert.match(server.output().stdout, /^operations on http:\/\/127\.0\.0\.1:\d+$/m);
    assert.match(server.output().stdout, /^listening on /m);
    for (const path of OPS_PATHS) assert.equal(await statusOf(server.opsAddress + path), 200);
  });

  it('has nothing of it on the public port', async () => {
    assert.notEqual(new URL(server.address).port, new URL(server.opsAddress ?? '').port);
    for (const path of OPS_PATHS) {
      const response = await fetch(server.address + path);
      assert.equal(response.status, 404, path);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'not_found');
    }
  });

  it('has nothing of the API on the operations port', async () => {
    assert.equal(await statusOf(server.opsAddress + PUBLIC_FEED), 404);
  });

  it('listens where OPS_HOST says, and only there', async (t) => {
    const elsewhere = await spawnServer(t, workplace, { ...QUIET, OPS_HOST: '127.0.0.2' });
    const { hostname, port } = new URL(elsewhere.opsAddress ?? '');
    assert.equal(hostname, '127.0.0.2');
    assert.equal(await statusOf(`${elsewhere.opsAddress}/livez`), 200);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`));
  });

  it('refuses to start where that port is taken: one line, exit 1, nothing left running', async (t) => {
    const redis = await startRedis(t);
    const port = await takePort(t);
    const environment = { LOG_LEVEL: 'silent', OPS_PORT: port, REDIS_URL: redis.url };
    const { exited, output } = await spawnProgram(t, workplace, ['serve', '--port', '0'], environment);
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.match(
      output().stderr,
      new RegExp(`^changelog: port ${port} on 127\\.0\\.0\\.1 is taken: [^\n]*OPS_PORT\\.\n$`),
    );
    assert.equal(output().stdout, '');
  });

  it('has no such listener without the setting', async (t) => {
    const without = await spawnServer(t, workplace, { LOG_LEVEL: 'silent' });
    assert.equal(without.opsAddress, null);
    assert.doesNotMatch(without.output().stdout, /operations/);
  });

  it('is alive and not ready while it drains, until what is in flight is done', async (t) => {
    const draining = await spawnServer(t, workplace, QUIET);
    const idle = connect(draining.port, '127.0.0.1');
    const inFlight = connect(draining.port, '127.0.0.1');
    await Promise.all([once(idle, 'connect'), once(inFlight, 'connect')]);
    inFlight.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`);
    idle.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(idle, 'data');
    assert.equal(await statusOf(`${draining.opsAddress}/readyz`), 200);
    draining.child.kill('SIGTERM');
    await once(idle, 'close');
    assert.equal(await statusOf(`${draining.opsAddress}/readyz`), 503);
    assert.equal(await statusOf(`${draining.opsAddress}/livez`), 200);
    await assert.rejects(fetch(draining.address), 'no new connection is taken');
    inFlight.write('\r\n');
    const [answer] = await once(inFlight, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
    assert.deepEqual(await draining.exited, { code: 0, signal: null });
    await assert.rejects(fetch(`${draining.opsAddress}/livez`));
  });
});
