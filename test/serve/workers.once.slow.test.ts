// Several processes on one port, as users run them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { setInterval as ticks } from 'node:timers/promises';
import { startNode } from '../../cluster/nodes.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { environmentOf, execute } from '../../support/databases/engine.ts';
import { countStatuses, request, startLoad } from '../../support/http/load.ts';
import { scrape } from '../../support/http/prometheus.ts';
import { deadline } from '../../support/processes/busy.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { type ServerProcess, spawnProgram, spawnServer } from '../../support/program/process.ts';
import {
  isRunning,
  reload,
  respondingWorker,
  untilDrained,
  workersOf,
} from '../../support/program/workers.ts';
import { assertGuessesBounded, GUARDED } from '../support/guesses.ts';
import { parseResponse } from '../support/socket.ts';

/** Much shorter than the time for which idle connections are kept. */
const IDLE_MS = 500;
const DOMAIN = 'changes.rocket.example';
const RATE = { PUBLIC_RATE_LIMIT: '1000000' };

describe('workers', { timeout: 900_000 }, () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  before(async () => void (await seedWorld(sandbox)));

  type Context = Parameters<typeof spawnServer>[0];
  const serveWith = (t: Context, workers: number, environment = {}, at = sandbox) =>
    spawnServer(t, at, { ...RATE, ...environment }, ['--workers', String(workers)]);
  const ask = (server: ServerProcess, agent = new http.Agent(), headers = {}) =>
    request(server.address + PUBLIC_FEED, agent, headers);
  /**
   * Half a request keeps a worker draining, once it was read: the response to the request before it, which is sent
   * together with it, tells that.
   */
  const sendHalf = async (server: ServerProcess) => {
    const socket = net.connect(server.port, '127.0.0.1').on('error', () => {});
    const half = ` ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`;
    socket.write(`HEAD${half}\r\nGET${half}`);
    await once(socket, 'data');
    return socket;
  };
  const ownSandbox = async (t: Context) => {
    const own = { folder: temporaryFolder(t) };
    await seedWorld(own);
    return own;
  };

  describe('the workers of a server', () => {
    const limit = 1_000;
    const sent = 12;
    let server: ServerProcess;
    before(async () => {
      server = await serveWith(scope, 3, {
        PUBLIC_RATE_LIMIT: String(limit),
        PUBLIC_RATE_WINDOW_SECONDS: '3600',
      });
    });

    it('the configured number of workers run, and all of them respond', async () => {
      assert.equal(workersOf(server).length, 3);
      const { address } = server;
      assert.equal(server.output().stdout, `listening on ${address}\nAPI reference: ${address}/docs\n`);
      const answering = new Set<number>();
      for (let count = 0; count < sent; count++) {
        const answer = async () => assert.equal((await ask(server)).status, 200);
        answering.add(await respondingWorker(server, answer));
      }
      assert.equal(answering.size, 3);
    });

    it('three workers together admit the limit, and at most 1.5 times the limit', async (t) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 60 });
      t.after(() => agent.destroy());
      const responses = await Promise.all(Array.from({ length: 2 * limit }, () => ask(server, agent)));
      const { 200: admitted = 0, 429: refused = 0 } = countStatuses(responses);
      assert.equal(admitted + refused, 2 * limit);
      assert.ok(admitted >= limit - sent && admitted <= 1.5 * limit - sent, `${admitted} admitted`);
      assert.equal(server.log.count('counting locally'), 0);
    });
  });

  describe('the workers of a server in trouble', () => {
    let server: ServerProcess;
    before(async () => {
      server = await serveWith(scope, 2);
    });

    it('workers count locally while the primary process hangs, and together again afterwards', async (t) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => agent.destroy());
      assert.equal((await ask(server, agent)).status, 200);
      server.child.kill('SIGSTOP');
      t.after(() => void server.child.kill('SIGCONT'));
      const { status, ms } = await ask(server, agent);
      assert.equal(status, 200);
      assert.ok(ms < deadline(5_000), `${ms} ms`);
      await server.log.until('primary process unreachable');
      assert.equal((await ask(server, agent)).status, 200);
      server.child.kill('SIGCONT');
      await server.log.until('primary process reachable again');
    });

    it('SIGHUP replaces all workers under load without a failure, even on idle connections', async (t) => {
      const load = startLoad({ urls: [server.address + PUBLIC_FEED], lasting: 8, fresh: 4 });
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => void agent.destroy());
      assert.equal((await ask(server, agent)).headers.connection, 'keep-alive');
      await load.next(100);
      const reloaded = reload(server, 2);
      // Idle most of the time: a drained worker must not close it early.
      for await (const _ of ticks(IDLE_MS)) {
        const { status, headers } = await ask(server, agent);
        assert.equal(status, 200);
        if (headers.connection === 'close') break;
      }
      await reloaded;
      await load.next(100);
      await untilDrained(server, 2);
      assert.deepEqual(Object.keys(countStatuses(await load.stop())), ['200']);
      assert.equal(workersOf(server).length, 2);
    });

    it('a port in use is reported in one line', async (t) => {
      const second = await spawnProgram(t, sandbox, [
        'serve',
        '--port',
        String(server.port),
        '--workers',
        '2',
      ]);
      assert.deepEqual(await second.exited, { code: 1, signal: null });
      assert.match(second.output().stderr, /^changelog: port \d+ on 127\.0\.0\.1 is already in use; .*\n$/);
      assert.equal(second.output().stdout, '');
    });

    it('a worker that dies is replaced, while the others keep serving', async (t) => {
      const agents = [1, 2].map(() => new http.Agent({ keepAlive: true, maxSockets: 1 }));
      t.after(() => agents.forEach((agent) => void agent.destroy()));
      const answering: number[] = [];
      for (const agent of agents) answering.push(await respondingWorker(server, () => ask(server, agent)));
      const [first = 0] = workersOf(server);
      const untouched = agents[answering.findIndex((pid) => pid !== first)];
      const starts = server.log.count('worker started');
      process.kill(first, 'SIGKILL');
      await server.log.until('worker died');
      assert.equal((await ask(server, untouched)).status, 200);
      assert.match(
        server.log.all.find((line) => line.includes('worker died')) ?? '',
        /"level":"error".*"signal":"SIGKILL"/,
      );
      await server.log.until('worker started', starts + 1);
      assert.equal(workersOf(server).length, 2);
      assert.ok(!workersOf(server).includes(first));

      for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL');
      await server.log.until('worker started', starts + 3);
      assert.equal((await ask(server)).status, 200, 'on the same port, though none was left to hold it');
    });

    it('workers exit when the primary process is killed', async () => {
      const workers = workersOf(server);
      assert.ok(workers.every(isRunning));
      server.child.kill('SIGKILL');
      // The output closes once no process has it open, so all workers have exited or are about to.
      assert.deepEqual(await server.exited, { code: null, signal: 'SIGKILL' });
      await until('no worker left', async () => !workers.some(isRunning));
    });
  });

  it('workers have the limits of memory that the launcher gives a server', async (t) => {
    const main = path.resolve(import.meta.dirname, '../../bin/changelog');
    const environment = { ...(await environmentOf(sandbox)), ...RATE };
    const server = await startNode(t, {
      main,
      environment,
      folder: sandbox.folder,
      args: ['--workers', '2'],
    });
    for (const pid of [server.pid, ...workersOf(server)])
      assert.deepEqual(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, 3), [
        '--max-semi-space-size=8',
        '--heap-growing-percent=25',
      ]);
    await server.stop();
  });

  it('the operations listener reports all workers together, and is ready while any of them is', async (t) => {
    const server = await serveWith(t, 2, { OPS_PORT: '0' });
    for (let count = 0; count < 8; count++) assert.equal((await ask(server)).status, 200);
    const { sum } = await scrape(server.opsAddress);
    assert.equal(sum('changelog_limiter_requests_total', { outcome: 'admitted' }), 8);
    assert.equal(sum('changelog_cached_responses'), 2, 'one in each worker');
    const isDomain = async (name: string) =>
      (await fetch(`${server.opsAddress}/domains?domain=${name}`)).status;
    assert.equal(await isDomain(DOMAIN), 404);
    await execute(sandbox, `update products set domain = '${DOMAIN}' where slug = 'new'`);
    t.after(() => execute(sandbox, 'update products set domain = null'));
    assert.deepEqual([await isDomain(DOMAIN), await isDomain('other.example')], [200, 404]);
    const readiness = async () => (await fetch(`${server.opsAddress}/readyz`)).status;
    assert.equal(await readiness(), 200);
    const socket = await sendHalf(server);
    server.child.kill('SIGTERM');
    await until('not ready', async () => (await readiness()) === 503);
    socket.destroy();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });

  it('workers count failed attempts at the gate together', async (t) => {
    const server = await serveWith(t, 2, GUARDED);
    const authorization = `Basic ${Buffer.from('visitor:guess').toString('base64')}`;
    const statuses: number[] = [];
    for (let count = 0; count < 22; count++)
      statuses.push((await ask(server, new http.Agent(), { authorization })).status);
    assert.deepEqual(statuses, [...Array(20).fill(401), 429, 429]);
    await assertGuessesBounded(server.port);
    assert.equal(server.log.count('counting locally'), 0);
  });

  it('a window does not depend on the system clock', async (t) => {
    const setBack =
      'process.on("SIGUSR2", () => { const { now } = Date; Date.now = () => now() - 3_600_000; });';
    const server = await serveWith(t, 2, {
      PUBLIC_RATE_LIMIT: '1',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(setBack)}`,
    });
    assert.equal((await ask(server)).status, 200);
    for (const pid of [server.pid, ...workersOf(server)]) process.kill(pid, 'SIGUSR2');
    const { status, headers } = await ask(server);
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) <= 60, headers['retry-after']);
  });

  it('a reload applies the current .env and hooks file, and keeps the old workers if one is invalid', async (t) => {
    const own = await ownSandbox(t);
    const settings = path.join(own.folder, '.env');
    const server = await serveWith(t, 2, {}, own);
    const workers = workersOf(server);

    writeFileSync(settings, 'LOG_LEVEL=loud\n');
    server.child.kill('SIGHUP');
    await server.log.until('reload stopped');
    assert.match(server.log.all.at(-1) ?? '', /"level":"error".*LOG_LEVEL is \\"loud\\"; it must be/);
    writeFileSync(settings, 'HOOKS=hooks.yaml\n');
    writeFileSync(path.join(own.folder, 'hooks.yaml'), 'hooks: 5\n');
    server.child.kill('SIGHUP');
    await server.log.until('reload stopped', 2);
    assert.match(server.log.all.at(-1) ?? '', /"level":"error".*hooks\.yaml:1: hooks: must be a list, not 5/);
    assert.deepEqual(workersOf(server), workers);
    assert.equal((await ask(server)).status, 200);

    process.kill(workers[0] as number, 'SIGKILL');
    // A connection passed to a worker that is just being killed would be lost. The quote leaves the reloads out.
    await server.log.until('"worker did not start', 2);
    assert.equal((await ask(server)).status, 200);

    writeFileSync(settings, 'PUBLIC_MAX_AGE_SECONDS=7\n');
    await server.log.until('worker started');
    await reload(server, 2);
    const { failure, headers } = await ask(server);
    assert.deepEqual([failure, headers['cache-control']], [null, 'public, max-age=7']);
  });

  for (const [workers, signal, to] of [
    [2, 'SIGTERM', 'the primary process'],
    [2, 'SIGINT', 'the process group'],
    [1, 'SIGTERM', 'a single process'],
    [1, 'SIGHUP', 'a single process'],
  ] as const) {
    it(`${signal} to ${to} lets requests in flight finish, closes idle connections and exits with 0`, async (t) => {
      const server = await serveWith(t, workers);
      const socket = await sendHalf(server);
      const idle = new http.Agent({ keepAlive: true });
      await Promise.all([ask(server, idle), ask(server, idle), ask(server, idle)]);
      process.kill(to === 'the process group' ? -server.pid : server.pid, signal);
      await Promise.all(
        Object.values(idle.freeSockets).flatMap((kept) => kept?.map((one) => once(one, 'close'))),
      );
      socket.write('\r\n');
      const response = parseResponse(String((await once(socket, 'data'))[0]));
      assert.deepEqual([response.status, response.headers.connection], [200, 'close']);
      assert.deepEqual(await server.exited, { code: 0, signal: null });
      assert.equal(server.log.count('worker died'), 0);
    });
  }
});
