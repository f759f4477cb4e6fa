// The launcher in a fresh clone, run by the first Node.js on the PATH.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { constants as osConstants } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { openTerminal } from '../support/terminal.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { V8_FLAGS } = createRequire(import.meta.url)('../../bin/launcher.cjs') as { V8_FLAGS: string[] };
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

const NOBODY = 65534;
const RUNTIMES = ['runtime/linux-arm64', 'runtime/linux-x64'];
/** Each has a lockfile. */
const PARTS = ['.', ...RUNTIMES];

/** The files of a fresh clone that the launcher uses. */
function makeClone(scope: Scope): string {
  const folder = temporaryFolder(scope);
  for (const entry of [
    'bin',
    ...PARTS.flatMap((part) => [`${part}/package.json`, `${part}/package-lock.json`]),
  ]) {
    cpSync(path.join(ROOT, entry), path.join(folder, entry), { recursive: true });
  }
  return folder;
}

/** A clone after setup: this project's runtime, and the stamps of all lockfiles. */
function makeInstalled(scope: Scope): string {
  const folder = makeClone(scope);
  for (const part of PARTS) stamp(folder, part);
  for (const runtime of RUNTIMES) {
    const node = path.join(runtime, 'node_modules', `node-${path.basename(runtime)}`);
    if (existsSync(path.join(ROOT, node))) symlinkSync(path.join(ROOT, node), path.join(folder, node));
  }
  return folder;
}

/** Leaves the mark of a finished setup in a folder of the clone. */
function stamp(clone: string, part: string): void {
  const lockfile = readFileSync(path.join(clone, part, 'package-lock.json'));
  const modules = path.join(clone, part, 'node_modules');
  mkdirSync(modules);
  writeFileSync(path.join(modules, '.changelog-setup'), createHash('sha256').update(lockfile).digest('hex'));
}

/** A closed port, so that setup cannot succeed unnoticed. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function environmentOf(folder: string): Promise<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    npm_config_registry: `http://127.0.0.1:${await closedPort()}/`,
    npm_config_cache: path.join(folder, 'npm-cache'),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
  };
}

/** A registry that accepts connections and never responds. */
async function silentRegistry(scope: Scope): Promise<{ url: string; connection: () => Promise<Socket> }> {
  const registry = createServer().listen(0, '127.0.0.1');
  scope.after(() => void registry.close());
  await once(registry, 'listening');
  const { port } = registry.address() as { port: number };
  const connection = async () => (await once(registry, 'connection'))[0] as Socket;
  return { url: `http://127.0.0.1:${port}/`, connection };
}

type Started = {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  closed: Promise<number | null>;
};

