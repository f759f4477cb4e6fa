import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { COMMAND } from '../../command-name.ts';
import { type Config, type Environment, findSetting, readSettings, withDotEnv } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { isReadableByOthers, readDotEnv } from '../../dot-env.ts';
import { Refusal } from '../../errors.ts';
import { listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { PACKAGE } from '../../root.ts';
import { readStylesheet } from '../../serve/page-stylesheet.ts';
import { listFuture } from '../../store/catalogue/health.ts';
import type { Engine, Reader } from '../../store/engine/engine.ts';
import { describeFailure } from '../../store/engine/failures.ts';
import { engineOf } from '../../store/engine/open.ts';
import { findCursorKey } from '../../store/engine/revisions.ts';
import { otherProgramError, type SchemaState, schemaState } from '../../store/migrate/migrate.ts';
import { findUnknownSettings } from '../../unknown-settings.ts';
import { type Cli, linesFor, whyNotServing } from '../cli.ts';
import { command } from '../command.ts';
import { describeDates, NAMED_MAX } from '../report/dates.ts';
import { hideSecrets } from '../secrets.ts';
import { escapeControls, outputPaint } from '../terminal/text.ts';

/** One line. A note is about something that is odd but works. */
type Finding = Readonly<{ check: string; state: 'ok' | 'note' | 'wrong'; message: string }>;

const pass = (check: string, message: string): Finding => ({ check, state: 'ok', message });
const note = (check: string, message: string): Finding => ({ check, state: 'note', message });
const fail = (check: string, message: string): Finding => ({ check, state: 'wrong', message });

const CREDENTIALS = ['PASSWORD_PROTECTION_USERNAME', 'PASSWORD_PROTECTION_PASSWORD'];
const SECRET_NAMES = /(?:PASSWORD|API_KEY|BASIC_AUTH)$/;
const FREE_MIB_MIN = 100;
const MIB = 2 ** 20;
const STATE_WIDTH = 'wrong'.length;
const CHECK_WIDTH = 'permissions'.length;

export const doctorCommand = command({
  name: 'doctor',
  about: 'check settings, database, schema, Redis and permissions',
  run: async (cli) => {
    const findings = await Array.fromAsync(check(cli));
    return findings.map(({ check, state, message }) => {
      return { check, ok: state !== 'wrong', state, message: hideSecrets(message) };
    });
  },
  text: (findings, cli) => {
    const paint = outputPaint(cli);
    const lines = findings.map(({ check, state, message }) => {
      const verdict = paint(COLOURS[state], state.padEnd(STATE_WIDTH));
      return `${verdict}  ${check.padEnd(CHECK_WIDTH)}  ${escapeControls(message)}`;
    });
    return lines.join('\n');
  },
  after: (findings) => {
    const problems = findings.filter(({ ok }) => !ok).length;
    if (problems > 0)
      throw new Refusal(`${problems} of ${findings.length} checks failed; the lines above say what to do`);
  },
});

const COLOURS = { ok: 'green', note: 'yellow', wrong: 'red' } as const;

async function* check(cli: Cli): AsyncGenerator<Finding> {
  const { platform, arch, versions } = process;
  yield pass('program', `Version ${PACKAGE.version}, on Node.js ${versions.node}, ${platform} ${arch}.`);
  let settings: Environment;
  try {
    settings = withDotEnv(cli.environment, cli.folder);
  } catch (error) {
    return yield fail('settings', (error as Error).message);
  }
  const { value: config, problems } = readSettings(settings);
  const wrong = [...findUnknownSettings(cli), ...problems];
  for (const message of wrong) yield fail('settings', message);
  if (wrong.length === 0) yield pass('settings', 'All settings are valid.');
  yield* checkDotEnv(cli.folder);
  if (config === null) return;
  yield* checkSettings(config, settings, cli.folder);
  yield* checkHooks(config, settings, cli.folder);
  // Opening a SQLite database creates and removes files, so they are checked first.
  yield* checkFiles(config);
  yield checkRedis(config);
  yield* checkDatabases(config, cli.now());
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return pass('redis', 'REDIS_URL is not set; requests are counted on this machine.');
  const { host } = new URL(redisUrl);
  const [{ redisTransport }, { verify }] = await Promise.all([
    import('../../http/guards/counters/redis.ts'),
    import('../../http/guards/counters/exchange.ts'),
  ]);
  const transport = redisTransport(redisUrl);
  try {
    await verify(transport);
    return pass('redis', `${host} responds in time and counts.`);
  } catch (error) {
    return fail(
      'redis',
      `${host} cannot be used (${(error as Error).message}). Start it, or correct REDIS_URL.`,
    );
  } finally {
    transport.close();
  }
}

// What this machine has: settings, files and a disk.

function* checkSettings(config: Config, settings: Environment, folder: string): Generator<Finding> {
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
async function* checkHooks(
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

function* checkDotEnv(folder: string): Generator<Finding> {
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
async function* checkFiles({ databaseUrls: [url] }: Config): AsyncGenerator<Finding> {
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

// The databases.

/** Less than other commands wait: whoever runs this suspects something. */
const CONNECT_MS_MAX = 5_000;

/** The first is written to; the others must be copies of it. */
async function* checkDatabases(
  { databaseUrls: urls, autoMigrate }: Config,
  now: string,
): AsyncGenerator<Finding> {
  let identity: string | null = null;
  for (const [index, url] of urls.entries()) {
    const engine = await engineOf(url);
    const name = engine.describe(url);
    try {
      await using db = engine.openReader(url, { connectMs: CONNECT_MS_MAX });
      const damage = await engine.checkIntegrity(db);
      const state = await schemaState(db);
      const hasTables = state !== 'empty' && state !== 'foreign';
      if (index > 0 && identity !== null && !(hasTables && (await findCursorKey(db)) === identity)) {
        yield fail(
          'replica',
          `${name} is not a copy of the first database. Correct that URL in DATABASE_URL.`,
        );
        continue;
      }
      yield damage === null
        ? pass('database', `${name} opens and is intact.`)
        : fail('database', `${name} is damaged: ${damage}. Restore a backup with \`${COMMAND} restore\`.`);
      const isMigrated = (state === 'empty' || state === 'behind') && autoMigrate;
      const message =
        state === 'foreign'
          ? (await otherProgramError(db, name)).message
          : `${name}: ${SCHEMA_MESSAGES[state]}`;
      yield (state === 'current' ? pass : isMigrated ? note : fail)('schema', message);
      if (index > 0) continue;
      const isServable = yield* checkRights(db, engine, name, state);
      if (state !== 'current' || !isServable) continue;
      // A user for CI may not read it.
      if (urls.length > 1) identity = await findCursorKey(db);
      // Only notes: the dates may be intended.
      const future = await listFuture(db, presentAt(now), NAMED_MAX);
      for (const text of describeDates('future', future)) yield note('content', text);
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof Refusal) yield fail('database', message);
      else yield fail('database', `${name}: ${describeFailure(error) ?? `${message}; check DATABASE_URL.`}`);
    }
  }
}

const SCHEMA_MESSAGES = {
  current: 'the schema is up to date.',
  empty: `the database has no tables of this program; \`${COMMAND} migrate\` creates them.`,
  behind: `the schema is older than this program; \`${COMMAND} migrate\` updates it.`,
  newer: 'the schema is newer than this program; use the newer program.',
};

/** A user for CI cannot serve, and one for servers cannot write content: that is their purpose. */
async function* checkRights(
  db: Reader,
  engine: Engine,
  name: string,
  state: SchemaState,
): AsyncGenerator<Finding, boolean> {
  const rights = await engine.rightsOf(db);
  const { whyNotWritable, mayWriteContent } = rights;
  if (whyNotWritable !== null) yield fail('permissions', `${name} cannot be written to: ${whyNotWritable}.`);
  if (state !== 'current') return false;
  const hindrance = whyNotServing(rights);
  if (hindrance !== null) yield (mayWriteContent ? note : fail)('permissions', `${name}: ${hindrance}`);
  else if (!mayWriteContent)
    yield note('permissions', `${name}: this user can serve, but not use commands that write.`);
  return hindrance === null || mayWriteContent;
}
