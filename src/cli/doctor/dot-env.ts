import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type Environment, SETTINGS } from '../../config.ts';
import { nearest } from '../../domain/nearest.ts';
import { hasPassword } from '../secrets.ts';
import { type Finding, fail, note, when } from './finding.ts';

const VARIABLES = Object.values(SETTINGS).map(({ variable }) => variable);
const READABLE_BY_OTHERS = 0o044;

export function checkDotEnv(environment: Environment, folder: string): Finding[] {
  const file = path.join(folder, '.env');
  if (!existsSync(file)) return [];
  const values = parseEnv(readFileSync(file, 'utf8')) as Environment;
  const overridden = VARIABLES.filter(
    (variable) =>
      values[variable] !== undefined &&
      environment[variable] !== undefined &&
      values[variable] !== environment[variable],
  );
  return [
    ...when(
      [
        hasSecret(values) && (statSync(file).mode & READABLE_BY_OTHERS) !== 0,
        fail(
          'permissions',
          `Other users of this machine may read the passwords in ${file}. Run chmod 600 on it.`,
        ),
      ],
      [
        overridden.length > 0,
        note('settings', `The environment sets ${overridden.join(', ')}, which overrides ${file}.`),
      ],
    ),
    ...Object.keys(values).flatMap((name) => checkName(name, file)),
  ];
}

function hasSecret({ DATABASE_URL = '', REDIS_URL = '', ...values }: Environment): boolean {
  return [DATABASE_URL, REDIS_URL].some(hasPassword) || values.PASSWORD_PROTECTION_PASSWORD !== undefined;
}

/** Only a note, because the file may have settings of other programs as well. */
function checkName(name: string, file: string): Finding[] {
  if (VARIABLES.includes(name)) return [];
  const meant = nearest(name, VARIABLES);
  if (meant === undefined || meant.startsWith(name)) return [];
  return [note('settings', `${file} sets ${name}, which is not a known setting. Did you mean ${meant}?`)];
}
