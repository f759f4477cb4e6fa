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
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  const access = checkAccess('directory', folder);
  if (!engine.exists(url)) return access.state === 'wrong' ? [access] : [];
  return [checkAccess('file', file), access, ...checkMode(file), ...checkDisk(folder, statfsSync(folder))];
}

function checkAccess(what: string, target: string): Finding {
  try {
    accessSync(target, constants.R_OK | constants.W_OK);
    return pass('permissions', `The ${what} ${target} is readable and writable.`);
  } catch {
    const text = `This user may not read and write the ${what} ${target}. Change its owner or mode.`;
    return fail('permissions', text);
  }
}

/** Nothing for a file whose mode this user cannot read; `checkAccess` reports that. */
function checkMode(file: string): Finding[] {
  try {
    const isOpen = (statSync(file).mode & WRITABLE_BY_OTHERS) !== 0;
    const text = `Every user of this machine may write to ${file}. Run chmod o-w on it.`;
    return when([isOpen, fail('permissions', text)]);
  } catch {
    return [];
  }
}

export function checkDisk(folder: string, disk: Readonly<{ bavail: number; bsize: number }>): Finding[] {
  const freeMib = Math.floor((disk.bavail * disk.bsize) / MIB);
  const text = `The disk of ${folder} has ${freeMib} MiB left. Free some space, or writes will fail.`;
  return when([freeMib < FREE_MIB_MIN, fail('disk', text)]);
}
