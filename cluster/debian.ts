// Tests, the cluster and the benchmark use servers from Debian's packages: this file finds or installs them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, globSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Some are not servers: wrk is the benchmark's load generator, browsers open pages (WebKit in the window that Xvfb keeps in
 * memory), curl, Python and Go run the examples of the documents, the shells run command completion,
 * and Podman with runc builds and runs the image.
 */
export type ServerName = keyof typeof PACKAGES;

const PACKAGES = {
  postgres: 'postgresql',
  pgbouncer: 'pgbouncer',
  redis: 'redis-server',
  nginx: 'nginx',
  caddy: 'caddy',
  varnish: 'varnish',
  // A module of Varnish.
  xkey: 'varnish-modules',
  prometheus: 'prometheus',
  wrk: 'wrk',
  // The same browser without its window: it takes 0.6 of the processor time.
  chromium: 'chromium-headless-shell',
  firefox: 'firefox-esr',
  webkit: 'webkit2gtk-driver',
  xvfb: 'xvfb',
  zsh: 'zsh',
  fish: 'fish',
  curl: 'curl',
  python3: 'python3',
  go: 'golang-go',
  appstreamcli: 'appstream',
  newsboat: 'newsboat',
  // Runs programs for x86-64 on other processors.
  qemu: 'qemu-user',
  'systemd-analyze': 'systemd',
  'systemd-nspawn': 'systemd-container',
  podman: 'podman',
  runc: 'runc',
  'docker-compose': 'docker-compose',
};
/** Where the program is not called like the server. */
const PROGRAMS: Partial<Record<ServerName, string>> = {
  redis: 'redis-server',
  varnish: 'varnishd',
  firefox: 'firefox-esr',
  webkit: 'WebKitWebDriver',
  xvfb: 'Xvfb',
  qemu: 'qemu-x86_64',
};
const POSTGRES_FOLDER = '/usr/lib/postgresql';
const XKEY = '/usr/lib/*/varnish/vmods/libvmod_xkey.so';
/** Debian installs some servers in folders that are only on root's PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];
/** Apt waits for its own locks while it installs, but not while it updates its lists. */
const LOCK_FILE = '/run/changelog-apt.lock';
const LOCK_SECONDS_MAX = 120;
const OUTPUT_CHARACTERS_MAX = 2_000;

export type Machine = Readonly<{
  find: (name: ServerName) => string | null;
  mayInstall: () => boolean;
  install: (packages: readonly string[]) => Promise<void>;
  say: (text: string) => void;
}>;

const THIS_MACHINE: Machine = {
  find: findServer,
  mayInstall: () => process.getuid?.() === 0 && findProgram('apt-get') !== null,
  install: installPackages,
  say: (text) => void process.stderr.write(`changelog: setting up: ${text}\n`),
};

/** Installs missing servers, or fails: a test is never skipped because a server is missing. */
export async function ensureServers(names: readonly ServerName[], machine = THIS_MACHINE): Promise<void> {
  const missing = names.filter((name) => machine.find(name) === null);
  if (missing.length === 0) return;
  const packages = missing.map((name) => PACKAGES[name]);
  if (!machine.mayInstall()) {
    throw new Error(
      `${missing.join(' and ')} not found on this machine. Install with: sudo apt-get install ${packages.join(' ')}`,
    );
  }
  const what = `installing ${packages.join(', ')} with apt-get`;
  machine.say(`${what} …`);
  const startedAt = performance.now();
  await machine.install(packages);
  machine.say(`${what}: done in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const absent = missing.filter((name) => machine.find(name) === null);
  if (absent.length > 0) throw new Error(`still not found after installation: ${absent.join(', ')}`);
}

/** The path of a server's program. */
export function serverProgram(name: ServerName): string {
  const found = findServer(name);
  if (found === null) throw new Error(`${name} not found: call ensureServers first`);
  return found;
}

/** The path of a PostgreSQL program of the same version as the server. */
export function postgresProgram(name: string): string {
  return path.join(path.dirname(serverProgram('postgres')), name);
}

export function findServer(name: ServerName): string | null {
  if (name === 'postgres') return findPostgres();
  if (name === 'xkey') return globSync(XKEY)[0] ?? null;
  if (name === 'chromium') return findProgram('chromium-headless-shell') ?? findProgram('chromium');
  return findProgram(PROGRAMS[name] ?? name);
}

/** Debian installs PostgreSQL's programs outside the PATH, in one folder per version. */
function findPostgres(): string | null {
  const newestFirst = listVersions().sort((a, b) => Number(b) - Number(a));
  const folders = newestFirst.map((version) => path.join(POSTGRES_FOLDER, version, 'bin'));
  return findProgram('postgres', folders);
}

function listVersions(): string[] {
  try {
    return readdirSync(POSTGRES_FOLDER);
  } catch {
    return [];
  }
}

function findProgram(name: string, first: readonly string[] = []): string | null {
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = [...first, ...onPath, ...SYSTEM_FOLDERS].map((folder) => path.join(folder, name));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installPackages(packages: readonly string[]): Promise<void> {
  // The install may work with old package lists, so a failed update is ignored.
  await runApt(['update']).catch(() => {});
  await runApt(['install', '-y', '--no-install-recommends', ...packages]);
}

async function runApt(args: readonly string[]): Promise<void> {
  const lock = ['-w', String(LOCK_SECONDS_MAX), LOCK_FILE];
  const child = spawn(
    'flock',
    [...lock, 'apt-get', '-q', `-oDPkg::Lock::Timeout=${LOCK_SECONDS_MAX}`, ...args],
    {
      // Packages start their services where systemd runs. We start our own, on other ports.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${output.trim()}`);
}
