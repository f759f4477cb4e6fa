// Which database `init` uses, and what it already has.
import path from 'node:path';
import { PREFIX, SETTINGS, withSettings } from '../../config.ts';
import { readDotEnv } from '../../dot-env.ts';
import { Refusal } from '../../errors.ts';
import { listChangelogs, listTeams } from '../../store/catalogue/catalogue.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import { otherProgramError, requireNotNewer, schemaState } from '../../store/migrate/migrate.ts';
import { type Cli, configOf } from '../cli.ts';

export const DOT_ENV = '.env';
const { variable: VARIABLE, defaultText: DEFAULT } = SETTINGS.databaseUrls;
/** Written to `.env`. With the prefix, it cannot be the setting of an application. */
export const DATABASE_SETTING = PREFIX + VARIABLE;

type Source = Readonly<{ name: string; place: string; text: string }>;

export type Database = Readonly<{
  url: string;
  /** The setting that names it; null if none does. */
  source: Source | null;
  /** A setting that may be that of an application, and is not used. */
  ignored: Source | null;
  /** Whether it goes to `.env`. */
  isWritten: boolean;
  /** Whether a variable of the environment wins over what is written to `.env`. */
  isOverridden: boolean;
}>;

export async function chooseDatabase(cli: Cli, wanted: string | undefined): Promise<Database> {
  // Throws if another setting is invalid.
  configOf(withDatabase(cli, DEFAULT));
  const { source, ignored } = await findSource(cli);
  const url = wanted ?? source?.text ?? DEFAULT;
  const isWritten = source?.text !== url;
  const { [DATABASE_SETTING]: own, [VARIABLE]: plain } = cli.environment;
  if (own !== undefined && isWritten)
    throw new Refusal(
      `${DATABASE_SETTING} is set to another database in the environment; change it there, or leave out --database`,
    );
  const isOverridden = own === undefined && plain !== undefined && plain !== url;
  return { url, source, ignored, isWritten, isOverridden };
}

/** The environment wins over `.env`, and in each of them the setting with the prefix. */
async function findSource(cli: Cli): Promise<Pick<Database, 'source' | 'ignored'>> {
  let ignored: Source | null = null;
  const dotEnv = readDotEnv(path.join(cli.folder, DOT_ENV)) ?? {};
  for (const [place, settings] of Object.entries({ 'the environment': cli.environment, [DOT_ENV]: dotEnv }))
    for (const name of [DATABASE_SETTING, VARIABLE]) {
      const text = settings[name];
      if (text === undefined) continue;
      const source = { name, place, text };
      if (name === DATABASE_SETTING || (await isOurs(cli, source))) return { source, ignored };
      ignored ??= source;
    }
  return { source: null, ignored };
}

/** With our tables, or a file that the environment of a new container names. False if it cannot be read. */
async function isOurs(cli: Cli, { text, place }: Source): Promise<boolean> {
  try {
    const state = await useReader(withDatabase(cli, text), schemaState);
    return state === null ? place !== DOT_ENV : state !== 'empty' && state !== 'foreign';
  } catch {
    return false;
  }
}

/** Sets the database, resolving a relative path from the folder. */
export function withDatabase(cli: Cli, url: string): Cli {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  const absolute = file === undefined ? url : `sqlite:${path.resolve(cli.folder, file)}`;
  return { ...cli, environment: withSettings(cli.environment, { [VARIABLE]: absolute }) };
}

/** Without credentials; the path of a file is relative to the folder. */
export async function describeDatabase(cli: Cli): Promise<string> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  return file === null ? engine.describe(url) : path.relative(cli.folder, file);
}

/** The first product with a changelog. Null if there is none, or if the schema is out of date. */
export async function findExisting(cli: Cli) {
  return await useReader(cli, async (db, database) => {
    const state = await schemaState(db);
    requireNotNewer(state);
    if (state === 'foreign') throw await otherProgramError(db, database);
    for (const team of state === 'current' ? await listTeams(db) : []) {
      const [changelog] = await listChangelogs(db, team.slug);
      if (changelog !== undefined) return { team, product: changelog.product };
    }
    return null;
  });
}

/** Null if there is no database yet. */
async function useReader<T>(cli: Cli, read: (db: Reader, database: string) => Promise<T>): Promise<T | null> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  if (!engine.exists(url)) return null;
  await using db = engine.openReader(url, {});
  return await read(db, engine.describe(url));
}
