import path from 'node:path';
import { type Environment, findSetting, PREFIX, SETTINGS } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { nearest } from '../../domain/nearest.ts';
import { isReadableByOthers, type OddLine, readDotEnv } from '../../dot-env.ts';
import { SECRETS } from '../../mcp/settings.ts';
import { type Finding, fail, note, when } from './finding.ts';

const NAMES = Object.values(SETTINGS).map(({ variable }) => variable);
const VARIABLES = NAMES.flatMap((name) => [name, PREFIX + name]);
const URLS = ['DATABASE_URL', 'REDIS_URL'];
const PASSWORDS = ['PASSWORD_PROTECTION_PASSWORD'];
const MCP_VARIABLES: readonly string[] = Object.values(SECRETS).map(({ variable }) => variable);
const LINES_MAX = 5;

export function checkDotEnv(environment: Environment, folder: string): Finding[] {
  const file = path.join(folder, '.env');
  const dotEnv = readDotEnv(file);
  if (dotEnv === null) return [];
  const values: Environment = dotEnv.values;
  const inUse = NAMES.flatMap((name) => findSetting({ ...values, ...environment }, name)?.name ?? []);
  const overridden = inUse.filter(
    (variable) =>
      values[variable] !== undefined &&
      environment[variable] !== undefined &&
      values[variable] !== environment[variable],
  );
  const shadowed = NAMES.filter((name) => {
    const ours = environment[PREFIX + name] === undefined ? values[PREFIX + name] : undefined;
    return ours !== undefined && environment[name] !== undefined && ours !== environment[name];
  });
  return [
    ...when(
      [
        hasSecret(values) && isReadableByOthers(file),
        fail(
          'permissions',
          `Other users of this machine may read the passwords in ${file}. Run chmod 600 on it.`,
        ),
      ],
      [
        overridden.length > 0,
        note('settings', `The environment sets ${overridden.join(', ')}, which overrides ${file}.`),
      ],
      [
        shadowed.length > 0,
        note(
          'settings',
          `${file} has ${shadowed.join(', ')} with the prefix ${PREFIX}, which overrides the environment.`,
        ),
      ],
      [
        dotEnv.hasByteOrderMark,
        note(
          'settings',
          `${file} begins with a byte order mark, which other programs may take for a part of the first name. Save it as UTF-8 without one.`,
        ),
      ],
    ),
    ...checkLines(dotEnv.oddLines, file),
    ...Object.keys(values).flatMap((name) => checkName(name, file)),
  ];
}

/** Prints only names of settings: anything else may be a part of a password. */
function checkLines(oddLines: readonly OddLine[], file: string): Finding[] {
  const isOurs = ({ name }: OddLine) => VARIABLES.includes(name);
  const nothing = oddLines.filter((odd) => !isOurs(odd) && odd.kind !== 'cut').map(({ line }) => line);
  return [
    ...oddLines.filter(isOurs).map((odd) => describeLine(odd, file)),
    ...when([
      nothing.length > 0,
      note(
        'settings',
        `${file} sets nothing on ${formatLines(nothing)}. Write NAME=VALUE, or begin a comment with #.`,
      ),
    ]),
  ];
}

function describeLine({ line, name, kind }: OddLine, file: string): Finding {
  const place = `${file}, line ${line}`;
  if (kind === 'cut')
    return note(
      'settings',
      `${place}: the value of ${name} ends at its #. If the # belongs to the value, put the value in quotes.`,
    );
  const found = kind === 'colon' ? ': instead of =' : 'no =';
  return fail('settings', `${place} has ${found} after ${name}, so ${name} is not set. Write ${name}=….`);
}

function formatLines(lines: readonly number[]): string {
  const shown = lines.slice(0, LINES_MAX).join(', ');
  const more = lines.length - LINES_MAX;
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

function hasSecret(values: Environment): boolean {
  return Object.entries(values).some(([variable, text = '']) => {
    const name = withoutPrefix(variable);
    return (
      PASSWORDS.includes(name) ||
      MCP_VARIABLES.includes(variable) ||
      (URLS.includes(name) && hasPassword(text))
    );
  });
}

function withoutPrefix(variable: string): string {
  return variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : variable;
}

/** Only a note, because the file may have settings of other programs as well. */
function checkName(variable: string, file: string): Finding[] {
  if ([...VARIABLES, ...MCP_VARIABLES].includes(variable)) return [];
  const name = withoutPrefix(variable);
  const meant = nearest(name, NAMES);
  if (meant === undefined || meant.startsWith(name)) return [];
  const prefix = variable.slice(0, -name.length);
  return [
    note(
      'settings',
      `${file} sets ${variable}, which is not a known setting. Did you mean ${prefix}${meant}?`,
    ),
  ];
}
