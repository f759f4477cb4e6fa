// All settings in one table, for reading and validating them, for `--help` and for the docs.
import path from 'node:path';
import type { Cidr } from './domain/access/client-address.ts';
import { readDotEnv } from './dot-env.ts';
import { Refusal } from './errors.ts';
import {
  cidrList,
  databaseList,
  filePath,
  host,
  httpUrl,
  matching,
  oneOf,
  onOff,
  type Parser,
  redisUrl,
  secret,
  wholeNumber,
} from './setting-parsers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Setting<T, F extends string | null = string | null> = Parser<T> &
  Readonly<{
    variable: string;
    /** Null if the setting may be unset. */
    defaultText: F;
    help: string;
  }>;

function setting<T, F extends string | null>(
  variable: string,
  defaultText: F,
  parser: Parser<T>,
  help: string,
): Setting<T, F> {
  return { variable, defaultText, ...parser, help };
}

export const SETTINGS = {
  databaseUrls: setting(
    'DATABASE_URL',
    'sqlite:data/changelog.db',
    secret(databaseList),
    'the database; if there are several, the first is written to and the others are read',
  ),
  redisUrl: setting(
    'REDIS_URL',
    null,
    secret(redisUrl),
    'shared rate limit counters; unset: this machine counts alone',
  ),
  host: setting('HOST', '127.0.0.1', host, 'address of the public listener'),
  port: setting('PORT', '3000', wholeNumber(0, 65_535), 'port of the public listener; 0: any free port'),
  workers: setting('WORKERS', '1', wholeNumber(0, 1024), 'number of serving processes; 0: one per core'),
  opsHost: setting('OPS_HOST', '127.0.0.1', host, 'address of the operations listener'),
  opsPort: setting('OPS_PORT', null, wholeNumber(0, 65_535), 'port of the operations listener'),
  baseUrl: setting('BASE_URL', null, httpUrl, 'base of all links; unset: http://HOST:PORT'),
  passwordProtection: setting(
    'PASSWORD_PROTECTION',
    'false',
    // Someone may put the password here.
    secret(onOff('true', 'false')),
    'HTTP Basic authentication for the API and the pages',
  ),
  passwordProtectionUsername: setting(
    'PASSWORD_PROTECTION_USERNAME',
    null,
    // Someone may put `name:password` here, which is rejected and must not be printed.
    secret(matching(/^[^:\p{Cc}]+$/u, 'text without colons or control characters')),
    'user name for HTTP Basic authentication',
  ),
  passwordProtectionPassword: setting(
    'PASSWORD_PROTECTION_PASSWORD',
    null,
    secret(matching(/^\P{Cc}+$/u, 'text without control characters')),
    'password for HTTP Basic authentication',
  ),
  publicRateLimit: setting(
    'PUBLIC_RATE_LIMIT',
    '60',
    wholeNumber(1, 1_000_000_000),
    'public requests per client and window',
  ),
  publicRateWindowSeconds: setting(
    'PUBLIC_RATE_WINDOW_SECONDS',
    '60',
    wholeNumber(1, 86_400),
    'length of the rate limit window',
  ),
  trustedProxies: setting('TRUSTED_PROXIES', null, cidrList, 'proxies whose X-Forwarded-For is trusted'),
  publicMaxAgeSeconds: setting(
    'PUBLIC_MAX_AGE_SECONDS',
    '30',
    wholeNumber(0, 31_536_000),
    'how long caches may keep a public response',
  ),
  cdnMaxAgeSeconds: setting(
    'CDN_MAX_AGE_SECONDS',
    null,
    wholeNumber(0, 31_536_000),
    'how long a CDN that is purged may keep a public response; unset: no headers for CDNs',
  ),
  cacheMaxMb: setting(
    'CACHE_MAX_MB',
    '64',
    wholeNumber(0, 1_048_576),
    'memory for cached responses, per process',
  ),
  listing: setting(
    'LISTING',
    'team',
    oneOf('none', 'team', 'all'),
    'pages that list products: none, one for each team, or also one of all teams, sitemap.xml and llms.txt',
  ),
  pageStylesheet: setting(
    'PAGE_STYLESHEET',
    null,
    filePath,
    'a CSS file added to the style sheet of the pages; read at the start',
  ),
  autoMigrate: setting(
    'AUTO_MIGRATE',
    'true',
    onOff('true', 'false'),
    'update the schema when a command needs it',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'least severe level that is logged',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    'auto',
    oneOf('auto', 'json', 'pretty'),
    'auto: pretty on a terminal, otherwise JSON',
  ),
  keyUsage: setting('KEY_USAGE', 'on', onOff('on', 'off'), 'record the last use of API keys'),
  scheduler: setting(
    'SCHEDULER',
    'on',
    onOff('on', 'off'),
    'publish scheduled versions when they are due; off: only log that they are',
  ),
  hooksFile: setting(
    'HOOKS',
    null,
    filePath,
    'a YAML file of hooks, which are told what is published; read at the start',
  ),
};

