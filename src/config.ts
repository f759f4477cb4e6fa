// All settings in one table, for reading and checking them, for `--help` and for the docs.
import path from 'node:path';
import { type Cidr, parseCidr } from './domain/access/client-address.ts';
import { isAmbiguous } from './domain/access/server-url.ts';
import { readDotEnv } from './dot-env.ts';
import { Refusal } from './errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Parser<T> = Readonly<{
  /** Completes the sentence "it must be …". */
  accepts: string;
  /** Returns undefined if the text is not valid. */
  parse: (text: string) => T | undefined;
  /** Never printed: it is, or may contain, a password. */
  secret?: true;
  /** What else to say of a text that is not valid. */
  advise?: (text: string) => string;
}>;

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

const secret = <T>(parser: Parser<T>): Parser<T> => ({ ...parser, secret: true });

const oneOf = <const T extends string>(...values: T[]) => ({
  accepts: values.join(', ').replace(/, (?=\w+$)/, ' or '),
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
  accepts: `${on} or ${off}`,
  parse: (text: string) => (text === on ? true : text === off ? false : undefined),
});

const matching = (pattern: RegExp, accepts: string) => ({
  accepts,
  parse: (text: string) => (pattern.test(text) ? text : undefined),
});

const host = matching(/^[^\s/@]+$/, 'a host name or address');

/** Returned without slashes at its end. Links are public, so it must not have credentials. */
const httpUrl = {
  accepts: 'an http:// or https:// URL without credentials or a query',
  parse: (text: string) =>
    /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(text) && URL.canParse(text)
      ? text.replace(/\/+$/, '')
      : undefined,
};

const redisUrl = {
  accepts: 'redis://HOST:PORT',
  parse: (text: string) => {
    const url = /^rediss?:\/\/\S+$/.test(text) && !isAmbiguous(text) ? URL.parse(text) : null;
    return url?.hostname && isDecodable(url.username + url.password) ? text : undefined;
  },
  advise: adviseOnCredentials,
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
    'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME, or several of the latter, comma-separated',
  parse: (text: string): DatabaseUrls | undefined => {
    if (/^sqlite:(?!:memory:)(?!.*:\/\/)[^\0]+$/.test(text)) return [text];
    const urls = text.split(',').map((url) => url.trim());
    return urls.every(isPostgresUrl) && urls.length <= DATABASES_MAX
      ? (urls as [string, ...string[]])
      : undefined;
  },
  advise: adviseOnCredentials,
};

function isPostgresUrl(text: string): boolean {
  const url = /^postgres(ql)?:\/\/\S+$/.test(text) && !isAmbiguous(text) ? URL.parse(text) : null;
  // To the driver, a % that encodes nothing is just a %.
  return (
    url !== null && isDecodable(`${url.username}:${url.password}`.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
  );
}

function adviseOnCredentials(text: string): string {
  return /^(postgres(ql)?|rediss?):\/\/.*@/s.test(text)
    ? ' Percent-encode these characters in the user name and the password: @ (%40), / (%2F), # (%23), ? (%3F), % (%25), comma (%2C), space (%20).'
    : '';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
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
    // Someone may write the password here.
    secret(onOff('true', 'false')),
    'HTTP Basic authentication for everything under /api',
  ),
  passwordProtectionUsername: setting(
    'PASSWORD_PROTECTION_USERNAME',
    null,
    // Someone may write `name:password` here, which is rejected and must not be printed.
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
  cacheMaxMb: setting(
    'CACHE_MAX_MB',
    '64',
    wholeNumber(0, 1_048_576),
    'memory for cached responses, per process',
  ),
  spoolMaxMb: setting(
    'SPOOL_MAX_MB',
    '4096',
    wholeNumber(1, 1_048_576),
    'temporary files of apply and import, for documents too large for memory',
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
  keyUsage: setting(
    'KEY_USAGE',
    'on',
    onOff('on', 'off'),
    'record the last use of API keys; off: the server writes nothing',
  ),
};

type SettingValues = { readonly [Name in keyof typeof SETTINGS]: Parsed<(typeof SETTINGS)[Name]> };
type Parsed<S> = S extends Setting<infer T, infer F> ? T | (F extends string ? never : null) : never;

export type GateCredentials = Readonly<{ username: string; password: string }>;

export type Config = Omit<
  SettingValues,
  'passwordProtection' | 'passwordProtectionUsername' | 'passwordProtectionPassword' | 'trustedProxies'
> &
  Readonly<{ trustedProxies: readonly Cidr[]; gate: GateCredentials | null }>;

/** The settings of this process: its environment, then `.env` in the directory. */
export function loadConfig(environment: Environment, folder: string): Config {
  return readConfig(withDotEnv(environment, folder));
}

export function withDotEnv(environment: Environment, folder: string): Environment {
  return { ...readDotEnv(path.join(folder, '.env'))?.values, ...environment };
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
      const text = environment[row.variable] ?? row.defaultText;
      if (text === null) return [name, null];
      const value = row.parse(text);
      if (value === undefined)
        problems.push(`${row.variable} ${shown(row, text)}; it must be ${requirement(row, text)}`);
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

/** Completes the sentence "it must be …" for a text that is not valid. */
export function requirement({ accepts, advise }: Setting<unknown>, text: string): string {
  return `${accepts}.${advise?.(text) ?? ''}`;
}

/** Text with an @ may be a URL with a password, written in a way that nobody can parse. */
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
