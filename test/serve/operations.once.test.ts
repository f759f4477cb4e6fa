// The operations listener (R36), on real sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { before, describe, it } from 'node:test';
import { Refusal } from '../../src/errors.ts';
import { listenForOperations, type Operations } from '../../src/serve/operations.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { execute } from '../../support/databases/engine.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { type ServerProcess, spawnProgram, spawnServer } from '../../support/program/process.ts';

const QUIET = { LOG_LEVEL: 'silent', OPS_PORT: '0' };
const OPS_PATHS = ['/livez', '/readyz', '/metrics'];
const DOMAIN = 'changes.rocket.example';

const IDLE: Operations = {
  isReady: async () => true,
  isDomain: (name) => name === DOMAIN,
  registry: async () => ({
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    metrics: async () => 'a 1\n',
    getMetricsAsJSON: async () => [],
  }),
};

async function listenHere(scope: Scope, operations: Partial<Operations> = {}): Promise<string> {
  const listener = await listenForOperations({ host: '127.0.0.1', port: 0 }, { ...IDLE, ...operations });
  scope.after(listener.close);
  return listener.url;
}

async function statusOf(address: string | null, method = 'GET'): Promise<number> {
  const response = await fetch(`${address}`, { method });
  await response.arrayBuffer();
  return response.status;
}

async function occupyPort(scope: Scope): Promise<string> {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  scope.after(() => void occupied.close());
  return String((occupied.address() as AddressInfo).port);
}

