// What this machine has: settings, files and a disk.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Config, type Environment, findSetting } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { isReadableByOthers, readDotEnv } from '../../dot-env.ts';
import { listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import { engineOf } from '../../store/engine/open.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

const CREDENTIALS = ['PASSWORD_PROTECTION_USERNAME', 'PASSWORD_PROTECTION_PASSWORD'];
const SECRET_NAMES = /(?:PASSWORD|API_KEY|BASIC_AUTH)$/;
const FREE_MIB_MIN = 100;
const MIB = 2 ** 20;
const WRITABLE_BY_OTHERS = 0o002;

export function checkSettings(config: Config, settings: Environment, folder: string): Finding[] {
  const unused = config.gate === null ? CREDENTIALS.filter((name) => findSetting(settings, name)) : [];
  const unusedText = `${unused.join(' and ')} ${unused.length === 1 ? 'is' : 'are'} set, but PASSWORD_PROTECTION is not true, so no password is required. Set it to true, or remove the credentials.`;
  const unsetBaseUrl = unsetBaseUrlWarning(config, listenUrl(null, config));
  return [
    ...when(
      [unused.length > 0, fail('gate', unusedText)],
      [unsetBaseUrl !== null, note('settings', unsetBaseUrl ?? '')],
    ),
    ...checkStylesheet(config, folder),
  ];
}

function checkStylesheet({ pageStylesheet }: Config, folder: string): Finding[] {
  if (pageStylesheet === null) return [];
  try {
    readStylesheet(pageStylesheet, folder);
    return [pass('pages', `${pageStylesheet} is added to the style sheet of the pages.`)];
  } catch (error) {
    return [fail('pages', (error as Error).message)];
  }
}

export function checkDotEnv(folder: string): Finding[] {
  const file = path.join(folder, '.env');
  const values = Object.entries(readDotEnv(file) ?? {});
  const hasSecret = values.some(([name, text]) => SECRET_NAMES.test(name) || hasPassword(text));
  const text = `Other users of this machine may read the passwords in ${file}. Run chmod 600 on it.`;
  return when([hasSecret && isReadableByOthers(file), fail('permissions', text)]);
}

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
