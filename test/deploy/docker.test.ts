// Tests the image without a builder: assembles the files that it would contain, and starts them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { tethered } from '../../cluster/tether.ts';
import { SETTINGS } from '../../src/config.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const STAGES = read('deploy/docker/Dockerfile')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map(readInstructions);
const [DEPENDENCIES = [], BUNDLE = [], FINAL = []] = STAGES;

describe('deploy/docker/Dockerfile', () => {
  it('the Dockerfile copies only files that exist and that .dockerignore does not exclude', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    for (const { from } of STAGES.flatMap(copies)) {
      assert.ok(existsSync(path.join(ROOT, from)), from);
      assert.ok(allowed.includes(`!${from}`), from);
    }
  });

  it('the Dockerfile is based on a Node.js version that the program supports', () => {
    const [, floor] = /NODE_MAJOR_MIN = (\d+);/.exec(read('src/main.ts')) ?? [];
    for (const stage of STAGES) assert.match(only(stage, 'FROM'), new RegExp(`^node:${floor}-slim\\b`));
  });

  it('the Dockerfile installs the dependencies without running their install scripts', () => {
    assert.match(only(DEPENDENCIES, 'RUN'), /^npm ci --omit=dev --ignore-scripts\b/);
    const runs = BUNDLE.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
    assert.match(runs[0] ?? '', /^npm ci --ignore-scripts\b/);
    assert.deepEqual(runs.slice(1), ['node scripts/bundle/package.ts']);
  });

  it('the image does not run as root, and its user is a number', () => {
    assert.match(only(FINAL, 'USER'), /^[1-9]\d*:[1-9]\d*$/);
  });

  it('the Dockerfile sets only settings that exist, and a folder for temporary files that can be written', () => {
    const known = [...Object.values(SETTINGS).map(({ variable }) => variable), 'TMPDIR'];
    const environment = environmentOf(FINAL);
    for (const name of Object.keys(environment)) assert.ok(known.includes(name), name);
    assert.equal(environment.TMPDIR, only(FINAL, 'VOLUME'));
    assert.equal(only(FINAL, 'WORKDIR'), only(FINAL, 'VOLUME'));
  });

  describe('the files of the image, with production dependencies only', () => {
    const scope = sharedScope();
    let image: Image;
    let server: Running;
    before(async () => {
      image = assembleImage(scope);
      server = await image.start([...list('ENTRYPOINT'), ...list('CMD')]);
    });

    it('the image serves', async () => {
      const [, address] = /^listening on (http:\S+)$/m.exec(server.output()) ?? [];
      assert.equal((await fetch(`${address}/api/v1/public/teams/a/products/b/changelog`)).status, 404);
      for (const url of ['/widget.js', '/widget.js?lang=de'])
        assert.equal((await fetch(address + url)).status, 200, url);
      assert.equal((await fetch(`${address}/docs`)).status, 200);
    });

    it('the image has what agents need', () => {
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const { status, stdout, stderr } = image.run(
        `echo '${JSON.stringify(request)}' | changelog mcp --url http://127.0.0.1`,
      );
      assert.equal(status, 0, stderr);
      assert.match(stdout, /"changes_between"/);
    });

    it('the commands of docs/docker.md work in the image while it serves', () => {
      const host = temporaryFolder(scope);
      writeFileSync(path.join(host, 'CHANGELOG.md'), '## [1.0.0] - 2026-01-15\n\n- A fuse.\n');
      const lines = read('docs/docker.md').matchAll(/^docker exec (?:-\w+ )?changelog (.*)$/gm);
      const commands = [...lines].map(([, command = '']) => command);
      assert.ok(commands.length > 5);
      for (const command of commands) {
        // There is no terminal to ask at, and the shell of the host opens its files.
        const script = command
          .replace(' init ', ' init --yes ')
          .replace(' < ', ` < ${host}/`)
          .replace(' /data/', ` ${image.data}/`);
        const { status, stderr } = image.run(script);
        assert.equal(status, 0, `${command}: ${stderr}`);
      }
    });

    it('the image has the content of the demo', async () => {
      const demo = await image.start(['changelog', 'demo']);
      assert.match(demo.output(), /^ {2}curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/public\//m);
      assert.equal(await demo.stop(), 0);
    });

    it('the image exits at its stop signal', async () => {
      assert.equal(await server.stop(), 0);
    });
  });
});

