import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { daemon } from './daemon.ts';
import { ensureServers, postgresProgram } from './debian.ts';
import { onFreePort } from './port.ts';
import { removeFolder, type Scope } from './scope.ts';
import { makeServerFolder, serverUser } from './user.ts';

export type PostgresServer = Readonly<{
  port: number;
  pid: () => number;
  /** The URL of a database on this server. */
  url: (database?: string) => string;
  createDatabase: (name: string, template?: string) => Promise<void>;
  /** Works with open sessions too. */
  dropDatabase: (name: string) => Promise<void>;
  /** Runs SQL with psql and returns its output. */
  psql: (database: string, statement: string) => Promise<string>;
  /** Stops the server. It keeps its port and data. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Resolves when it accepts connections. */
  start: () => Promise<void>;
  restart: () => Promise<void>;
  /** Connections stay open, but get no response. */
  hang: () => void;
  resume: () => void;
}>;

type PostgresOptions = Readonly<{
  settings?: Record<string, string>;
  standbyOf?: PostgresServer;
  /** How passwords are checked: `md5` takes a tenth of the processor time. */
  auth?: 'scram-sha-256' | 'md5';
  /** A folder of the servers' user, for data that is kept; by default a temporary one. */
  folder?: string;
}>;

const SUPERUSER = 'postgres';
/** Contains characters that must be percent-encoded in a URL. */
const PASSWORD = 'battery/horse@staple';
const DEFAULT_AUTH = 'scram-sha-256';
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Nothing here has to survive a power failure.
  fsync: 'off',
  max_connections: '200',
  // For standbys that are down for a while.
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '200ms',
};

const execute = promisify(execFile);

export async function startPostgres(scope: Scope, options: PostgresOptions = {}): Promise<PostgresServer> {
  await ensureServers(['postgres']);
  const isKept = options.folder !== undefined;
  const folder = options.folder ?? makeServerFolder();
  let server: PostgresServer | undefined;
  scope.after(async () => {
    await server?.stop(isKept ? 'fast' : 'immediate');
    if (!isKept) removeFolder(folder);
  });
  const data = path.join(folder, 'data');
  if (options.standbyOf) await copyFrom(options.standbyOf, data);
  else if (!existsSync(data)) await provideData(data, options.auth);
  server = await onFreePort(async (port) => {
    const candidate = describeServer(port, data, { ...SETTINGS, ...options.settings });
    await candidate.start();
    return candidate;
  });
  return server;
}

function describeServer(port: number, data: string, settings: Record<string, string>): PostgresServer {
  const { pid, start, stop, hang, resume } = daemon({
    command: postgresProgram('postgres'),
    args: ['-D', data, '-p', String(port), ...asFlags(settings)],
    folder: path.dirname(data),
    ready: /ready to accept (?:read.only )?connections/,
  });
  const url = (database = SUPERUSER) =>
    `postgres://${SUPERUSER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const stopIn = (mode: keyof typeof STOP_SIGNALS = 'fast') => stop(STOP_SIGNALS[mode]);
  return {
    port,
    pid,
    url,
    createDatabase: (name, template) =>
      administer(url(), `CREATE DATABASE ${quoted(name)}${template ? ` TEMPLATE ${quoted(template)}` : ''}`),
    dropDatabase: (name) => administer(url(), `DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`),
    psql: (database, statement) => runPsql(url(database), statement),
    stop: stopIn,
    start,
    restart: async () => {
      await stopIn();
      await start();
    },
    hang,
    resume,
  };
}

function asFlags(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The data of a new server, for many processes to copy: TEST_POSTGRES_DATA names it to them. */
export async function makePostgresData(scope: Scope): Promise<string> {
  await ensureServers(['postgres']);
  const folder = makeServerFolder();
  scope.after(() => removeFolder(folder));
  const data = path.join(folder, 'data');
  await initialise(data, DEFAULT_AUTH);
  return data;
}

/** A copy takes a tenth of the processor time of `initdb`. */
async function provideData(data: string, auth = DEFAULT_AUTH): Promise<void> {
  const made = process.env.TEST_POSTGRES_DATA;
  if (made === undefined || auth !== DEFAULT_AUTH) await initialise(data, auth);
  else await execute('cp', ['-R', made, data], { cwd: '/', ...serverUser() });
}

/** Text sorts by the rules of a language and not by bytes, as in most production databases. */
async function initialise(data: string, auth: string): Promise<void> {
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  const login = [`--username=${SUPERUSER}`, `--auth=${auth}`, `--pwfile=${passwordFile}`];
  await runAsServer('initdb', ['--no-sync', '--no-instructions', ...locale, ...login, '-D', data]);
  rmSync(passwordFile);
}

/** Copies the primary's data for a standby that streams from it. */
async function copyFrom(primary: PostgresServer, data: string): Promise<void> {
  const source = ['--dbname', primary.url(), '--checkpoint=fast', '--wal-method=stream'];
  await runAsServer('pg_basebackup', [...source, '--write-recovery-conf', '--no-sync', '-D', data]);
}

async function runAsServer(program: string, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  await execute(postgresProgram(program), args, { cwd: '/', env, ...serverUser() });
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function runPsql(url: string, statement: string): Promise<string> {
  const flags = ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1'];
  const { stdout } = await execute(postgresProgram('psql'), [...flags, '-d', url, '-c', statement]);
  return stdout;
}
