// Every setting, in one table: it is what is read, what is refused, and what `--help` and the docs list.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type Cidr, parseCidr } from './domain/access/client-address.ts';
import { Refusal } from './errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Setting<T, F extends string | null = string | null> = Readonly<{
  variable: string;
  /** Null where the setting may stay unset. */
  defaultText: F;
  /** What values there are, as the end of a sentence that begins "it takes". */
  accepts: string;
  help: string;
  /** The value that a text stands for, or undefined if it stands for none. */
  parse: (text: string) => T | undefined;
  /** Its value is never printed: it is, or may hold, a password. */
  secret?: true;
}>;

const oneOf = <const T extends string>(...values: T[]) => ({
  accepts: values.join(', '),
  parse: (text: string) => values.find((value) => value === text),
});

const wholeNumber = (min: number, max: number) => ({
  accepts: `a whole number from ${min} to ${max}`,
  parse: (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  },
});

const onOff = (on: string, off: string) => ({
  accepts: `${on}, ${off}`,
  parse: (text: string) => (text === on ? true : text === off ? false : undefined),
});

const someText = (accepts: string, form = /^[^\0]+$/) => ({
  accepts,
  parse: (text: string) => (form.test(text) ? text : undefined),
});

const address = {
  accepts: 'an http:// or https:// address without a query',
  parse: (text: string) =>
    /^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(text) && URL.canParse(text) ? text : undefined,
};

const redisAddress = {
  accepts: 'redis://HOST:PORT',
  parse: (text: string) => {
    const url = /^rediss?:\/\/\S+$/.test(text) ? URL.parse(text) : null;
    return url?.hostname && isDecodable(url.username + url.password) ? text : undefined;
  },
};

const cidrList = {
  accepts: 'comma-separated CIDRs or addresses, such as 10.0.0.0/8,::1',
  parse: (text: string): readonly Cidr[] | undefined => {
    const cidrs = text.split(',').map((part) => parseCidr(part.trim()));
    return cidrs.every((cidr) => cidr !== null) ? cidrs : undefined;
  },
};

export type DatabaseUrls = readonly [first: string, ...others: string[]];

const DATABASES_MAX = 16;