type Running = Readonly<{ output: () => string; stop: () => Promise<number | null> }>;
type Image = ReturnType<typeof assembleImage>;

/** The files of the image in a folder, and how to run programs there. Only paths differ. */
function assembleImage(scope: Scope) {
  const root = temporaryFolder(scope);
  const data = path.join(root, only(FINAL, 'VOLUME'));
  mkdirSync(data);
  for (const { from, to } of copies(FINAL))
    cpSync(path.join(ROOT, from), path.join(root, to), { recursive: true });
  linkProductionDependencies(path.join(root, 'app'));
  bundleInto(scope, path.join(root, 'app/dist'));
  const shim = path.join(root, 'usr/local/bin/changelog');
  writeFileSync(shim, readFileSync(shim, 'utf8').replace(' /app/', ` ${root}/app/`));
  const settings = Object.entries(environmentOf(FINAL)).map(([name, value]) => [
    name,
    value.replace('/data', data),
  ]);
  const env = {
    ...Object.fromEntries(settings),
    PATH: `${path.dirname(shim)}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    NODE_OPTIONS: '--preserve-symlinks',
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const start = async ([program = '', ...args]: readonly string[]): Promise<Running> => {
    const tied = tethered(program, args);
    const child = spawn(tied.command, tied.args, { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'] });
    scope.after(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close');
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const endedEarly = ended.then(() => assert.fail(output));
    while (!output.includes('listening on')) await Promise.race([once(child.stdout, 'data'), endedEarly]);
    const stop = async () => {
      child.kill(only(FINAL, 'STOPSIGNAL') as NodeJS.Signals);
      return (await ended)[0];
    };
    return { output: () => output, stop };
  };
  const run = (script: string) => spawnSync('sh', ['-c', script], { cwd: data, env, encoding: 'utf8' });
  return { data, start, run };
}

type Instruction = Readonly<{ name: string; rest: string }>;

function readInstructions(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => line.split(/ (.*)/s))
    .map(([name = '', rest = '']) => ({ name, rest }));
}

function only(stage: readonly Instruction[], wanted: string): string {
  const found = stage.filter(({ name }) => name === wanted);
  assert.equal(found.length, 1, wanted);
  return found[0]?.rest as string;
}

function list(name: string): string[] {
  return JSON.parse(only(FINAL, name));
}

/** Files from the checkout, not from another stage, and where they go. */
function copies(stage: readonly Instruction[]): { from: string; to: string }[] {
  return stage
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .map(({ rest }) => rest.split(' '))
    .flatMap((words) => {
      const target = words.at(-1) as string;
      return words
        .slice(0, -1)
        .map((from) => ({ from, to: target.endsWith('/') ? target + path.basename(from) : target }));
    });
}

function environmentOf(stage: readonly Instruction[]): Record<string, string> {
  const words = stage.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(' '));
  return Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2)));
}

/** The stage of the bundle, with only the files that it copies. */
function bundleInto(scope: Scope, dist: string): void {
  const app = temporaryFolder(scope);
  for (const { from, to } of copies(BUNDLE))
    cpSync(path.join(ROOT, from), path.join(app, to), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(app, 'node_modules'));
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(app, 'scripts/bundle/package.ts'), dist],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr);
}

/** The result of `npm ci --omit=dev`: links to the installed packages, which cannot reach the other ones. */
function linkProductionDependencies(folder: string): void {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [place, { dev }] of Object.entries(packages)) {
    const isNested = place.indexOf('node_modules/', 1) !== -1;
    if (place === '' || dev || isNested || !existsSync(path.join(ROOT, place))) continue;
    mkdirSync(path.join(folder, path.dirname(place)), { recursive: true });
    symlinkSync(path.join(ROOT, place), path.join(folder, place));
  }
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
