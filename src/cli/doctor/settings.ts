import path from 'node:path';
import { type Config, type Environment, findSetting } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { isReadableByOthers, readDotEnv } from '../../dot-env.ts';
import { listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import { type Finding, fail, note, pass, when } from './finding.ts';

const CREDENTIALS = ['PASSWORD_PROTECTION_USERNAME', 'PASSWORD_PROTECTION_PASSWORD'];
const SECRET_NAMES = /(?:PASSWORD|API_KEY|BASIC_AUTH)$/;

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
