import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { requirement, SETTINGS, withSettings } from '../../config.ts';
import type { Plan, Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { listChangelogs, listTeams } from '../../store/catalogue/catalogue.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import { requireNotNewer, schemaState } from '../../store/migrate/migrate.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { type Cli, configOf, messageFor } from '../cli.ts';
import { databaseUrlSource } from '../missing-database.ts';
import { existingKeyReads } from './existing-key.ts';

export const DOT_ENV = '.env';
const { variable: DATABASE_VARIABLE, defaultText: DEFAULT_DATABASE } = SETTINGS.databaseUrls;

export type CurrentSetup = Readonly<{
  hasDotEnv: boolean;
  /** Null if `DATABASE_URL` is unset. */
  databaseUrlSource: ReturnType<typeof databaseUrlSource>;
  databaseUrl: string;
}>;

/** Throws if a setting is invalid. */
export function inspectFolder(cli: Cli): CurrentSetup {
  configOf(cli);
  const source = databaseUrlSource(cli);
  return {
    hasDotEnv: existsSync(path.join(cli.folder, DOT_ENV)),
    databaseUrlSource: source,
    databaseUrl: source?.text ?? DEFAULT_DATABASE,
  };
}

/** With this database; a relative path is resolved from the folder. */
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
  await useReader(withDatabase(cli, url), async () => {});
  return url;
}

export type ExistingSetup = Readonly<{
  path: ProductPath;
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
  hasKey: boolean;
}>;

/** The first product that has a changelog. */
export async function findExistingSetup(cli: Cli): Promise<ExistingSetup | null> {
  return await useReader(cli, async (db) => {
    for (const team of await listTeams(db)) {
      const [changelog] = await listChangelogs(db, team.slug);
      if (changelog === undefined) continue;
      const found = { team: team.slug, product: changelog.product };
      return { path: found, team, hasKey: await existingKeyReads(db, cli.folder, found) };
    }
    return null;
  });
}

/** Null if there is no database yet, or its schema is older. Throws if the database cannot be used at all. */
async function useReader<T>(cli: Cli, read: (db: Reader) => Promise<T>): Promise<T | null> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  if (!engine.exists(url)) {
    requireWritable(engine.fileOf(url) ?? '');
    return null;
  }
  try {
    const db = engine.openReader(url, {});
    try {
      const state = await schemaState(db);
      requireNotNewer(state);
      return state === 'current' ? await read(db) : null;
    } finally {
      await db.destroy();
    }
  } catch (error) {
    throw new Refusal(messageFor(error), { cause: error });
  }
}

/** Throws if the file could not be created, whose folder may not exist yet either. */
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