/** `closed` resolves when the launcher and all processes that it started have exited. */
function start(
  scope: Scope,
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Started {
  const child = spawn(command, args, { cwd, env, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  scope.after(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return { child, output, closed };
}

async function launch(scope: Scope, folder: string, ...args: string[]): Promise<Started> {
  return start(scope, 'node', ['bin/launcher.cjs', ...args], await environmentOf(folder), folder);
}

const UNREACHABLE = 'echo "npm error code ECONNREFUSED" >&2; exit 1';

/** With a script in place of npm, which takes a second to start. */
async function launchWithNpm(scope: Scope, folder: string, script: string, code = ''): Promise<Started> {
  writeFileSync(path.join(folder, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const environment = await environmentOf(folder);
  environment.PATH = `${folder}:${environment.PATH}`;
  environment.npm_execpath = path.join(folder, 'yarn.js');
  return start(scope, 'node', ['bin/launcher.cjs', '-e', code], environment, folder);
}

async function untilReady({ child, output }: Started): Promise<void> {
  while (!output.stdout.includes('ready\n')) await once(child.stdout as NodeJS.ReadableStream, 'data');
}

/** The two ways to run code: with flags of Node.js, and as a script, which may run in the launcher's own process. */
const WAYS = {
  'a script': (folder: string, code: string) => {
    writeFileSync(path.join(folder, 'script.cjs'), code);
    return [path.join(folder, 'script.cjs')];
  },
  'flags for Node.js': (_folder: string, code: string) => ['-e', code],
};

describe('setup', () => {
  it('setup that cannot reach the registry prints one line of progress and one error', async (t) => {
    const folder = makeClone(t);
    const { output, closed } = await launch(t, folder, '-e', 'console.log("ran")');
    assert.equal(await closed, 1);
    assert.equal(output.stdout, '');
    const [progress, failure, ...rest] = output.stderr.split('\n');
    assert.match(progress ?? '', /^changelog: setting up: .+ …$/);
    assert.match(failure ?? '', /^changelog: cannot reach the npm registry \(ECONNREFUSED\); .+$/);
    assert.deepEqual(rest, ['']);
  });

  it('setup that cannot download Node.js fails, and is tried again', async (t) => {
    const folder = makeClone(t);
    stamp(folder, '.');
    for (const _attempt of [1, 2]) {
      const { output, closed } = await launchWithNpm(t, folder, UNREACHABLE, 'console.log("ran")');
      if (isRecentNode()) {
        assert.equal(await closed, 0);
        assert.deepEqual(output, { stdout: 'ran\n', stderr: '' });
      } else {
        assert.equal(await closed, 1);
        assert.match(
          output.stderr,
          /^[^\n]+ …\nchangelog: cannot reach the npm registry \(ECONNREFUSED\); [^\n]+\n$/,
        );
      }
    }
  });

  it('the Node.js of each platform is pinned, and is not optional: npm ignores it if an optional package is missing', () => {
    for (const runtime of RUNTIMES) {
      const name = `node-${path.basename(runtime)}`;
      const [manifest, lockfile] = ['package.json', 'package-lock.json'].map((file) =>
        JSON.parse(readFileSync(path.join(ROOT, runtime, file), 'utf8')),
      );
      assert.deepEqual(Object.keys(manifest.dependencies), [name]);
      const { version, integrity, optional } = lockfile.packages[`node_modules/${name}`];
      assert.equal(version, manifest.dependencies[name]);
      assert.match(integrity, /^sha512-/);
      assert.equal(optional, undefined);
    }
  });

  it('setup that fails removes its lock, and ignores the lock of a process that has exited', async (t) => {
    const folder = makeClone(t);
    const gone = start(t, 'node', ['-e', ''], await environmentOf(folder), folder);
    await gone.closed;
    const lock = path.join(folder, '.changelog-setup.lock');
    for (const abandoned of [String(gone.child.pid), '']) {
      writeFileSync(lock, abandoned);
      utimesSync(lock, Date.now() / 1000, Date.now() / 1000 - 3);
      const { output, closed } = await launchWithNpm(t, folder, UNREACHABLE);
      assert.equal(await closed, 1);
      assert.match(output.stderr, /^[^\n]+: installing [^\n]+\nchangelog: cannot reach the npm registry/);
      assert.equal(existsSync(lock), false);
      assert.equal(existsSync(path.join(folder, 'node_modules/.changelog-setup')), false);
    }
  });

  it('setup that is interrupted stops npm immediately, removes its lock and prints an error', async (t) => {
    const folder = makeClone(t);
    const registry = await silentRegistry(t);
    const environment = { ...(await environmentOf(folder)), npm_config_registry: registry.url };
    const { child, output, closed } = start(t, 'node', ['bin/launcher.cjs', '-e', ''], environment, folder);
    const disconnected = once(await registry.connection(), 'close');
    child.kill('SIGTERM');
    assert.equal(await closed, 128 + osConstants.signals.SIGTERM);
    assert.match(
      output.stderr,
      /^[^\n]+ …\nchangelog: setup was interrupted by SIGTERM; run this again to continue\n$/,
    );
    await disconnected;
    assert.equal(existsSync(path.join(folder, '.changelog-setup.lock')), false);
  });

  it('Ctrl-C on a terminal ends the line of progress and the setup, also that of npm start', async (t) => {
    const folder = makeClone(t);
    const registry = await silentRegistry(t);
    // Version managers put a program in front of npm, which starts it.
    const shims = path.join(folder, 'shims');
    mkdirSync(shims);
    writeFileSync(path.join(shims, 'npm'), `#!/bin/sh\n${findOnPath('npm')} "$@"\nexit $?\n`, {
      mode: 0o755,
    });
    const environment = {
      ...(await environmentOf(folder)),
      npm_config_registry: registry.url,
      PATH: `${shims}:${process.env.PATH}`,
    };
    for (const command of [
      ['node', 'bin/launcher.cjs', '-e', ''],
      ['npm', 'start'],
    ]) {
      const terminal = openTerminal(t, command, { folder, environment });
      const disconnected = once(await registry.connection(), 'close');
      terminal.type('\x03\x03');
      assert.equal(await terminal.ended, 128 + osConstants.signals.SIGINT);
      assert.match(
        terminal.screen(),
        /\rchangelog: setting up: [^\n]+: stopped after \d+ s\nchangelog: setup was interrupted by SIGINT; [^\n]+\n/,
      );
      await disconnected;
      assert.equal(existsSync(path.join(folder, '.changelog-setup.lock')), false);
    }
  });

  it('Ctrl-C while another process installs leaves the lock to that process', async (t) => {
    const folder = makeClone(t);
    const lock = path.join(folder, '.changelog-setup.lock');
    writeFileSync(lock, String(process.pid));
    const terminal = openTerminal(t, ['node', 'bin/launcher.cjs', '-e', ''], {
      folder,
      environment: await environmentOf(folder),
    });
    await terminal.shows(`changelog: setting up: waiting for process ${process.pid}, which is installing …`);
    terminal.type('\x03');
    assert.equal(await terminal.ended, 128 + osConstants.signals.SIGINT);
    await terminal.shows('\nchangelog: setup was interrupted by SIGINT; ');
    assert.equal(readFileSync(lock, 'utf8'), String(process.pid));
  });

  it('the line of progress is never wider than the terminal', async (t) => {
    const folder = makeClone(t);
    writeFileSync(path.join(folder, '.changelog-setup.lock'), String(process.pid));
    const terminal = openTerminal(t, ['sh', '-c', 'stty cols 40; exec node bin/launcher.cjs -e ""'], {
      folder,
      environment: await environmentOf(folder),
    });
    await terminal.shows(' … 1 s');
    for (const line of terminal.screen().split('\r')) assert.ok(line.length < 40, line);
  });

  it('setup goes on when nobody reads its progress', async (t) => {
    const folder = makeClone(t);
    const { child, closed } = await launchWithNpm(t, folder, UNREACHABLE);
    child.stderr?.destroy();
    assert.equal(await closed, 1);
    assert.equal(existsSync(path.join(folder, '.changelog-setup.lock')), false);
  });

  it('setup without npm prints one line about what to install, also on a terminal', async (t) => {
    const folder = makeClone(t);
    const bin = path.join(folder, 'only-node');
    mkdirSync(bin);
    for (const program of ['node', 'script']) symlinkSync(findOnPath(program), path.join(bin, program));
    const environment = { ...(await environmentOf(folder)), PATH: bin };
    const { output, closed } = start(t, 'node', ['bin/launcher.cjs', '-e', ''], environment, folder);
    assert.equal(await closed, 1);
    assert.match(output.stderr, /^changelog: setting up[^\n]*\nchangelog: npm not found; install [^\n]+\n$/);
    const terminal = openTerminal(t, ['node', 'bin/launcher.cjs', '-e', ''], { folder, environment });
    assert.equal(await terminal.ended, 1);
    assert.match(terminal.screen(), /: stopped after 0 s\nchangelog: npm not found; install [^\n]+\n$/);
    assert.equal(existsSync(path.join(folder, '.changelog-setup.lock')), false);
  });

  it('setup that may not write to its folder says who has to run what, and leaves no lock', async (t) => {
    const folder = makeClone(t);
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    const remedy = isRoot
      ? `run \`${folder}/bin/changelog --version\` once as root`
      : 'make it writable and run this again';
    const child = spawn('node', ['bin/launcher.cjs', '-e', ''], {
      cwd: folder,
      env: await environmentOf(folder),
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    chmodSync(folder, 0o755);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `changelog: cannot install the dependencies: this user may not write to ${folder} (EACCES); ${remedy}\n`,
    );
    assert.equal(existsSync(path.join(folder, '.changelog-setup.lock')), false);
  });

  it('setup explains why npm failed, whatever the version of npm', async (t) => {
    const folder = makeClone(t);
    const cannot = 'cannot install the dependencies';
    const full = `${cannot}: the disk is full (${folder}); free some space and run this again`;
    const cases: [npm: string, explanation: string][] = [
      ['npm ERR! code ENOSPC; npm ERR! syscall write; exit 228', full],
      ['npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left; npm error code ENOENT; exit 254', full],
      ['npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left; exit 0', full],
      [
        'npm error code EACCES; npm error syscall mkdir; npm error path /home/someone/.npm/_cacache; exit 243',
        `${cannot}: npm cannot write to /home/someone/.npm/_cacache (EACCES); make it writable, or set npm_config_cache to a folder that is`,
      ],
      [
        `npm ERR! code EROFS; npm ERR! syscall rmdir; npm ERR! path ${folder}/node_modules/.bin; exit 226`,
        `${cannot}: ${folder} is read-only; run \`${folder}/bin/changelog --version\` once while it is writable`,
      ],
      [
        'kill -KILL $$',
        'npm was ended by SIGKILL; if this machine is short of memory, free some and run this again',
      ],
      ['npm ERR! code E401; exit 1', `npm ci failed in ${folder}: E401; run it there to see its full output`],
    ];
    for (const [npm, explanation] of cases) {
      const script = npm.replaceAll(/(npm [^;]+)/g, "echo '$1' >&2");
      const { output, closed } = await launchWithNpm(t, folder, script);
      assert.equal(await closed, 1);
      assert.match(output.stderr, /^[^\n]+ …\nchangelog: [^\n]+\n$/);
      assert.ok(output.stderr.endsWith(`\nchangelog: ${explanation}\n`), output.stderr);
    }
  });

  it('the second start prints and downloads nothing', async (t) => {
    const folder = makeInstalled(t);
    const { output, closed } = await launch(t, folder, '-e', 'console.log("ran", process.versions.node)');
    assert.equal(await closed, 0);
    assert.equal(output.stderr, '');
    assert.match(output.stdout, /^ran (2[4-9]|[3-9]\d)\./);
    assert.equal(existsSync(path.join(folder, 'npm-cache')), false);
  });

  it('setup runs again when the lockfile has changed', async (t) => {
    const folder = makeInstalled(t);
    const lockfile = path.join(folder, 'package-lock.json');
    writeFileSync(lockfile, `${readFileSync(lockfile, 'utf8')}\n`);
    const { output, closed } = await launchWithNpm(t, folder, UNREACHABLE);
    assert.equal(await closed, 1);
    assert.match(output.stderr, /^changelog: setting up[^\n]*\nchangelog: cannot reach the npm registry/);
  });
});

for (const [way, argsFor] of Object.entries(WAYS)) {
  describe(`a program run as ${way}`, () => {
    it(`the launcher exits with the exit code of ${way}`, async (t) => {
      const folder = makeInstalled(t);
      for (const code of [0, 1, 2, 7, 255]) {
        const { closed, output } = await launch(t, folder, ...argsFor(folder, `process.exit(${code})`));
        assert.equal(await closed, code);
        assert.equal(output.stderr, '');
      }
    });

    it(`the launcher passes its standard streams to ${way}`, async (t) => {
      const folder = makeInstalled(t);
      const code = 'process.stdin.on("data", (d) => process.stdout.write(d)); process.stderr.write("err\\n")';
      const { child, closed, output } = await launch(t, folder, ...argsFor(folder, code));
      child.stdin?.end('typed');
      assert.equal(await closed, 0);
      assert.deepEqual(output, { stdout: 'typed', stderr: 'err\n' });
    });

    it(`the launcher forwards signals to ${way}, which decides what to do`, async (t) => {
      const folder = makeInstalled(t);
      const code = `
        for (const signal of ${JSON.stringify(SIGNALS)})
          process.on(signal, () => { console.log(signal); process.exitCode = 42; clearInterval(alive); });
        const alive = setInterval(() => {}, 1000);
        console.log('ready');`;
      const runs = SIGNALS.map(async (signal) => {
        const started = await launch(t, folder, ...argsFor(folder, code));
        await untilReady(started);
        started.child.kill(signal);
        assert.equal(await started.closed, 42);
        assert.equal(started.output.stdout, `ready\n${signal}\n`);
      });
      await Promise.all(runs);
    });

    it(`the exit code of the launcher shows the signal that ended ${way}`, async (t) => {
      const folder = makeInstalled(t);
      const code = 'setInterval(() => {}, 1000); console.log("ready")';
      const started = await launch(t, folder, ...argsFor(folder, code));
      await untilReady(started);
      started.child.kill('SIGTERM');
      const exit = await started.closed;
      assert.ok(
        exit === 128 + osConstants.signals.SIGTERM || started.child.signalCode === 'SIGTERM',
        `${exit}`,
      );
    });

    it(`${way} does not outlive a launcher that is killed`, { timeout: 120_000 }, async (t) => {
      const folder = makeInstalled(t);
      const code = 'setInterval(() => {}, 1000); console.log("ready")';
      const started = await launch(t, folder, ...argsFor(folder, code));
      await untilReady(started);
      started.child.kill('SIGKILL');
      await started.closed;
    });
  });
}

describe('a Node.js that is too old even to set up', () => {
  it('is named in one line, by npm start and npm test alike', async (t) => {
    const folder = makeClone(t);
    const old = path.join(folder, 'old.cjs');
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: { node: '16.20.2' } });
      Object.defineProperty(process, 'version', { value: 'v16.20.2' });`,
    );
    for (const program of ['bin/launcher.cjs', 'bin/changelog']) {
      const run = start(t, 'node', ['--require', old, program, '-e'], await environmentOf(folder), folder);
      assert.equal(await run.closed, 1);
      assert.equal(
        run.output.stderr,
        'changelog: Node.js 18 or later is required, but this is v16.20.2; install Node.js 24 and run this again\n',
      );
    }
  });

  it('can read the files that say so', () => {
    for (const file of ['bin/launcher.cjs', 'bin/changelog']) {
      const code = readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^\/\/.*$/gm, '');
      assert.doesNotMatch(code, /\?\.[a-z[(]|\?\?|^import /m);
    }
  });
});

describe('the memory of a server', () => {
  const CODE = `console.log(JSON.stringify([process.env.MALLOC_ARENA_MAX, process.env.MALLOC_TRIM_THRESHOLD_, process.pid,
    process.argv.slice(2), process.execArgv.filter((flag) => /semi|heap/.test(flag))]));`;

  /** What the script sees, and the process that was started. */
  async function run(scope: Scope, node: string, command: string, more: Record<string, string> = {}) {
    const folder = makeInstalled(scope);
    const script = path.join(folder, 'script.cjs');
    writeFileSync(script, CODE);
    const environment = { ...(await environmentOf(folder)), ...more };
    const args = ['bin/launcher.cjs', script, command, '--port', '0'];
    const { child, output, closed } = start(scope, node, args, environment, folder);
    assert.equal(await closed, 0, output.stderr);
    assert.equal(output.stderr, '');
    const [arenas, threshold, pid, received, flags] = JSON.parse(output.stdout);
    assert.deepEqual(received, [command, '--port', '0']);
    return { arenas, threshold, flags, isSameProcess: pid === child.pid };
  }

  it('a server is told how to allocate, by any Node.js, and stays the process that was started', async (t) => {
    const told = { arenas: '1', threshold: '262144', flags: V8_FLAGS };
    for (const command of ['serve', 'demo'])
      assert.deepEqual(await run(t, process.execPath, command), { ...told, isSameProcess: true });
    assert.deepEqual(await run(t, 'node', 'serve'), { ...told, isSameProcess: isRecentNode() });
  });

  it('build has the same limits for objects', async (t) => {
    const none = { arenas: null, threshold: null };
    const expected = { ...none, flags: V8_FLAGS, isSameProcess: true };
    assert.deepEqual(await run(t, process.execPath, 'build'), expected);
  });

  it('other commands, and what a user has set, stay as they are', async (t) => {
    assert.deepEqual(await run(t, process.execPath, 'export'), {
      arenas: null,
      threshold: null,
      flags: [],
      isSameProcess: true,
    });
    const own = { MALLOC_ARENA_MAX: '4', NODE_OPTIONS: '--max-semi-space-size=4' };
    assert.deepEqual(await run(t, process.execPath, 'serve', own), {
      arenas: '4',
      threshold: null,
      flags: ['--heap-growing-percent=25'],
      isSameProcess: true,
    });
  });
});

describe('npm', () => {
  it('npm scripts use exec, so that npm sends its signals to the program and not to a shell', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    for (const name of ['start', 'test']) assert.match(scripts[name], /^exec node bin\//);
  });
});

describe('bin/changelog', () => {
  const changelog = path.join(ROOT, 'bin/changelog');

  it('bin/changelog runs from any folder, directly or through a link, with the exit code of the command', async (t) => {
    const folder = temporaryFolder(t);
    const link = path.join(folder, 'changelog');
    symlinkSync(changelog, link);
    // Of a project in the middle of a merge.
    writeFileSync(path.join(folder, 'package.json'), '<<<<<<< HEAD\n');
    const environment = await environmentOf(folder);
    const cases: [command: string, args: string[], code: number][] = [
      [changelog, ['--version'], 0],
      [link, ['--version'], 0],
      [changelog, ['team', 'list'], 1],
      [changelog, ['frobnicate'], 2],
    ];
    for (const [command, args, code] of cases) {
      const { closed, output } = start(t, command, args, environment, folder);
      assert.equal(await closed, code, output.stderr);
      if (code === 0) assert.match(output.stdout, /^\d+\.\d+\.\d+\n$/);
      if (code === 1) assert.match(output.stderr, /`\S+\/bin\/changelog migrate`/);
      assert.equal(output.stderr === '', code === 0, output.stderr);
    }
  });

  it('the program is told the name that it was called by', async (t) => {
    const clone = makeInstalled(t);
    mkdirSync(path.join(clone, 'src'));
    writeFileSync(path.join(clone, 'src/main.ts'), 'console.log(process.env.CHANGELOG_COMMAND)');
    const program = path.join(clone, 'bin/changelog');
    const folder = temporaryFolder(t);
    const spaced = path.join(folder, 'my programs');
    const modules = path.join(folder, 'node_modules/.bin');
    for (const each of [spaced, modules]) {
      mkdirSync(each, { recursive: true });
      symlinkSync(program, path.join(each, 'changelog'));
    }
    symlinkSync(program, path.join(spaced, '$(id)\u001b\n'));
    const environment = await environmentOf(folder);
    const onPath = { ...environment, PATH: `${spaced}:${environment.PATH}` };
    const byNpm = (npm_command: string) => ({
      ...environment,
      npm_command,
      PATH: `${modules}:${environment.PATH}`,
    });
    mkdirSync(path.join(clone, 'docs/adr'), { recursive: true });
    const cases: [command: string, environment: Record<string, string>, folder: string, name: string][] = [
      [program, environment, clone, 'bin/changelog'],
      [program, environment, path.join(clone, 'bin'), './changelog'],
      [program, environment, path.join(clone, 'docs'), '../bin/changelog'],
      [program, environment, path.join(clone, 'docs/adr'), program],
      [path.join(spaced, 'changelog'), environment, folder, "'my programs/changelog'"],
      [path.join(spaced, 'changelog'), onPath, folder, 'changelog'],
      [path.join(spaced, '$(id)\u001b\n'), onPath, folder, "'$(id)??'"],
      [path.join(modules, 'changelog'), byNpm('exec'), folder, 'npx changelog'],
      [path.join(modules, 'changelog'), byNpm('run'), folder, 'npx changelog'],
    ];
    for (const [command, each, cwd, name] of cases) {
      const { closed, output } = start(t, command, [], each, cwd);
      assert.equal(await closed, 0);
      assert.deepEqual(output, { stdout: `${name}\n`, stderr: '' });
    }
  });

  it('help and its examples have the name that the program was called by', async (t) => {
    const help = start(t, changelog, ['apply', '--help'], await environmentOf(temporaryFolder(t)), ROOT);
    assert.equal(await help.closed, 0);
    assert.match(help.output.stdout, /^Usage: bin\/changelog apply /);
    assert.match(help.output.stdout, /^ {2}bin\/changelog export acme \| bin\/changelog apply -$/m);
  });
});

function isRecentNode(): boolean {
  return Number(execFileSync('node', ['-p', 'parseInt(process.versions.node)'])) >= 24;
}

function findOnPath(program: string): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.map((folder) => path.join(folder, program)).find(isExecutable);
  assert.ok(found, `${program} is not on the PATH`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
