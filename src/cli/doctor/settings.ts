// What this machine has: settings, files and a disk.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { type Config, type Environment, findSetting } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { isReadableByOthers, readDotEnv } from '../../dot-env.ts';
import { listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import { engineOf } from '../../store/engine/open.ts';
import { linesFor } from '../cli.ts';
import { type Finding, fail, note, pass } from './finding.ts';

const CREDENTIALS = ['PASSWORD_PROTECTION_USERNAME', 'PASSWORD_PROTECTION_PASSWORD'];
const SECRET_NAMES = /(?:PASSWORD|API_KEY|BASIC_AUTH)$/;
const FREE_MIB_MIN = 100;
const MIB = 2 ** 20;

export function* checkSettings(config: Config, settings: Environment, folder: string): Generator<Finding> {
  if (config.gate === null && CREDENTIALS.some((name) => findSetting(settings, name)))
    yield fail(
      'gate',
      'credentials are set, but PASSWORD_PROTECTION is not true, so no password is required. Set it to true, or remove them.',
    );
  const unsetBaseUrl = unsetBaseUrlWarning(config, listenUrl(null, config));
  if (unsetBaseUrl !== null) yield note('settings', unsetBaseUrl);
  try {
    readStylesheet(config.pageStylesheet, folder);
  } catch (error) {
    yield fail('settings', (error as Error).message);
  }
}

/** The hooks file (R65). Whether a receiver is up is the business of `hook test`. */
export async function* checkHooks(
  { hooksFile: file }: Config,
  environment: Environment,
  folder: string,
): AsyncGenerator<Finding> {
  if (file === null) return;
  const { readHooksFile } = await import('../../hooks/file.ts');
  try {
    const { hasSecret } = readHooksFile(file, { environment, folder });
    yield pass('hooks', `${file} can be used.`);
    if (hasSecret && isReadableByOthers(path.resolve(folder, file)))
      yield fail(
        'permissions',
        `Other users of this machine may read the secrets in ${file}. Run chmod 600 on it, or write \${NAME} in their place.`,
      );
  } catch (error) {
    for (const line of linesFor(error)) yield fail('hooks', line);
  }
}

export function* checkDotEnv(folder: string): Generator<Finding> {
  const file = path.join(folder, '.env');
  const values = Object.entries(readDotEnv(file) ?? {});
  const hasSecret = values.some(([name, text]) => SECRET_NAMES.test(name) || hasPassword(text));
  if (hasSecret && isReadableByOthers(file))
    yield fail(
      'permissions',
      `Other users of this machine may read the passwords in ${file}. Run chmod 600 on it.`,
    );
}

/** The file of a SQLite database, its directory and its disk. */
export async function* checkFiles({ databaseUrls: [url] }: Config): AsyncGenerator<Finding> {
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  if (file === null) return;
  if (engine.exists(url)) yield checkAccess('file', file);
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  yield checkAccess('directory', folder);
  yield* checkDisk(folder, statfsSync(folder));
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

export function* checkDisk(
  folder: string,
  disk: Readonly<{ bavail: number; bsize: number }>,
): Generator<Finding> {
  const freeMib = Math.floor((disk.bavail * disk.bsize) / MIB);
  if (freeMib < FREE_MIB_MIN)
    yield fail(
      'disk',
      `The disk of ${folder} has ${freeMib} MiB left. Free some space, or writes will fail.`,
    );
}
