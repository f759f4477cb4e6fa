import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Environment } from '../../../src/config.ts';
import { deadline } from '../../../support/processes/busy.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { sandboxOf } from '../helpers.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SECOND_START_MS_MAX = 2_000;

type Demo = { printed: string; calls: Call[]; readyMs: number; stop: () => Promise<number | null> };
type Call = { url: string; headers: Record<string, string> };

/** Starts the demo on a free port, and reads the commands that it prints. */
async function startDemo(scope: Scope, sandbox: Sandbox, environment: Environment = {}): Promise<Demo> {
  const startedAt = performance.now();
  const { child, exited, output } = await spawnProgram(scope, sandbox, ['demo', '--port', '0'], environment);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (/^listening on http:\/\/\S+$/m.test(output().stdout)) resolve();
    });
    exited.then(() => reject(new Error(`demo ended: ${output().stderr}`)));
  });
  const readyMs = performance.now() - startedAt;
  const printed = output().stdout;
  const calls = [...printed.matchAll(/^ *curl (?:-H '([^:']+): ([^']+)' )?(http\S+)$/gm)].map(
    ([, name, value, url]): Call => ({ url: url ?? '', headers: name && value ? { [name]: value } : {} }),
  );
  const stop = async () => {
    child.kill('SIGTERM');
    return (await exited).code;
  };
  return { printed, calls, readyMs, stop };
}

/** The database of the demo. */
const inDemo = ({ folder }: Sandbox): Sandbox => ({
  folder,
  environment: { DATABASE_URL: `sqlite:${path.join(folder, 'data/demo.db')}` },
});

const widgetPageOf = ({ printed }: Demo) => /^Try the widget at (\S+)$/m.exec(printed)?.[1] ?? '';

const keysOf = ({ calls }: Demo) => calls.flatMap(({ headers }) => Object.values(headers));

describe('demo', { timeout: 300_000 }, () => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  const scope: Scope = { after: (cleanUp) => void cleanUps.unshift(cleanUp) };
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  const sandbox = sandboxOf(scope);
  let first: Demo;
  before(async () => {
    first = await startDemo(scope, sandbox);
  });

  it('demo prints the URL of a page first, which works', async () => {
    const { origin } = new URL(first.calls[0]?.url ?? '');
    const [, url = ''] = /^\nOpen (\S+)\n/.exec(first.printed) ?? [];
    assert.equal(url, `${origin}/changelog/acme/rocket`);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /^<!doctype html>/i);
  });

  it('demo prints the URL of a page to try the widget on, which works', async () => {
    assert.equal((await fetch(widgetPageOf(first))).status, 200);
  });

  it('demo lists its public products, unless LISTING says otherwise', async () => {
    const statusOf = async ({ calls }: Demo) => (await fetch(new URL('/', calls[0]?.url))).status;
    assert.equal(await statusOf(first), 200);
    const own = sandboxOf(scope);
    const quiet = await startDemo(scope, own, { LISTING: 'team' });
    assert.equal(await statusOf(quiet), 404);
    assert.equal(await quiet.stop(), 0);
    writeFileSync(path.join(own.folder, '.env'), 'LISTING=none\n');
    const hidden = await startDemo(scope, own);
    assert.equal(await statusOf(hidden), 404);
    assert.equal(await hidden.stop(), 0);
  });

  it('demo prints a public curl command and two with keys, all of which work', async () => {
    assert.equal(first.calls.length, 3);
    assert.deepEqual(
      first.calls.map(({ headers }) => Object.keys(headers)),
      [[], ['Authorization'], ['Authorization']],
    );
    for (const { url, headers } of first.calls) {
      const response = await fetch(url, { headers });
      assert.equal(response.status, 200, url);
      const { data } = (await response.json()) as { data: { object: string; versions: unknown[] } };
      assert.equal(data.object, 'changelog');
      assert.ok(data.versions.length > 0);
    }
  });

  it('demo prints the URL of the API reference', async () => {
    const [, url = ''] = /^API reference: (\S+)$/m.exec(first.printed) ?? [];
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /^<!doctype html>/i);
  });

  it('demo prints a command that works on its database', async () => {
    const [, url = '', args = ''] =
      /^ {2}CHANGELOG_DATABASE_URL=(\S+) changelog (.+)$/m.exec(first.printed) ?? [];
    assert.equal(url, 'sqlite:data/demo.db');
    assert.match(await runOk(inDemo(sandbox), args.split(' ')), /^nightshift /m);
  });

  it('the private content of the demo needs the keys', async () => {
    const statuses = await Promise.all(first.calls.map(async ({ url }) => (await fetch(url)).status));
    assert.deepEqual(statuses, [200, 401, 401]);
  });

  it('demo stores its keys where only their owner can read them', () => {
    assert.equal(statSync(path.join(sandbox.folder, 'data/demo-keys.json')).mode & 0o077, 0);
  });

  it('demo starts within 2 s the second time, with the same keys and its changes', async () => {
    assert.equal(await first.stop(), 0);
    await runOk(inDemo(sandbox), ['team', 'set', 'acme', '--name', 'Renamed']);
    const second = await startDemo(scope, sandbox);
    assert.ok(second.readyMs < deadline(SECOND_START_MS_MAX), `${second.readyMs} ms`);
    assert.deepEqual(keysOf(second), keysOf(first));
    const [call] = second.calls;
    const response = await fetch(call?.url ?? '');
    assert.match(await response.text(), /"name":"Renamed"/);
    assert.equal(await second.stop(), 0);
  });

  it('demo on every address, with workers, prints URLs that can be reached', async () => {
    const demo = await startDemo(scope, sandbox, { HOST: '0.0.0.0', WORKERS: '2' });
    for (const { url } of demo.calls) assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/api\//);
    assert.equal((await fetch(widgetPageOf(demo))).status, 200);
    assert.equal(await demo.stop(), 0);
  });

  it('demo creates new keys for a new database, and nobody who had a file there can read them', async () => {
    chmodSync(path.join(sandbox.folder, 'data/demo-keys.json'), 0o666);
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(path.join(sandbox.folder, `data/demo.db${suffix}`), { force: true });
    const third = await startDemo(scope, sandbox);
    assert.notDeepEqual(keysOf(third), keysOf(first));
    for (const { url, headers } of third.calls) assert.equal((await fetch(url, { headers })).status, 200);
    assert.equal(statSync(path.join(sandbox.folder, 'data/demo-keys.json')).mode & 0o077, 0);
    assert.equal(await third.stop(), 0);
  });
});

describe('npm start with options', { timeout: 300_000 }, () => {
  const npmStart = (...args: string[]) =>
    promisify(execFile)('npm', ['start', '--silent', ...args], { cwd: ROOT, timeout: 120_000 });

  it('npm start passes on options after --, also if npm has a setting of the same name', async () => {
    const { stdout } = await npmStart('--port=1', '--', '--port', '3005', '--help');
    assert.match(stdout, /^Usage: bin\/changelog demo /);
  });
});
