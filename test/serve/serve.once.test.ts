// What `serve` prints and logs when it starts, with one process and with workers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { type ServerProcess, spawnProgram, spawnServer } from '../../support/program/process.ts';
import { reload, untilDrained, workersOf } from '../../support/program/workers.ts';

/** Loaded into every process of the server: a signal brings an error that nobody has foreseen. */
const FAULTS = `data:text/javascript,${encodeURIComponent(`
  const fault = () => Object.assign(new Error('fault by signal'), { secret: 'hunter' + 2 });
  process.on('SIGUSR2', () => void Promise.reject(fault()));
  process.on('SIGWINCH', () => { throw fault(); });
  process.on('SIGIO', () => process.emitWarning('advice by signal'));
  import cluster from 'node:cluster';
  process.on('SIGURG', () => { for (const worker of Object.values(cluster.workers)) worker.emit('error', fault()); });
`)}`;

const FORWARDED = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };

describe('serve without BASE_URL', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  before(async () => void (await seedWorld(sandbox)));

  for (const workers of ['1', '2']) {
    it(`serve on 0.0.0.0 with WORKERS=${workers} warns once, in JSON, and links to a reachable address`, async (t) => {
      const server = await spawnServer(t, sandbox, { HOST: '0.0.0.0', WORKERS: workers, LOG_FORMAT: 'json' });
      assert.match(server.output().stdout, new RegExp(`^listening on http://0\\.0\\.0\\.0:${server.port}\n`));
      const reachable = `http://127.0.0.1:${server.port}`;
      const read = (path: string) => fetch(reachable + path, { headers: FORWARDED });
      assert.equal(
        (await read(`${PUBLIC_FEED}?limit=1`)).headers.get('link')?.startsWith(`<${reachable}/api/`),
        true,
      );
      for (const path of [`${PUBLIC_FEED}/feed.atom`, '/api/openapi.json', '/docs']) {
        const body = await (await read(path)).text();
        assert.ok(body.includes(`${reachable}`), path);
        assert.doesNotMatch(body, /0\.0\.0\.0|evil/, path);
      }
      await server.stop();
      const lines = server.log.all.map((line) => JSON.parse(line));
      const warnings = lines.filter(({ level }) => level === 'warn');
      assert.deepEqual(
        warnings.map(({ msg }) => msg),
        [
          `HOST is 0.0.0.0 and BASE_URL is unset, so links begin with ${reachable}. Set BASE_URL to the URL that clients use.`,
        ],
      );
    });
  }

  it('serve on loopback warns only behind a proxy', async (t) => {
    for (const [TRUSTED_PROXIES, warnings] of [
      [undefined, 0],
      ['127.0.0.1', 1],
    ] as const) {
      const server = await spawnServer(t, sandbox, { TRUSTED_PROXIES });
      await server.stop();
      assert.equal(server.log.count('BASE_URL is unset'), warnings);
    }
  });
});

describe('serve on a port that is taken', () => {
  it('serve on a port that is taken says so before it makes a database, as does demo', async (t) => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => void other.close());
    const taken = String((other.address() as net.AddressInfo).port);
    for (const [command, environment, advice] of [
      ['serve', { PORT: taken }, '--port'],
      ['serve', { PORT: taken, WORKERS: '2' }, '--port'],
      ['serve', { PORT: '0', OPS_PORT: taken }, 'OPS_PORT'],
      ['demo', { PORT: taken }, '--port'],
    ] as const) {
      const folder = temporaryFolder(t);
      const program = await spawnProgram(t, { folder }, [command], {
        DATABASE_URL: 'sqlite:new/new.db',
        ...environment,
      });
      assert.deepEqual(await program.exited, { code: 1, signal: null });
      assert.deepEqual(program.output(), {
        stdout: '',
        stderr: `changelog: port ${taken} on 127.0.0.1 is already in use; stop the other process or choose another port with ${advice}.\n`,
      });
      assert.deepEqual(
        ['new', 'data'].filter((name) => existsSync(path.join(folder, name))),
        [],
      );
    }
  });
});