const databaseList = {
  accepts:
    'sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/NAME, or several of the latter, comma-separated',
  parse: (text: string): DatabaseUrls | undefined => {
    if (/^sqlite:(?!:memory:)(?!.*:\/\/)[^\0]+$/.test(text)) return [text];
    const urls = text.split(',').map((url) => url.trim());
    const areUsable = urls.every((url) => /^postgres(ql)?:\/\/\S+$/.test(url) && URL.canParse(url));
    return areUsable && urls.length <= DATABASES_MAX ? (urls as [string, ...string[]]) : undefined;
  },
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Keeps the types of `parse` and `fallback` while the rest of a row is checked. */
const setting = <T, F extends string | null>(row: Setting<T, F>): Setting<T, F> => row;

export const SETTINGS = {
  databaseUrls: setting({
    variable: 'DATABASE_URL',
    defaultText: 'sqlite:data/changelog.db',
    help: 'the database; of several, comma-separated, the first is written to and the others are read',
    ...databaseList,
    secret: true,
  }),
  redisUrl: setting({
    variable: 'REDIS_URL',
    defaultText: null,
    help: 'shared rate-limit counters; unset: counted on this machine',
    ...redisAddress,
    secret: true,
  }),
  host: setting({
    variable: 'HOST',
    defaultText: '127.0.0.1',
    help: 'address of the public listener',
    ...someText('a host name or address', /^[^\s/]+$/),
  }),
  port: setting({
    variable: 'PORT',
    defaultText: '3000',
    help: 'port of the public listener; 0 takes a free one',
    ...wholeNumber(0, 65_535),
  }),
  workers: setting({
    variable: 'WORKERS',
    defaultText: '1',
    help: 'processes serving; 0: one for each core',
    ...wholeNumber(0, 1024),
  }),
  opsHost: setting({
    variable: 'OPS_HOST',
    defaultText: '127.0.0.1',
    help: 'address of the operations listener',
    ...someText('a host name or address', /^[^\s/]+$/),
  }),
  opsPort: setting({
    variable: 'OPS_PORT',
    defaultText: null,
    help: 'port of the operations listener',
    ...wholeNumber(0, 65_535),
  }),
  baseUrl: setting({
    variable: 'BASE_URL',
    defaultText: null,
    help: 'address that links are built on; unset: http://HOST:PORT',
    ...address,
  }),
  passwordProtection: setting({
    variable: 'PASSWORD_PROTECTION',
    defaultText: 'false',
    help: 'HTTP Basic authentication before everything under /api',
    ...onOff('true', 'false'),
  }),
  passwordProtectionUsername: setting({
    variable: 'PASSWORD_PROTECTION_USERNAME',
    defaultText: null,
    help: 'user name that the Basic gate asks for',
    ...someText('a text without a colon or control characters', /^[^:\p{Cc}]+$/u),
    // Who writes `name:password` here is refused, and should not see it printed.
    secret: true,
  }),
  passwordProtectionPassword: setting({
    variable: 'PASSWORD_PROTECTION_PASSWORD',
    defaultText: null,
    help: 'password that the Basic gate asks for',
    ...someText('a text without control characters', /^\P{Cc}+$/u),
    secret: true,
  }),
  publicRateLimit: setting({
    variable: 'PUBLIC_RATE_LIMIT',
    defaultText: '60',
    help: 'public requests a client may make in a window',
    ...wholeNumber(1, 1_000_000_000),
  }),
  publicRateWindowSeconds: setting({
    variable: 'PUBLIC_RATE_WINDOW_SECONDS',
    defaultText: '60',
    help: 'length of that window',
    ...wholeNumber(1, 86_400),
  }),
  trustedProxies: setting({
    variable: 'TRUSTED_PROXIES',
    defaultText: null,
    help: 'proxies whose X-Forwarded-For counts',
    ...cidrList,
  }),
  publicMaxAgeSeconds: setting({
    variable: 'PUBLIC_MAX_AGE_SECONDS',
    defaultText: '30',
    help: 'how long caches may keep a public answer',
    ...wholeNumber(0, 31_536_000),
  }),
  cacheMaxMb: setting({
    variable: 'CACHE_MAX_MB',
    defaultText: '64',
    help: 'memory for held answers, per process',
    ...wholeNumber(0, 1_048_576),
  }),
  spoolMaxMb: setting({
    variable: 'SPOOL_MAX_MB',
    defaultText: '4096',
    help: 'temporary files of apply and import, for what is too large for memory',
    ...wholeNumber(1, 1_048_576),
  }),
  autoMigrate: setting({
    variable: 'AUTO_MIGRATE',
    defaultText: 'true',
    help: 'bring the schema up to date when a command needs it',
    ...onOff('true', 'false'),
  }),
  logLevel: setting({
    variable: 'LOG_LEVEL',
    defaultText: 'info',
    help: 'how much is logged',
    ...oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  logFormat: setting({
    variable: 'LOG_FORMAT',
    defaultText: 'auto',
    help: 'auto: pretty on a terminal, else JSON',
    ...oneOf('auto', 'json', 'pretty'),
  }),
  keyUsage: setting({
    variable: 'KEY_USAGE',
    defaultText: 'on',
    help: 'off: the server writes nothing at all, and no last use is shown',
    ...onOff('on', 'off'),
  }),
};

type SettingValues = { readonly [Name in keyof typeof SETTINGS]: Parsed<(typeof SETTINGS)[Name]> };
type Parsed<S> = S extends Setting<infer T, infer F> ? T | (F extends string ? never : null) : never;

export type GateCredentials = Readonly<{ username: string; password: string }>;

export type Config = Omit<
  SettingValues,
  'passwordProtection' | 'passwordProtectionUsername' | 'passwordProtectionPassword' | 'trustedProxies'
> &
  Readonly<{ trustedProxies: readonly Cidr[]; gate: GateCredentials | null }>;

/** The settings of this process: its environment, and `.env` in the folder for what is unset there. */
export function loadConfig(environment: Environment, folder: string): Config {
  return readConfig(withDotEnv(environment, folder));
}

export function withDotEnv(environment: Environment, folder: string): Environment {
  return { ...readDotEnv(path.join(folder, '.env')), ...environment };
}

export function readConfig(environment: Environment): Config {
  const { value, problems } = readSettings(environment);
  const [problem] = problems;
  if (problem !== undefined) throw new Refusal(problem);
  return value as Config;
}

/** Reads everything and says all that is wrong, for `doctor`; the value holds only if nothing is. */
export function readSettings(environment: Environment): { value: Config | null; problems: string[] } {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, row]) => {
      const text = environment[row.variable] ?? row.defaultText;
      if (text === null) return [name, null];
      const value = row.parse(text);
      if (value === undefined)
        problems.push(`${row.variable} ${quoted(row, text)}: it takes ${row.accepts}.`);
      return [name, value];
    }),
  ) as unknown as SettingValues;
  const gate = readGate(values);
  if (typeof gate === 'string' && problems.length === 0) problems.push(gate);
  if (problems.length > 0) return { value: null, problems };
  return {
    value: Object.freeze({ ...values, trustedProxies: values.trustedProxies ?? [], gate }) as Config,
    problems,
  };
}

function quoted(row: Setting<unknown>, text: string): string {
  return row.secret ? 'is not usable' : `is ${JSON.stringify(text)}`;
}

/** The gate's credentials, null while it is off, or what is wrong (R22). */
function readGate(values: SettingValues): GateCredentials | null | string {
  if (!values.passwordProtection) return null;
  const username = values.passwordProtectionUsername;
  const password = values.passwordProtectionPassword;
  if (username !== null && password !== null) return { username, password };
  const absent = [
    username === null ? SETTINGS.passwordProtectionUsername.variable : null,
    password === null ? SETTINGS.passwordProtectionPassword.variable : null,
  ].filter((variable) => variable !== null);
  return `PASSWORD_PROTECTION is true, but ${absent.join(' and ')} ${absent.length === 1 ? 'is' : 'are'} unset: set both credentials, or PASSWORD_PROTECTION to false.`;
}

function readDotEnv(file: string): Environment {
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}
