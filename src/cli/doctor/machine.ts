// The machine: what runs here, and the file and the disk that an embedded database is on.
import { accessSync, constants, existsSync, type StatsFs, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { engineOf } from '../../store/engine/open.ts';
import { type Finding, fail, pass, when } from './finding.ts';

const FREE_MIB_MIN = 100;
const MIB = 2 ** 20;
const FOR_ANYBODY = 0o002;

/** As the kernel names them to whoever asks what a folder is on. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
]);

export function describeProgram(version: string): Finding {
  return pass(
    'program',
    `Version ${version}, on Node.js ${process.versions.node}, ${process.platform} ${process.arch}.`,
  );
}

/** A database that is not in a file of this machine looks after its own. */
export async function checkFiles({ databaseUrls }: Config): Promise<Finding[]> {
  const [url] = databaseUrls;
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  if (file === null) return [];
  const folder = nearestFolder(path.dirname(file));
  if (!engine.exists(url)) return writable(folder, 'folder').filter(({ ok }) => !ok);
  return [
    ...writable(file, 'file'),
    ...writable(folder, 'folder'),
    ...checkSharing(file),
    ...checkDisk(folder, statfsSync(folder)),
  ];
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}

function writable(target: string, what: string): Finding[] {
  try {
    accessSync(target, constants.R_OK | constants.W_OK);
    return [pass('permissions', `The ${what} ${target} can be read and written.`)];
  } catch {
    return [
      fail(
        'permissions',
        `This user may not read and write the ${what} ${target}: change its owner or mode.`,
      ),
    ];
  }
}

function checkSharing(file: string): Finding[] {
  return when([
    (statSync(file).mode & FOR_ANYBODY) !== 0,
    fail('permissions', `Anybody on this machine may write ${file}: chmod o-w it.`),
  ]);
}

export function checkDisk(
  folder: string,
  { type, bavail, bsize }: Pick<StatsFs, 'type' | 'bavail' | 'bsize'>,
): Finding[] {
  const network = NETWORK_FILE_SYSTEMS.get(type >>> 0);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  return when(
    [
      network !== undefined,
      fail(
        'disk',
        `${folder} is on a network file system (${network}), which breaks SQLite: put the database on a disk of this machine, or use PostgreSQL.`,
      ),
    ],
    [
      freeMib < FREE_MIB_MIN,
      fail('disk', `The disk of ${folder} has ${freeMib} MiB left: make room, or writing will fail.`),
    ],
  );
}
