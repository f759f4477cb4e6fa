// The server as a process on a socket: timeouts, shutdown and log.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { before, describe, it } from 'node:test';
import { setInterval as ticks } from 'node:timers/promises';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../support/content/world.ts';
import { dump, makeUnavailable } from '../../support/databases/engine.ts';
import { openClient } from '../../support/http/http-client.ts';
import { deadline } from '../../support/processes/busy.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { run, type Sandbox } from '../../support/program/command.ts';
import { type ServerProcess, spawnProgram, spawnServer } from '../../support/program/process.ts';
import { becomes } from '../support/becomes.ts';
import { exchange, parseResponse, rawRequest } from '../support/socket.ts';

/** R30. */
const RECOVERY_MS_MAX = 2_000;
/** Each starts with the first line of a request. */
const LOG_FORMATS = [
  ['json', /^\{.*"route":"\/api\/v1\/public\/teams\/:team\/products\/:product\/changelog".*\}\n/],
  ['pretty', /^[^{\n]*GET \/api\/v1\/public\/teams\/acme\/products\/rocket\/changelog 200/],
] as const;

describe('the server', { concurrency: true }, () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let world: World;
  /** A server that no test stops. */
  let shared: ServerProcess;
  let port: number;
  before(async () => {
    world = await seedWorld(sandbox);
    shared = await spawnServer(scope, sandbox, { BASE_URL: 'https://changelog.example/notes' });
    port = shared.port;
  });

  it('the server prints its URL, then that of the reference, and needs no reader after that', async () => {
    const { address, child, output } = shared;
    assert.equal(
      output().stdout,
      `listening on ${address}\nAPI reference: https://changelog.example/notes/docs\n`,
    );
    child.stdout?.destroy();
    assert.equal((await fetch(`${address}/docs`)).status, 200);
  });

  it('the server cuts off a client that sends one byte a second within 15 s, with 408', async () => {
    const startedAt = performance.now();
    const { socket, received, closed } = await connect(port);
    const bytes = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(100)}`;
    const drip = (async () => {
      let sent = 0;
      for await (const _ of ticks(1_000)) {
        if (socket.destroyed || !socket.writable) break;
        socket.write(bytes[sent++] ?? 'a');
      }
    })();
    await closed;
    await drip;
    assert.ok(performance.now() - startedAt < deadline(15_000));
    const response = parseResponse(Buffer.concat(received).toString());
    assert.equal(response.status, 408);
    assert.equal(JSON.parse(response.body).error.code, 'request_timeout');
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.match(response.headers['x-request-id'] ?? '', /^[\da-f]{32}$/);
  });

  it('the server responds to a GET whose body never ends, then closes the connection without a second response', async () => {
    const startedAt = performance.now();
    const { socket, received, closed } = await connect(port);
    socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nsome`);
    await closed;
    assert.ok(performance.now() - startedAt < deadline(15_000));
    const text = Buffer.concat(received).toString();
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
    assert.equal(parseResponse(text).status, 200);
  });

  it('the server keeps an idle connection for longer than the minute that proxies do', async () => {
    const { socket, received } = await connect(port);
    socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    assert.equal(parseResponse(Buffer.concat(received).toString()).headers['keep-alive'], 'timeout=75');
    socket.destroy();
  });

  it('the server on SIGTERM finishes requests in flight, refuses new connections and exits with 0', async (t) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { port, child, exited } = await spawnServer(t, sandbox);
      const idle = await connect(port);
      idle.socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(idle.socket, 'data');
      const inFlight = await connect(port);
      inFlight.socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`);
      // The first half has arrived once a later request on another connection has its response.
      await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']);

      child.kill(signal);
      await idle.closed;
      const refused = net.connect({ port, host: '127.0.0.1' });
      const [error] = await once(refused, 'error');
      // Reset if it was still queued when the listener closed.
      assert.match(String((error as NodeJS.ErrnoException).code), /^(ECONNREFUSED|ECONNRESET)$/);
      inFlight.socket.write('\r\n');
      await inFlight.closed;
      const response = parseResponse(Buffer.concat(inFlight.received).toString());
      assert.equal(response.status, 200);
      assert.equal(response.headers.connection, 'close');
      assert.deepEqual(await exited, { code: 0, signal: null });
    }
  });

  it('the server exits with 0 within 10 s even if a client never finishes', async (t) => {
    const { port, child, exited } = await spawnServer(t, sandbox);
    const stuck = await connect(port);
    stuck.socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\n`);
    await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x']);
    const startedAt = performance.now();
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 0, signal: null });
    assert.ok(performance.now() - startedAt < deadline(10_000));
  });

  it('the server responds to a client that has half-closed its connection, then closes it', async () => {
    for (const head of [
      [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x'],
      [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${world.full}`],
    ]) {
      const request = [...head, '', ''].join('\r\n');
      assert.equal(parseResponse(await exchange(port, request, { closing: true })).status, 200);
      const responses = (await exchange(port, request + request, { closing: true })).split('HTTP/1.1 200 OK');
      assert.equal(responses.length, 3, 'pipelined requests get their responses too');
    }
  });

  it('the server fails with one line if its port is in use', async (t) => {
    const second = await spawnProgram(t, sandbox, ['serve', '--port', String(port)]);
    assert.deepEqual(await second.exited, { code: 1, signal: null });
    assert.match(second.output().stderr, /^changelog: port \d+ on 127\.0\.0\.1 is already in use; .*\n$/);
  });

  it('the server returns 503 with Retry-After at once while the database cannot be read, and recovers', async (t) => {
    const own = { folder: temporaryFolder(t) };
    const { full } = await seedWorld(own);
    const { port } = await spawnServer(t, own);
    const giveBack = await makeUnavailable(own);
    for (const head of [
      [`GET ${PUBLIC_FEED} HTTP/1.1`],
      [`GET ${TEAM_FEED} HTTP/1.1`, `Authorization: Bearer ${full}`],
    ]) {
      const startedAt = performance.now();
      const response = await rawRequest(port, [...head, 'Host: x']);
      assert.ok(performance.now() - startedAt < deadline(1_000));
      assert.equal(response.status, 503);
      assert.equal(JSON.parse(response.body).error.code, 'unavailable');
      assert.match(response.headers['retry-after'] ?? '', /^[123]$/);
    }
    await giveBack();
    const status = async () => (await rawRequest(port, [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x'])).status;
    await becomes(status, 200, RECOVERY_MS_MAX);
  });

  it('the server logs one JSON line per request, with all specified fields and no secret', async (t) => {
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'visitor',
      PASSWORD_PROTECTION_PASSWORD: 'very secret words',
    };
    const { port, child, exited, output } = await spawnServer(t, sandbox, gate);
    const basic = Buffer.from('visitor:very secret words').toString('base64');
    const wrong = Buffer.from('visitor:nearly the password').toString('base64');
    const requests = [
      [`GET ${PUBLIC_FEED}?token=${world.full} HTTP/1.1`, 'Host: x', `Authorization: Basic ${basic}`],
      [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', `Authorization: Basic ${basic}`, `X-API-Key: ${world.full}`],
      [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${world.full}`],
      [`GET ${TEAM_FEED}/${world.full} HTTP/1.1`, 'Host: x', `Authorization: Basic ${basic}`],
      [`GET ${PUBLIC_FEED} HTTP/1.1`, 'Host: x', `Authorization: Basic ${wrong}`],
      [`GET /${world.select} HTTP/9.9`, `Authorization: Bearer ${world.full}`],
    ];
    for (const head of requests) await rawRequest(port, head);
    child.kill('SIGTERM');
    await exited;
    const { stdout, stderr } = output();
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, requests.length);
    const [first, second] = lines;
    assert.equal(first.method, 'GET');
    assert.equal(first.route, '/api/v1/public/teams/:team/products/:product/changelog');
    assert.equal(first.path, PUBLIC_FEED);
    assert.equal(first.level, 'info');
    assert.equal(first.status, 200);
    assert.equal(first.client, '127.0.0.1');
    assert.equal(typeof first.durationMs, 'number');
    assert.ok(first.bytes > 100);
    assert.equal(second.keyId, world.fullId);
    assert.equal(lines[3].path, `${TEAM_FEED}/clk_…`);
    assert.equal(new Set(lines.map(({ reqId }) => reqId)).size, requests.length);
    for (const secret of [
      world.full,
      world.select,
      'very secret words',
      'nearly the password',
      basic,
      wrong,
    ]) {
      assert.ok(!(stdout + stderr).includes(secret), 'a secret is in the output');
    }
  });

  it('the server keeps responding, and stops on request, while nothing reads its log, as JSON or as readable lines', async (t) => {
    for (const [format, line] of LOG_FORMATS) {
      const { address, child, exited, output } = await spawnServer(t, sandbox, {
        LOG_FORMAT: format,
        PUBLIC_RATE_LIMIT: '100000',
      });
      child.stderr?.pause();
      const client = openClient();
      t.after(client.close);
      for (let count = 0; count < 1_000; count++)
        assert.equal((await client.get(address + PUBLIC_FEED)).status, 200);
      child.kill('SIGTERM');
      child.stderr?.resume();
      assert.deepEqual(await exited, { code: 0, signal: null });
      assert.match(output().stderr, line);
    }
  });

  it('the database and the output of commands contain no secret', async () => {
    const rows = JSON.stringify(await dump(sandbox));
    assert.ok(rows.includes(world.fullId));
    const listed = await run(sandbox, ['key', 'list', 'acme']);
    for (const secret of [world.full, world.select, world.disabled, world.vault]) {
      for (const text of [rows, listed.stdout]) assert.ok(!text.includes(secret.slice(4)));
    }
  });
});

describe('a server asked twice to stop', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  before(async () => void (await seedWorld(sandbox)));

  // Not next to the tests above: their load would count as its time.
  it('the server exits at once on a second signal', async (t) => {
    const { port, child, exited } = await spawnServer(t, sandbox);
    const stuck = await connect(port);
    stuck.socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\n`);
    const idle = await connect(port);
    idle.socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(idle.socket, 'data');
    child.kill('SIGTERM');
    await idle.closed;
    const startedAt = performance.now();
    for await (const _ of ticks(150)) {
      if (!child.kill('SIGTERM') || child.exitCode !== null) break;
    }
    assert.deepEqual(await exited, { code: 143, signal: null });
    assert.ok(performance.now() - startedAt < deadline(2_000));
  });
});

async function connect(to: number) {
  const socket = net.connect({ port: to, host: '127.0.0.1' });
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, received, closed: once(socket, 'close') };
}
