import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { engineOf } from '../../store/engine/open.ts';
import { type Finding, fail, pass, when } from './finding.ts';

const FREE_MIB_MIN = 100;
const MIB = 2 ** 20;
const WRITABLE_BY_OTHERS = 0o002;

/** The file of a SQLite database, its directory and its disk. */
export async function checkFiles({ databaseUrls: [url] }: Config): Promise<Finding[]> {
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

/** False for a file whose mode this user cannot read; `checkAccess` reports that. */
function isWritableByOthers(file: string): boolean {
  try {
    return (statSync(file).mode & WRITABLE_BY_OTHERS) !== 0;
  } catch {
    return false;
  }
}

export function checkDisk(folder: string, disk: Readonly<{ bavail: number; bsize: number }>): Finding[] {
  const freeMib = Math.floor((disk.bavail * disk.bsize) / MIB);
  return when([
    freeMib < FREE_MIB_MIN,
    fail('disk', `The disk of ${folder} has ${freeMib} MiB left. Free some space, or writes will fail.`),
  ]);
}
