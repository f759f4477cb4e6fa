// What `serve` prints and logs when it starts, with one process and with workers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { type ServerProcess, spawnServer } from '../../support/program/process.ts';
import { workersOf } from '../../support/program/workers.ts';

/** Loaded into every process of the server: a signal brings an error that nobody has foreseen. */
const FAULTS = `data:text/javascript,${encodeURIComponent(`
  const fault = () => Object.assign(new Error('fault by signal'), { secret: 'hunter' + 2 });
  process.on('SIGUSR2', () => void Promise.reject(fault()));
  process.on('SIGWINCH', () => { throw fault(); });
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