describe('serve with LOG_FORMAT=json', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  before(async () => void (await seedWorld(sandbox)));

  for (const workers of [1, 2]) {
    it(`every line of both streams is JSON, from start to end, with WORKERS=${workers}`, async (t) => {
      const server = await spawnServer(t, sandbox, {
        NODE_OPTIONS: `--import ${FAULTS}`,
        LOG_FORMAT: 'json',
        TRUSTED_PROXIES: '192.0.2.1',
        OPS_PORT: '0',
        WORKERS: String(workers),
      });
      assert.equal((await fetch(server.address + PUBLIC_FEED)).status, 200);
      assert.equal((await fetch(`${server.opsAddress}/readyz`)).status, 200);
      for (const [index, pid] of [server.pid, ...workersOf(server)].entries()) {
        process.kill(pid, 'SIGIO');
        await server.log.until('warning of Node.js', index + 1);
        process.kill(pid, 'SIGUSR2');
        await server.log.until('unhandled rejection', index + 1);
      }
      if (workers > 1) {
        await reload(server, workers);
        await untilDrained(server, workers);
        process.kill(workersOf(server)[0] as number, 'SIGWINCH');
        await server.log.until('worker started');
      }
      await server.stop();
      const { stdout, stderr } = server.output();
      const [first = '', ...others] = stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.includes('operations on'));
      assert.equal(first, `listening on ${server.address}`);
      assert.deepEqual(
        others.map((line) => JSON.parse(line)),
        [{ msg: `API reference: ${server.address}/docs` }],
      );
      const printed = stdout.split('\n').find((line) => line.includes('operations on')) ?? '';
      assert.deepEqual(JSON.parse(printed), { msg: `operations on ${server.opsAddress}` });
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.ok(lines.every(({ level, time, msg }) => /^[a-z]+$/.test(level) && time && msg));
      const warnings = lines.filter(({ level, msg }) => level === 'warn' && msg === 'warning of Node.js');
      assert.equal(warnings[0].reason, 'Warning: advice by signal');
    });
  }
});

describe('an error that nobody has foreseen', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  before(async () => void (await seedWorld(sandbox)));
  const environment = { NODE_OPTIONS: `--import ${FAULTS}`, LOG_FORMAT: 'json' };
  const isServed = async ({ address }: ServerProcess) =>
    assert.equal((await fetch(address + PUBLIC_FEED)).status, 200);
  const lineWith = ({ log }: ServerProcess, text: string) =>
    JSON.parse(log.all.find((line) => line.includes(text)) ?? '{}');
  const check = (server: ServerProcess, msg: string) => {
    const { level, reason, stack } = lineWith(server, msg);
    assert.deepEqual([level, reason], ['fatal', 'Error: fault by signal']);
    assert.match(stack, /^Error: fault by signal\n {4}at /);
    assert.ok(!server.log.all.some((line) => line.includes('hunter2')));
  };

  it('in a promise is logged with its stack, and every process goes on', async (t) => {
    for (const workers of ['1', '2']) {
      const server = await spawnServer(t, sandbox, { ...environment, WORKERS: workers });
      const pids = [server.pid, ...workersOf(server)];
      for (const [index, pid] of pids.entries()) {
        process.kill(pid, 'SIGUSR2');
        await server.log.until('unhandled rejection', index + 1);
        check(server, 'unhandled rejection');
      }
      await isServed(server);
      assert.deepEqual([server.pid, ...workersOf(server)], pids);
      await server.stop();
    }
  });

  it('elsewhere is logged with its stack, and ends the process; a worker is replaced', async (t) => {
    const single = await spawnServer(t, sandbox, environment);
    single.child.kill('SIGWINCH');
    const [code] = await once(single.child, 'exit');
    assert.equal(code, 1);
    check(single, 'uncaught exception: this process ends');

    const server = await spawnServer(t, sandbox, { ...environment, WORKERS: '2' });
    process.kill(workersOf(server)[0] as number, 'SIGWINCH');
    await server.log.until('worker started');
    check(server, 'uncaught exception: this process ends');
    assert.equal(lineWith(server, 'worker died').code, 1);
    await isServed(server);
    await server.stop();
  });

  it('of a message to a worker changes nothing: it is still replaced when it ends', async (t) => {
    const server = await spawnServer(t, sandbox, { ...environment, WORKERS: '2' });
    server.child.kill('SIGURG');
    process.kill(workersOf(server)[0] as number, 'SIGKILL');
    await server.log.until('worker started');
    await isServed(server);
    await server.stop();
    assert.equal(server.log.count('unhandled rejection'), 0);
  });
});
