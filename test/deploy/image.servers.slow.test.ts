// Builds the image, runs it, and follows docs/docker.md, with Podman in the place of Docker. Its base has no shell.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, globSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureServers } from '../../cluster/debian.ts';
import { PACKAGE } from '../../src/root.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { openPodman, type Podman, ROOT } from './podman.ts';

const ADDED_BYTES_MAX = 12e6;
const CHANGELOG = '## [1.0.0] - 2026-01-15\n\n- A fuse.\n';
const PAGE = read('docs/docker.md').split('\n## PostgreSQL, Redis and nginx\n')[0] ?? '';
/** In order; a line that ends with a backslash continues. */
const LINES = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block.trim().replaceAll('\\\n', '').split('\n'),
);

describe('the image', { timeout: 900_000 }, () => {
  const scope = sharedScope();
  const host = temporaryFolder(scope);
  let podman: Podman['podman'];
  let shell: Podman['shell'];
  let start: Podman['start'];
  /** Runs a line of the page in the folder of the checkout to build, otherwise in one with a changelog. */
  const follow = (line: string) => {
    const { status, stdout, stderr } = shell(line, line.startsWith('docker build') ? ROOT : host);
    assert.equal(status, 0, `${line}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const inspect = (what: string, name: string) => JSON.parse(podman('inspect', '--type', what, name))[0];
  const untilChecked = (name: string, printed: string) =>
    until(`the health check of ${name} prints ${printed}`, () => {
      return shell(`docker exec ${name} healthcheck`, host).stdout === printed;
    });
  const serve = async (name: string, ...args: string[]) => {
    follow(`docker run -d --name ${name} --read-only --cap-drop ALL changelog serve ${args.join(' ')}`);
    await untilChecked(name, 'ready\n');
  };
  const evaluate = (name: string, code: string) => JSON.parse(podman('exec', name, 'node', '-p', code));
  /** A client whose request is half sent, from the machine, but in the network of the container. */
  const sendHalf = async (name: string) => {
    const net = `--net=/proc/${inspect('container', name).State.Pid}/ns/net`;
    const client = start('nsenter', [net, process.execPath, '-e', HALF_A_REQUEST]);
    await once(client.stdout, 'data');
    return client;
  };

  before(async () => {
    await ensureServers(['curl']);
    ({ podman, shell, start } = await openPodman(scope));
    writeFileSync(path.join(host, 'CHANGELOG.md'), CHANGELOG);
    follow(line(/^docker build /));
    follow(line(/^docker run -d /));
    await untilChecked('changelog', 'ready\n');
  });

  it('the lines of docs/docker.md work, in their order', () => {
    const others = LINES.filter((each) => !/^docker (?:build|run|stop|rm) /.test(each));
    assert.ok(others.length > 12);
    for (const each of others) {
      // There is no terminal to ask at. Podman does not publish a port of a container without a network.
      const { Pid } = inspect('container', 'changelog').State;
      const printed = follow(
        each
          .replace('exec -it changelog changelog init', 'exec changelog changelog init --yes')
          .replace(/^curl /, `nsenter --net=/proc/${Pid}/ns/net curl --fail --silent `),
      );
      if (each.startsWith('curl')) assert.match(printed, /"version":"1\.0\.0"/);
    }
    assert.match(readFileSync(path.join(host, 'changelog.key'), 'utf8'), /^\S{20,}\n$/);
  });

  it('an upgrade as on that page keeps the content', async () => {
    for (const each of LINES.filter((one) => /^docker (?:stop|rm) /.test(one))) follow(each);
    follow(line(/^docker run -d /));
    await untilChecked('changelog', 'ready\n');
    assert.match(podman('exec', 'changelog', 'changelog', 'export', 'acme'), /A fuse/);
  });

  it('it needs no shell, and has none', () => {
    const root = podman('image', 'mount', 'changelog').trim();
    assert.ok(existsSync(path.join(root, 'usr/local/bin/changelog')));
    for (const name of ['sh', 'bash', 'dash', 'env', 'cat', 'curl', 'npm'])
      assert.deepEqual(globSync(`{usr/,}{local/,}{bin,sbin}/${name}`, { cwd: root }), [], name);
  });

  it('it has the packages that the program uses, as names and licences, and nothing of the build', () => {
    const root = podman('image', 'mount', 'changelog').trim();
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; optional?: boolean }>;
    };
    const wanted = Object.keys(packages).filter((name) => name !== '' && packages[name]?.dev !== true);
    const has = (name: string) => existsSync(path.join(root, 'app', name, 'package.json'));
    for (const [name, { dev, optional }] of Object.entries(packages))
      if (name !== '' && !optional) assert.equal(has(name), !dev, name);
    assert.ok(wanted.length > 50);
    const files = globSync('app/**', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
    const kept = /^(?:package\.json|licen[cs]e.*)$/i;
    const code = files
      .filter(({ parentPath, name }) => parentPath.includes('node_modules') && !kept.test(name))
      .map(({ parentPath, name }) => path.relative(`${root}/app/node_modules`, path.join(parentPath, name)));
    for (const file of code) assert.match(file, /^better-sqlite3\/(?:lib|prebuilds)\//);
    assert.deepEqual(
      code.filter((file) => file.endsWith('.node')).sort(),
      ['linux', 'linuxmusl'].map((system) => `better-sqlite3/prebuilds/${system}-${process.arch}.node`),
    );
    for (const left of ['root', '.npm', 'root/.npm', 'app/src', 'app/package-lock.json', 'app/scripts'])
      assert.equal(existsSync(path.join(root, left)), false, left);
    assert.deepEqual(globSync(['**/.npmrc', '**/.env', '**/*.pem', '**/*.crt'], { cwd: root }), []);
  });

  it('its user owns nothing but /data, and everyone may read the rest', () => {
    const root = podman('image', 'mount', 'changelog').trim();
    for (const name of [...globSync('{app,usr/local/bin}/**', { cwd: root }), 'app', 'data']) {
      const { uid, gid, mode } = lstatSync(path.join(root, name));
      const owner = name === 'data' ? 1000 : 0;
      assert.deepEqual([uid, gid, mode & 0o022], [owner, owner, 0], name);
      assert.equal(mode & 0o004, 0o004, name);
    }
  });

  it('it is small', () => {
    const added = inspect('image', 'changelog').Size - inspect('image', 'bare').Size;
    assert.ok(added < ADDED_BYTES_MAX, `${added} bytes`);
  });

  it('its labels say what it is, and neither they nor its history say how this machine gets packages', () => {
    const { Config, Labels } = inspect('image', 'changelog');
    const label = (name: string) => Labels[`org.opencontainers.image.${name}`];
    assert.deepEqual(['title', 'version', 'licenses'].map(label), [
      'Changelog Read API',
      PACKAGE.version,
      PACKAGE.license,
    ]);
    assert.equal(label('source'), undefined);
    const names = Config.Env.map((entry: string) => entry.split('=')[0]).sort();
    const settings = ['DATABASE_URL', 'HOST', 'OPS_PORT', 'TMPDIR'];
    assert.deepEqual(names, [...settings, 'PATH', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'].sort());
    const all = podman('inspect', 'changelog') + podman('history', '--no-trunc', 'changelog');
    assert.doesNotMatch(all, /npmrc|registry|_auth|cafile|proxy/i);
  });

  it('it runs as user 1000 without capabilities, and can write to /data only', () => {
    const status = evaluate('changelog', `JSON.stringify(fs.readFileSync('/proc/1/status', 'utf8'))`);
    assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m);
    assert.match(status, /^Gid:\t1000\t1000\t1000\t1000$/m);
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      assert.match(status, new RegExp(`^Cap${set}:\t0+$`, 'm'));
    const written = evaluate(
      'changelog',
      `JSON.stringify(['/', '/app', '/app/dist', '/app/node_modules', '/etc', '/usr/local/bin', '/run', '/data'].map((folder) => {
        try { fs.writeFileSync(folder + '/probe', ''); return folder; } catch ({ code }) { return code; }
      }))`,
    );
    assert.equal(written.at(-1), '/data');
    for (const code of written.slice(0, -1)) assert.match(code, /^E(?:ROFS|NOENT)$/);
    assert.deepEqual(inspect('container', 'changelog').Mounts.length, 1);
  });

  it('the health check is healthy while the server is ready, and leaves no process behind', () => {
    assert.deepEqual(inspect('image', 'changelog').Healthcheck.Test, ['CMD', 'healthcheck']);
    for (let count = 0; count < 3; count++) podman('healthcheck', 'run', 'changelog');
    const processes = podman('top', 'changelog', 'pid', 'state', 'args').trim().split('\n').slice(1);
    assert.equal(processes.length, 1, processes.join('\n'));
    assert.match(processes[0] ?? '', /^1 .*changelog serve/);
  });

  it('the health check follows OPS_HOST and OPS_PORT, and fails with a reason without a server', () => {
    const check = (...settings: string[]) => {
      const flags = settings.map((setting) => `--env ${setting}`).join(' ');
      const { status, stdout } = shell(`docker exec ${flags} changelog healthcheck`, host);
      return [status, stdout.trim()];
    };
    assert.deepEqual(check('OPS_HOST=0.0.0.0'), [0, 'ready']);
    assert.deepEqual(check('OPS_HOST=localhost'), [0, 'ready']);
    assert.match(check('OPS_PORT=9091').join(' '), /^1 no response on 127\.0\.0\.1, port 9091: \S/);
    assert.match(check('OPS_PORT=').join(' '), /^1 OPS_PORT is not set; \S/);
  });

  it('a request in flight is finished after the stop signal, and the exit code is 0', async () => {
    await serve('draining');
    const client = await sendHalf('draining');
    podman('kill', '--signal', 'TERM', 'draining');
    await untilChecked('draining', 'not ready\n');
    client.stdin.end('\r\n');
    assert.match(String(await once(client.stdout, 'data')), /^HTTP\/1\.1 200 /);
    assert.equal(podman('wait', 'draining'), '0\n');
  });

  it('a second signal ends it at once', async () => {
    await serve('impatient');
    const client = await sendHalf('impatient');
    podman('kill', '--signal', 'TERM', 'impatient');
    await untilChecked('impatient', 'not ready\n');
    podman('kill', '--signal', 'TERM', 'impatient');
    assert.equal(podman('wait', 'impatient'), '143\n');
    client.kill();
  });

  it('workers end with process 1', async () => {
    await serve('workers', '--workers', '2');
    assert.equal(podman('top', 'workers', 'pid').trim().split('\n').length, 1 + 3);
    podman('stop', '--time', '20', 'workers');
    assert.equal(inspect('container', 'workers').State.ExitCode, 0);
  });

  it('a command that waits as process 1 ends with a signal', async () => {
    const child = start('docker', ['run', '--rm', '-i', '--name', 'waiting', 'changelog', 'check', '-']);
    const ended = once(child, 'close');
    // A signal is lost until the program has started.
    await until('it ends', () => {
      shell('docker kill --signal INT waiting', host);
      return child.exitCode !== null;
    });
    assert.deepEqual(await ended, [130, null]);
  });

  it('it has the content of the demo, and what agents need', async () => {
    const demo = line(/ changelog demo$/).replace(' -it', ' --detach --name demo');
    follow(demo);
    await until('the demo serves', () => podman('logs', 'demo').includes('/api/v1/public/'));
    podman('stop', '--time', '20', 'demo');
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const asked = `echo '${request}' | docker run --rm -i changelog mcp --url http://127.0.0.1`;
    assert.match(follow(asked), /"changes_between"/);
  });
});

/** Prints "half" once the server has read half a request; the rest comes from standard input. */
const HALF_A_REQUEST = `
const socket = require('node:net').connect(3000, '127.0.0.1').on('error', () => {});
const half = ' /docs HTTP/1.1\\r\\nHost: x\\r\\n';
socket.write('HEAD' + half + '\\r\\nGET' + half);
socket.once('data', () => {
  console.log('half');
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
});`;

/** The only line of the page that looks like this. */
function line(pattern: RegExp): string {
  const found = new Set(LINES.filter((each) => pattern.test(each)));
  assert.equal(found.size, 1, String(pattern));
  return [...found][0] as string;
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
