// The place that is set up: what its settings say, and what is there already.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS, withDotEnv } from '../../config.ts';
import type { Plan, Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { listChangelogs, listTeams } from '../../store/catalogue/catalogue.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import { requireNotNewer, schemaState } from '../../store/migrate/migrate.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { type Cli, configOf, messageFor } from '../cli.ts';
import { existingKeyReads } from './existing-key.ts';

export const DOT_ENV = '.env';
const { variable: DATABASE_VARIABLE, fallback: DEFAULT_DATABASE } = SETTINGS.databaseUrls;

export type CurrentSetup = Readonly<{
  hasDotEnv: boolean;
  /** Where `DATABASE_URL` is set, if it is. */
  databaseUrlSource: 'environment' | typeof DOT_ENV | null;
  databaseUrl: string;
}>;

/** Refuses settings that nothing could work with. */
export function inspectFolder(cli: Cli): CurrentSetup {
  configOf(cli);
  const hasDotEnv = existsSync(path.join(cli.folder, DOT_ENV));
  const set = withDotEnv(cli.environment, cli.folder)[DATABASE_VARIABLE];
  const isInEnvironment = cli.environment[DATABASE_VARIABLE] !== undefined;
  return {
    hasDotEnv,
    databaseUrlSource: set === undefined ? null : isInEnvironment ? 'environment' : DOT_ENV,
    databaseUrl: set ?? DEFAULT_DATABASE,
  };
}

/** The settings as they will be: with this database, whose file is meant from the folder on. */
export function withDatabase(cli: Cli, url: string): Cli {
  return { ...cli, environment: { ...cli.environment, [DATABASE_VARIABLE]: absolute(cli, url) } };
}

function absolute({ folder }: Cli, url: string): string {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  return file === undefined ? url : `sqlite:${path.resolve(folder, file)}`;
}

/** The database in words, without credentials, as seen from the folder. */
export async function describeDatabase(cli: Cli): Promise<string> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  const file = engine.fileOf(url);
  return file === null ? engine.describe(url) : path.relative(cli.folder, file);
}

/** The address of a database that can be worked with; refuses another, saying why. */
export async function readDatabase(cli: Cli, text: string): Promise<string> {
  const { takes, parse } = SETTINGS.databaseUrls;
  if (parse(text) === undefined) throw new Refusal(`It takes ${takes}.`);
  await useReader(withDatabase(cli, text), async () => {});
  return text;
}

export type ExistingSetup = Readonly<{
  path: ProductPath;
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
  /** Does the key at hand read it? */
  hasKey: boolean;
}>;

/** A team that has a product with a changelog: there is nothing left to ask. */
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

/** Reads the database if there is one with our tables, and refuses what can never become one. */
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

function requireWritable(file: string): void {
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new Refusal(
      `this user may not write in ${folder}: change its owner or mode, or take another database.`,
    );
  }
}
