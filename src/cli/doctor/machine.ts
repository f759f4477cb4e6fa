// The program, and the file and disk of a SQLite database.
import { accessSync, constants, existsSync, type StatsFs, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { engineOf } from '../../store/engine/open.ts';
import { type Finding, fail, pass, when } from './finding.ts';

const FREE_MIB_MIN = 100;
const MIB = 2 ** 20;
const WRITABLE_BY_OTHERS = 0o002;

/** By the type that statfs(2) returns. */
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

export async function checkFiles({ databaseUrls }: Config): Promise<Finding[]> {
  const [url] = databaseUrls;
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  if (file === null) return [];
  const folder = nearestFolder(path.dirname(file));
  if (!engine.exists(url)) return [checkAccess('directory', folder)].filter(({ state }) => state === 'wrong');
  return [
    checkAccess('file', file),
    checkAccess('directory', folder),
    ...when([
      isWritableByOthers(file),
      fail('permissions', `Every user of this machine may write to ${file}. Run chmod o-w on it.`),
    ]),
    ...checkDisk(folder, statfsSync(folder)),
  ];
}

/** False if this user may not even look at the file, which is reported as such. */
function isWritableByOthers(file: string): boolean {
  try {
    return (statSync(file).mode & WRITABLE_BY_OTHERS) !== 0;
  } catch {
    return false;
  }
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}

function checkAccess(what: string, target: string): Finding {
  try {
    accessSync(target, constants.R_OK | constants.W_OK);
    return pass('permissions', `The ${what} ${target} is readable and writable.`);
  } catch {
    return fail(
      'permissions',
      `This user may not read and write the ${what} ${target}. Change its owner or mode.`,
    );
  }
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
        `${folder} is on a network file system (${network}), which can corrupt a SQLite database. Move it to a local disk, or use PostgreSQL.`,
      ),
    ],
    [
      freeMib < FREE_MIB_MIN,
      fail('disk', `The disk of ${folder} has ${freeMib} MiB left. Free some space, or writes will fail.`),
    ],
  );
}
