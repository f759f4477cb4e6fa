// This machine as a container that systemd boots: the same files, with everything that is written kept apart, and no
// network but its own loopback.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serverProgram } from '../../cluster/debian.ts';
import { openScope, type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';

const BOOT_MS_MAX = 180_000;
/** Where the host is not run by systemd, nobody else creates a control group for the container. */
const HIERARCHIES = ['systemd', 'unified'].map((name) => `/sys/fs/cgroup/${name}`);

type Container = Readonly<{
  /** A script for bash, run as root by a service. */
  script: string;
  /** Directories of this machine that it sees, read-only, in another place. */
  binds: Readonly<Record<string, string>>;
  hosts: readonly string[];
}>;

/** Boots a container, runs a script in it and shuts it down. Returns what the script printed, and its exit status. */
export async function runBooted(container: Container): Promise<{ status: number; output: string }> {
  if (process.getuid?.() !== 0) throw new Error('systemd is booted in a container: run this test as root');
  const scope = openScope();
  // Not that of a test, which would remove the folder before it is unmounted.
  return await boot(scope, container).finally(scope.close);
}

async function boot(scope: Scope, { script, binds, hosts }: Container) {
  const root = mountOverlay(scope);
  const put = (name: string, text: string) => writeFileSync(path.join(root, name), text);
  put('run-in-container.sh', script);
  put('etc/hosts', `127.0.0.1 localhost ${hosts.join(' ')}\n`);
  put(
    'etc/systemd/system/in-container.target',
    '[Unit]\nRequires=basic.target\nWants=in-container.service\n',
  );
  put('etc/systemd/system/in-container.service', SERVICE);
  const name = `changelog-${process.pid}`;
  const flags = [
    `--directory=${root}`,
    `--machine=${name}`,
    '--register=no',
    '--private-network',
    '--console=pipe',
    ...Object.entries(binds).map(([from, to]) => `--bind-ro=${from}:${to}`),
    ...(isRunBySystemd() ? [] : ['--keep-unit']),
  ];
  const booting = ['--boot', 'systemd.unit=in-container.target', 'systemd.firstboot=off'];
  const join = isRunBySystemd() ? '' : joinGroups(scope, name);
  const command = ['-c', `${join}exec "$0" "$@"`, serverProgram('systemd-nspawn'), ...flags, ...booting];
  const env = { PATH: process.env.PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: 'yes' };
  const tied = tethered('/bin/sh', command);
  const child = spawn(tied.command, tied.args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BOOT_MS_MAX,
  });
  const [said] = await Promise.all([child.stderr.toArray(), child.stdout.resume(), once(child, 'close')]);
  rmSync(`/run/systemd/nspawn/propagate/${name}`, { recursive: true, force: true });
  const output = path.join(root, 'output');
  if (!existsSync(output)) throw new Error(`systemd did not boot: ${Buffer.concat(said)}`);
  const [, text = '', status = ''] = /^(.*)exit status (\d+)\n$/s.exec(readFileSync(output, 'utf8')) ?? [];
  return { status: Number(status || 'NaN'), output: text };
}

/** It ends by itself, even if nobody is left who waits for it. */
const SERVICE = `[Service]
Type=oneshot
TimeoutStartSec=150
ExecStart=/bin/bash /run-in-container.sh
ExecStopPost=/bin/sh -c 'echo "exit status $EXIT_STATUS"; systemctl poweroff'
StandardOutput=append:/output
StandardError=append:/output
`;

const isRunBySystemd = () => existsSync('/run/systemd/system');

function mountOverlay(scope: Scope): string {
  const folder = temporaryFolder(scope);
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => path.join(folder, name));
  // Another overlay, which the root of this machine may be, cannot hold what is written.
  mount(scope, folder, ['-t', 'tmpfs', 'tmpfs']);
  for (const each of [upper, work, root]) mkdirSync(each as string);
  const options = `lowerdir=/,upperdir=${upper},workdir=${work}`;
  mount(scope, root as string, ['-t', 'overlay', '-o', options, 'overlay']);
  return root as string;
}

function mount(scope: Scope, folder: string, args: readonly string[]): void {
  execFileSync('mount', [...args, folder]);
  scope.after(() => void execFileSync('umount', ['--lazy', folder]));
}

function joinGroups(scope: Scope, name: string): string {
  const groups = HIERARCHIES.filter(existsSync).map((hierarchy) => path.join(hierarchy, name));
  for (const group of groups) {
    mkdirSync(group);
    scope.after(() => removeGroup(group));
  }
  return groups.map((group) => `echo $$ > ${group}/cgroup.procs; `).join('');
}

/** The innermost first: a group with others in it cannot be removed. */
function removeGroup(group: string): void {
  const found = execFileSync('find', [group, '-depth', '-type', 'd'], { encoding: 'utf8' });
  for (const each of found.trim().split('\n')) rmdirSync(each);
}
