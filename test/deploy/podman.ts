// The image as users build and run it, with Podman in the place of Docker, and on bases that are made here.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** What Node.js needs, and what the build needs besides. */
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6'];
const TOOLS = [
  'dash',
  'coreutils',
  'findutils',
  'libacl1',
  'libattr1',
  'libgmp10',
  'libpcre2-8-0',
  'libselinux1',
];
const LINKED = ['bin', 'sbin', 'lib', 'lib64'];
const NOT_NEEDED = /^\/usr\/share\//;

export type Podman = Awaited<ReturnType<typeof openPodman>>;

/** Podman with a storage of its own. Its containers have a network of their own, without a way out. */
export async function openPodman(scope: Scope) {
  await ensureServers(['podman', 'runc']);
  const folder = temporaryFolder(scope);
  const write = (name: string, lines: readonly string[], mode = 0o644) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`, { mode });
    return file;
  };
  const environment = {
    // Of these, the build uses the settings of a proxy.
    ...process.env,
    PATH: `${folder}/bin:${process.env.PATH}`,
    HOME: folder,
    CONTAINERS_CONF: write('containers.conf', [
      '[containers]',
      'netns = "none"',
      // The defaults are more than a container may have that this runs in.
      'default_ulimits = ["nofile=1024:4096", "nproc=4096:4096"]',
      '[engine]',
      'runtime = "runc"',
      'lock_type = "file"',
      'events_logger = "none"',
      `tmp_dir = "${folder}/tmp"`,
    ]),
    CONTAINERS_STORAGE_CONF: write('storage.conf', [
      '[storage]',
      'driver = "vfs"',
      `graphroot = "${folder}/storage"`,
      `runroot = "${folder}/run"`,
    ]),
    BUILDAH_ISOLATION: 'chroot',
    // A health check is part of this format only.
    BUILDAH_FORMAT: 'docker',
    BUILDAH_LAYERS: 'false',
  };
  mkdirSync(path.join(folder, 'bin'));
  // Podman would mount writable folders into a read-only container, and start timers of systemd for health checks.
  write(
    'bin/docker',
    [
      '#!/bin/sh',
      'command=$1; shift',
      'case $command in',
      `build) set -- --network host ${npmVolumes().join(' ')} --build-arg BASE=base --build-arg RUNTIME=bare "$@" ;;`,
      'run) set -- --read-only-tmpfs=false --health-interval=disable "$@" ;;',
      'esac',
      `exec ${serverProgram('podman')} "$command" "$@"`,
    ],
    0o755,
  );
  const options = { env: environment, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  /** The output of a command that must succeed. */
  const podman = (...args: readonly string[]) => execFileSync('podman', args, { ...options, stdio: 'pipe' });
  // Containers outlive this process. The end of this pipe, however it comes, ends them.
  const script = `read -r _; podman rm --force --all --time 0; rm -rf ${folder}`;
  const cleaner = spawn('sh', ['-c', script], {
    env: environment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  scope.after(async () => {
    cleaner.stdin.end();
    await once(cleaner, 'exit');
  });

  for (const [name, tools] of Object.entries({ base: TOOLS, bare: [] })) {
    const root = path.join(folder, name);
    makeBase(root, [...LIBRARIES, ...tools]);
    if (name === 'base') addNpm(root);
    execFileSync(
      'sh',
      [
        '-c',
        `tar -C ${root} -c . | podman import --quiet --change ENV=PATH=/usr/local/bin:/usr/bin:/bin - ${name}`,
      ],
      options,
    );
  }
  return {
    podman,
    /** The result of a line in a shell that has `docker`. */
    shell: (script: string, cwd: string) => spawnSync('sh', ['-euc', script], { ...options, cwd }),
    start: (command: string, args: readonly string[]) => spawn(command, args, { env: environment }),
  };
}

/** Files of installed packages, and the Node.js that runs this. */
function makeBase(root: string, packages: readonly string[]): void {
  mkdirSync(path.join(root, 'usr/local/bin'), { recursive: true });
  mkdirSync(path.join(root, 'etc'));
  for (const name of LINKED) {
    mkdirSync(path.join(root, 'usr', name));
    symlinkSync(`usr/${name}`, path.join(root, name));
  }
  const files = execFileSync('dpkg-query', ['--listfiles', ...packages], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /^\/./.test(file) && file !== '/.' && !NOT_NEEDED.test(file));
  const list = path.join(root, 'etc/files');
  writeFileSync(list, [...new Set(files)].join('\n'));
  const copy = `tar -C / --no-recursion -c -T ${list} | tar -C ${root} -x --keep-directory-symlink`;
  execFileSync('sh', ['-c', copy], { stdio: 'pipe' });
  cpSync(process.execPath, path.join(root, 'usr/local/bin/node'));
  writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
}

function addNpm(root: string): void {
  const npm = path.resolve(
    realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()),
    '../..',
  );
  cpSync(npm, path.join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm'));
}

/** The configuration and the cache of npm on this machine, mounted while the image is built. */
function npmVolumes(): string[] {
  const read = (name: string) =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', stdio: 'pipe' }).trim();
  const mounts = [
    [read('userconfig'), '/root/.npmrc:ro'],
    [read('cafile'), `${read('cafile')}:ro`],
    [read('cache'), '/root/.npm'],
  ] as const;
  return mounts.filter(([from]) => existsSync(from)).map(([from, to]) => `--volume ${from}:${to}`);
}
