// What `init` makes: content in one transaction, and the files next to it.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findSetting, PREFIX, SETTINGS, withDotEnv, withSettings } from '../config.ts';
import { formatApiKey } from '../domain/access/api-key.ts';
import type { Visibility } from '../domain/model.ts';
import { readDotEnv } from '../dot-env.ts';
import { Refusal } from '../errors.ts';
import { readRepository } from '../import/git.ts';
import { makeFolder } from '../make-folder.ts';
import { listTeams } from '../store/catalogue/catalogue.ts';
import type { Writer } from '../store/engine/engine.ts';
import { schemaState } from '../store/migrate/migrate.ts';
import { createKey } from '../store/write/keys.ts';
import { type Cli, primaryOf, withWriter } from './cli.ts';
import type { NamedChangelog } from './files/read-changelog.ts';
import { type WriteFile, withFiles } from './files/write-file.ts';
import { importInto } from './import-file.ts';
import type { Imported } from './report/import-report.ts';

const DATA_FOLDER = 'data';
export const KEY_FILE = `${DATA_FOLDER}/changelog.key`;
const DOT_ENV = '.env';
const { variable: DATABASE_URL } = SETTINGS.databaseUrls;
const DATABASE_FILE = `${DATA_FOLDER}/changelog.db`;

export type NameAndSlug = Readonly<{ name: string; slug: string }>;

/** What was made besides what is in the report of the import. */
type Made = Readonly<{ kind: 'database' | 'key' | 'file'; name: string }>;

export type SetUp = Readonly<{ imported: Imported; made: readonly Made[] }>;

/**
 * With a database in the folder, unless one is set. In `.env`, `DATABASE_URL` may be that of an application, and is used
 * only if that database has our tables.
 */
export async function withDatabase(cli: Cli): Promise<Cli> {
  const { environment, folder } = cli;
  const here = findSetting(environment, DATABASE_URL);
  const inFile = findSetting(readDotEnv(path.join(folder, DOT_ENV)) ?? {}, DATABASE_URL);
  const mayBeOther = here === null && inFile?.name === DATABASE_URL;
  if ((here ?? inFile) !== null && (!mayBeOther || (await hasOurTables(cli)))) return cli;
  if (mayBeOther)
    cli.say(
      `${DATABASE_URL} in ${DOT_ENV} may be that of an application, and is not used; to use it, set ${PREFIX}${DATABASE_URL} to it.`,
    );
  const url = `sqlite:${path.join(folder, DATABASE_FILE)}`;
  return { ...cli, environment: withSettings(environment, { [DATABASE_URL]: url }) };
}

async function hasOurTables(cli: Cli): Promise<boolean> {
  const { engine, url } = await primaryOf(cli);
  if (!engine.exists(url)) return false;
  try {
    await using db = engine.openReader(url, {});
    return !['empty', 'foreign'].includes(await schemaState(db));
  } catch {
    return false;
  }
}

const NO_VERSIONS = {
  format: 'keep-a-changelog',
  fileName: '',
  description: null,
  versions: [],
  warnings: [],
} as const;

type Names = Readonly<{ team?: NameAndSlug; product: NameAndSlug }>;

/** Whatever exists already keeps its name and state. `inside` has the database. Without a name, the team has that of the product. */
export async function setUp(
  cli: Cli,
  inside: Cli,
  { team, product }: Names,
  visibility: Visibility,
  changelog: NamedChangelog | null,
): Promise<SetUp> {
  const { engine, url, name } = await primaryOf(inside);
  const file = engine.fileOf(url);
  const made: Made[] = [];
  if (!engine.exists(url))
    made.push({ kind: 'database', name: file === null ? name : path.relative(cli.folder, file) });
  const repository = await readRepository(cli.folder, cli.environment);
  const names = { teamName: (team ?? product).name, productName: product.name };
  const job = {
    product: { team: (team ?? product).slug, product: product.slug },
    initial: { ...names, visibility, status: 'published', repository },
    changelog: changelog ?? { ...NO_VERSIONS, name: null },
  } as const;
  const create = async (trx: Writer, write: WriteFile): Promise<SetUp> => {
    if (team === undefined) await requireNoOtherTeam(trx, job.product.team);
    const imported = await importInto(cli, trx, job, { format: 'auto', create: true });
    const { slug, plan } = imported.summary.target.team;
    if (plan === 'paid' && !existsSync(path.join(cli.folder, KEY_FILE)))
      made.push(await createTeamKey(cli, trx, slug, write));
    if (inside !== cli) made.push(writeSettings(cli, write));
    return { imported, made };
  };
  return await withFiles(cli, (write) => withWriter(inside, (trx) => create(trx, write), { create: true }));
}

/** A second team by mistake would be public at once. */
async function requireNoOtherTeam(trx: Writer, wanted: string): Promise<void> {
  const slugs = (await listTeams(trx)).map(({ slug }) => slug);
  if (slugs.length > 0 && !slugs.includes(wanted))
    throw new Refusal(
      `the database already has the team ${slugs[0]}; use --team ${slugs[0]} for a product of it, or --team NAME for another team`,
    );
}

/** The key is stored only in a file that git ignores; it is never printed. */
async function createTeamKey(cli: Cli, trx: Writer, team: string, write: WriteFile): Promise<Made> {
  const key = formatApiKey(randomInt);
  const owner = { team, kind: 'FULL', products: [], name: 'Made by changelog init' } as const;
  await createKey(trx, { key, ...owner, now: cli.now(), expiresAt: null });
  makeFolder(path.join(cli.folder, DATA_FOLDER), 0o700);
  write(KEY_FILE, `${key}\n`);
  write(`${DATA_FOLDER}/.gitignore`, 'changelog.key\nchangelog.db*\n', { isAdded: true });
  return { kind: 'key', name: KEY_FILE };
}

/** With the prefix, they cannot be settings of an application. */
function writeSettings(cli: Cli, write: WriteFile): Made {
  const { variable: listing } = SETTINGS.listing;
  const isListed = findSetting(withDotEnv(cli.environment, cli.folder), listing) === null;
  const lines = [`${DATABASE_URL}=sqlite:${DATABASE_FILE}`, ...(isListed ? [`${listing}=all`] : [])];
  write(DOT_ENV, lines.map((line) => `${PREFIX}${line}\n`).join(''), { isAdded: true });
  return { kind: 'file', name: DOT_ENV };
}