type SettingValues = { readonly [Name in keyof typeof SETTINGS]: Parsed<(typeof SETTINGS)[Name]> };
type Parsed<S> = S extends Setting<infer T, infer F> ? T | (F extends string ? never : null) : never;

export type GateCredentials = Readonly<{ username: string; password: string }>;

export type Config = Omit<
  SettingValues,
  'passwordProtection' | 'passwordProtectionUsername' | 'passwordProtectionPassword' | 'trustedProxies'
> &
  Readonly<{
    trustedProxies: readonly Cidr[];
    gate: GateCredentials | null;
    /** The file served at `/demo`, which only the command `demo` sets. */
    demoPage: string | null;
  }>;

/** The names of all settings, without the prefix. */
export const VARIABLES: ReadonlySet<string> = new Set(
  Object.values(SETTINGS).map(({ variable }) => variable),
);
/** A setting with this prefix wins: another application in the same directory may also have a DATABASE_URL. */
export const PREFIX = 'CHANGELOG_';
/** Kubernetes sets CHANGELOG_PORT to such a URL for a service called changelog. */
export const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

/** Finds the variable that sets a setting, with or without the prefix. */
export function findSetting(
  environment: Environment,
  variable: string,
): Readonly<{ name: string; text: string }> | null {
  const ours = environment[PREFIX + variable];
  if (ours !== undefined && !SERVICE_LINK.test(ours)) return { name: PREFIX + variable, text: ours };
  const text = environment[variable];
  return text === undefined ? null : { name: variable, text };
}

export function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}

/** Overrides settings, with or without the prefix. */
export function withSettings(
  environment: Environment,
  settings: Readonly<Record<string, string>>,
): Environment {
  const own = Object.entries(settings).map(([variable, text]) => [PREFIX + variable, text]);
  return { ...environment, ...Object.fromEntries(own) };
}

/** This process's settings: its environment, then `.env` in the directory. */
export function loadConfig(environment: Environment, folder: string): Config {
  return readConfig(withDotEnv(environment, folder));
}

/** Adds what the environment leaves unset, with or without the prefix. */
export function withDotEnv(environment: Environment, folder: string): Environment {
  const isUnset = ([name]: [string, string]) => {
    const variable = withoutPrefix(name);
    return VARIABLES.has(variable)
      ? findSetting(environment, variable) === null
      : environment[name] === undefined;
  };
  const added = Object.entries(readDotEnv(path.join(folder, '.env')) ?? {}).filter(isUnset);
  return { ...environment, ...Object.fromEntries(added) };
}

export function readConfig(environment: Environment): Config {
  const { value, problems } = readSettings(environment);
  const [problem] = problems;
  if (problem !== undefined) throw new Refusal(problem);
  return value as Config;
}

/** Reads all settings and lists all problems, for `doctor`; the value is null if there are any. */
export function readSettings(environment: Environment): { value: Config | null; problems: string[] } {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, row]) => {
      const found = findSetting(environment, row.variable);
      const text = found?.text ?? row.defaultText;
      if (text === null) return [name, null];
      const value = row.parse(text);
      if (value === undefined)
        problems.push(`${found?.name} ${shown(row, text)}; it must be ${requirement(row, text)}`);
      return [name, value];
    }),
  ) as unknown as SettingValues;
  const gate = readGate(values);
  if (typeof gate === 'string' && problems.length === 0) problems.push(gate);
  if (problems.length > 0) return { value: null, problems };
  return {
    value: Object.freeze({
      ...values,
      trustedProxies: values.trustedProxies ?? [],
      gate,
      demoPage: environment[`${PREFIX}DEMO_PAGE`] ?? null,
    }) as Config,
    problems,
  };
}

/** Completes the sentence "it must be …" for an invalid text. */
export function requirement({ accepts, advise }: Setting<unknown>, text: string): string {
  return `${accepts}.${advise?.(text) ?? ''}`;
}

/** Hides text with an @, which may be a malformed URL with a password. */
function shown({ secret }: Setting<unknown>, text: string): string {
  return secret || text.includes('@') ? 'is not valid' : `is ${JSON.stringify(text)}`;
}

/** The gate's credentials, null if it is off, or a problem (R22). */
function readGate(values: SettingValues): GateCredentials | null | string {
  if (!values.passwordProtection) return null;
  const username = values.passwordProtectionUsername;
  const password = values.passwordProtectionPassword;
  if (username !== null && password !== null) return { username, password };
  const absent = [
    username === null ? SETTINGS.passwordProtectionUsername.variable : null,
    password === null ? SETTINGS.passwordProtectionPassword.variable : null,
  ].filter((variable) => variable !== null);
  return `PASSWORD_PROTECTION is true, but ${absent.join(' and ')} ${absent.length === 1 ? 'is' : 'are'} unset; set both credentials, or PASSWORD_PROTECTION to false.`;
}
