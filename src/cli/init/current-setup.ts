import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { findSetting, PREFIX, requirement, SETTINGS, withDotEnv, withSettings } from '../../config.ts';
import type { Plan, Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { listChangelogs, listTeams } from '../../store/catalogue/catalogue.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import {
  otherProgramError,
  requireNotNewer,
  type SchemaState,
  schemaState,
} from '../../store/migrate/migrate.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { type Cli, configOf, messageFor } from '../cli.ts';
import { databaseUrlSource } from '../missing-database.ts';

export const DOT_ENV = '.env';
const { variable: DATABASE_VARIABLE, defaultText } = SETTINGS.databaseUrls;
export const DEFAULT_DATABASE = defaultText;

/** Written to `.env`. With the prefix, it cannot be the setting of an application. */
export const DATABASE_SETTING = PREFIX + DATABASE_VARIABLE;
const { variable: LISTING_VARIABLE } = SETTINGS.listing;
export const LISTING_SETTING = PREFIX + LISTING_VARIABLE;

export type CurrentSetup = Readonly<{
  hasDotEnv: boolean;
  /** The variable that sets the database; null if none does. */
  source: ReturnType<typeof databaseUrlSource>;
  /** False for a configured database that may belong to an application. */
  isOurs: boolean;
  /** The plain setting in the environment, if it wins over `.env`. */
  overriding: string | null;
  /** Whether the server is to list everything: at a first set-up, unless a setting decides it. */
  setsListing: boolean;
}>;

/** Throws if a setting other than the database is invalid. */
export async function inspectFolder(cli: Cli): Promise<CurrentSetup> {
  configOf(withDatabase(cli, DEFAULT_DATABASE));
  const { [DATABASE_VARIABLE]: plain = null, ...environment } = cli.environment;
  const effective = databaseUrlSource(cli);
  const isEffectiveOurs = effective === null || (await mayBeOurs(cli, effective));
  // What `init` has written to `.env` before, if the environment names the database of an application.
  const own = isEffectiveOurs ? null : databaseUrlSource({ ...cli, environment });
  const source = own?.name === DATABASE_SETTING ? own : effective;
  const isOurs = isEffectiveOurs || source === own;
  const isListingSet = findSetting(withDotEnv(cli.environment, cli.folder), LISTING_VARIABLE) !== null;
  return {
    hasDotEnv: existsSync(path.join(cli.folder, DOT_ENV)),
    source,
    isOurs,
    overriding: environment[DATABASE_SETTING] === undefined ? plain : null,
    setsListing: !isListingSet && (source === null || !isOurs),
  };
}

/** What goes to `.env`, by name. */
export function settingsFor({ setsListing }: CurrentSetup, databaseUrl: string): Record<string, string> {
  return { [DATABASE_SETTING]: databaseUrl, ...(setsListing && { [LISTING_SETTING]: 'all' }) };
}

/** With the prefix; with our tables; or a file that the environment of a new container names. False if it cannot be read. */
async function mayBeOurs(
  cli: Cli,
  { name, text, place }: NonNullable<CurrentSetup['source']>,
): Promise<boolean> {
  if (name === DATABASE_SETTING) return true;
  try {
    const state = await useReader(withDatabase(cli, text), schemaState);
    return state === null ? place === 'environment' : state !== 'empty' && state !== 'foreign';
  } catch {
    return false;
  }
}

/** Sets the database, resolving a relative path from the folder. */
export function withDatabase(cli: Cli, url: string): Cli {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  const absolute = file === undefined ? url : `sqlite:${path.resolve(cli.folder, file)}`;
  return { ...cli, environment: withSettings(cli.environment, { [DATABASE_VARIABLE]: absolute }) };
}

/** Without credentials; the path of a file is relative to the folder. */
export async function describeDatabase(cli: Cli): Promise<string> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  return file === null ? engine.describe(url) : path.relative(cli.folder, file);
}

/** Throws if no database can be used at this URL. */
export async function requireUsableDatabase(cli: Cli, url: string): Promise<string> {
  const setting = SETTINGS.databaseUrls;
  if (setting.parse(url) === undefined) throw new Refusal(`It must be ${requirement(setting, url)}`);
  await useReader(withDatabase(cli, url), requireOurs);
  return url;
}

export type ExistingSetup = Readonly<{
  path: ProductPath;
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
}>;

/** Finds the first product with a changelog. Null if there is none, or if the schema is out of date. */
export async function findExistingSetup(cli: Cli): Promise<ExistingSetup | null> {
  return await useReader(cli, async (db, database) => {
    if ((await requireOurs(db, database)) !== 'current') return null;
    for (const team of await listTeams(db)) {
      const [changelog] = await listChangelogs(db, team.slug);
      if (changelog !== undefined) return { path: { team: team.slug, product: changelog.product }, team };
    }
    return null;
  });
}

/** Throws if the database belongs to another program or a newer version of this one. */
async function requireOurs(db: Reader, database: string): Promise<SchemaState> {
  const state = await schemaState(db);
  requireNotNewer(state);
  if (state === 'foreign') throw await otherProgramError(db, database);
  return state;
}

/** Null if there is no database yet. Throws if the database cannot be used at all. */
async function useReader<T>(cli: Cli, read: (db: Reader, database: string) => Promise<T>): Promise<T | null> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  if (!engine.exists(url)) {
    requireWritable(engine.fileOf(url) ?? '');
    return null;
  }
  try {
    await using db = engine.openReader(url, {});
    return await read(db, engine.describe(url));
  } catch (error) {
    throw new Refusal(messageFor(error), { cause: error });
  }
}

/** Throws if the file, or its missing folder, could not be created. */
export function requireWritable(file: string): void {
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  try {
    // The dot makes this fail if `folder` is a file.
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(
      `cannot create files in ${folder} (${code}); make it a directory that this user may write to`,
      { cause: error },
    );
  }
}