describe('the operations listener', () => {
  it('the operations listener responds in plain text that must not be cached', async (t) => {
    const address = await listenHere(t);
    for (const [path, body] of Object.entries({
      '/livez': 'alive\n',
      '/readyz': 'ready\n',
      '/metrics': 'a 1\n',
      [`/domains?domain=${DOMAIN}`]: 'declared\n',
    })) {
      const response = await fetch(address + path);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), body);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
  });

  it('/readyz is 503 and /livez 200 while the process is not ready', async (t) => {
    const address = await listenHere(t, { isReady: async () => false });
    assert.equal(await statusOf(`${address}/livez`), 200);
    const response = await fetch(`${address}/readyz`);
    assert.equal(response.status, 503);
    assert.equal(await response.text(), 'not ready\n');
  });

  it('HEAD gets no body, and other methods get 405', async (t) => {
    const address = await listenHere(t);
    for (const path of OPS_PATHS) {
      const head = await fetch(address + path, { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.ok(Number(head.headers.get('content-length')) > 0);
      assert.equal(await head.text(), '');
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const rejected = await fetch(address + path, { method });
        assert.equal(rejected.status, 405, `${method} ${path}`);
        assert.equal(rejected.headers.get('allow'), 'GET, HEAD');
      }
    }
  });

  it('other paths get 404, and a query is ignored', async (t) => {
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

  it('/domains is 200 for a declared domain in any case, and 404 for any other name or query', async (t) => {
    const asked: string[] = [];
    const isDomain = (name: string) => asked.push(name) > 0 && name === DOMAIN;
    const address = await listenHere(t, { isDomain });
    for (const query of [`?domain=${DOMAIN}`, '?domain=Changes.ROCKET.example'])
      assert.equal(await statusOf(`${address}/domains${query}`), 200, query);
    for (const name of ['other.example', `${DOMAIN}.`, `x.${DOMAIN}`, '127.0.0.1']) {
      const response = await fetch(`${address}/domains?domain=${name}`);
      assert.deepEqual([response.status, await response.text()], [404, 'not found\n'], name);
    }
    const lookUps = asked.length;
    for (const query of [
      '',
      '?',
      '?domain=',
      `?Domain=${DOMAIN}`,
      `?domain=${DOMAIN}&domain=other.example`,
      `?domain=other.example&domain=${DOMAIN}`,
      `?domain=${DOMAIN}:443`,
      `?domain=${'a'.repeat(254)}`,
      '?domain=b%C3%BCcher.example',
      '?domain=%00',
    ])
      assert.equal(await statusOf(`${address}/domains${query}`), 404, query);
    assert.equal(asked.length, lookUps, 'what cannot be a domain is not looked up');
    assert.equal(await statusOf(`${address}/domains?domain=${DOMAIN}`, 'POST'), 405);
  });

  it('a failing check gets 500 without the reason', async (t) => {
    const fail = () => Promise.reject(new Error('the secret reason'));
    const address = await listenHere(t, { isReady: fail, isDomain: fail, registry: fail });
    for (const path of ['/readyz', '/metrics', `/domains?domain=${DOMAIN}`]) {
      const response = await fetch(address + path);
      assert.equal(response.status, 500);
      assert.doesNotMatch(await response.text(), /secret/);
    }
    assert.equal(await statusOf(`${address}/livez`), 200);
  });

  it('an operations port in use is reported with the name of the setting', async (t) => {
    const port = await occupyPort(t);
    await assert.rejects(listenForOperations({ host: '127.0.0.1', port: Number(port) }, IDLE), (error) => {
      assert.ok(error instanceof Refusal);
      assert.match(
        error.message,
        new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is already in use; .*OPS_PORT\\.$`),
      );
      return true;
    });
  });
});

describe('serve with OPS_PORT', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let server: ServerProcess;

  before(async () => {
    await seedWorld(sandbox);
    server = await spawnServer(scope, sandbox, QUIET);
  });

  it('serve with OPS_PORT prints the URL of the operations listener, and is alive and ready', async () => {
    assert.match(server.output().stdout, /^operations on http:\/\/127\.0\.0\.1:\d+$/m);
    assert.match(server.output().stdout, /^listening on /m);
    for (const path of OPS_PATHS) assert.equal(await statusOf(server.opsAddress + path), 200);
  });

  it('the public port does not serve the operations paths', async () => {
    assert.notEqual(new URL(server.address).port, new URL(server.opsAddress ?? '').port);
    for (const path of OPS_PATHS) {
      const response = await fetch(server.address + path);
      assert.equal(response.status, 404, path);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'not_found');
    }
  });

  it('the operations port does not serve the API', async () => {
    assert.equal(await statusOf(server.opsAddress + PUBLIC_FEED), 404);
  });

  it('/domains has the domains of public products, from the moment that they are declared or hidden', async (t) => {
    const statuses = async () => {
      const names = [DOMAIN, 'secret.example', 'other.example'];
      return await Promise.all(names.map((name) => statusOf(`${server.opsAddress}/domains?domain=${name}`)));
    };
    const set = (slug: string, field: string, value: string) =>
      execute(sandbox, `update products set ${field} = ${value} where slug = '${slug}'`);
    t.after(() => set('new', 'domain', 'null'));
    await set('secret', 'domain', "'secret.example'");
    assert.deepEqual(await statuses(), [404, 404, 404]);
    await set('new', 'domain', `'${DOMAIN}'`);
    assert.deepEqual(await statuses(), [200, 404, 404]);
    await set('new', 'status', "'draft'");
    assert.deepEqual(await statuses(), [404, 404, 404]);
    await set('new', 'status', "'published'");
    assert.deepEqual(await statuses(), [200, 404, 404]);
  });

  it('the operations listener listens only on OPS_HOST', async (t) => {
    const elsewhere = await spawnServer(t, sandbox, { ...QUIET, OPS_HOST: '127.0.0.2' });
    const { hostname, port } = new URL(elsewhere.opsAddress ?? '');
    assert.equal(hostname, '127.0.0.2');
    assert.equal(await statusOf(`${elsewhere.opsAddress}/livez`), 200);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`));
  });

  it('serve exits with one line and code 1 if OPS_PORT is in use', async (t) => {
    const port = await occupyPort(t);
    // An open connection must not keep the process running: this one is never answered.
    const environment = { LOG_LEVEL: 'silent', OPS_PORT: port, REDIS_URL: `redis://127.0.0.1:${port}` };
    const { exited, output } = await spawnProgram(t, sandbox, ['serve', '--port', '0'], environment);
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.match(
      output().stderr,
      new RegExp(`^changelog: port ${port} on 127\\.0\\.0\\.1 is already in use; [^\n]*OPS_PORT\\.\n$`),
    );
    assert.equal(output().stdout, '');
  });

  it('serve without OPS_PORT has no operations listener', async (t) => {
    const without = await spawnServer(t, sandbox, { LOG_LEVEL: 'silent' });
    assert.equal(without.opsAddress, null);
    assert.doesNotMatch(without.output().stdout, /operations/);
  });

  it('a draining server is alive but not ready until requests in flight are done', async (t) => {
    const draining = await spawnServer(t, sandbox, QUIET);
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
    await assert.rejects(fetch(draining.address), 'no new connection is accepted');
    inFlight.write('\r\n');
    const [response] = await once(inFlight, 'data');
    assert.match(String(response), /^HTTP\/1\.1 200 /);
    assert.deepEqual(await draining.exited, { code: 0, signal: null });
    await assert.rejects(fetch(`${draining.opsAddress}/livez`));
  });
});
