// The work of `init`. All rows are written in one transaction; the files before it commits, and not at all if it fails.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findSetting, PREFIX, SETTINGS, withDotEnv } from '../../config.ts';
import { formatApiKey } from '../../domain/access/api-key.ts';
import type { Plan, Visibility } from '../../domain/model.ts';
import { readRepository } from '../../import/git.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { engineOf } from '../../store/engine/open.ts';
import { documentFor, findTarget } from '../../store/import/target.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { applyContent } from '../../store/write/apply.ts';
import { createKey } from '../../store/write/keys.ts';
import { type Cli, configOf, withWriter } from '../cli.ts';
import type { NamedChangelog } from '../files/read-changelog.ts';
import { type WriteFile, withFiles } from '../files/write-file.ts';
import { type ImportResult, importInto } from '../import-file.ts';
import {
  DATABASE_SETTING,
  type Database,
  DOT_ENV,
  describeDatabase,
  findExisting,
  withDatabase,
} from './database.ts';

const DATA_FOLDER = 'data';
export const KEY_FILE = `${DATA_FOLDER}/changelog.key`;
export const IGNORE_FILE = `${DATA_FOLDER}/.gitignore`;
/** The key, and the database where it is by default. */
const IGNORED = 'changelog.key\nchangelog.db*\n';
const KEY_NAME = 'Made by changelog init';
const { variable: LISTING } = SETTINGS.listing;
export const LISTING_SETTING = PREFIX + LISTING;

export type NameAndSlug = Readonly<{ name: string; slug: string }>;

export type Wanted = Readonly<{
  team: NameAndSlug;
  product: NameAndSlug;
  visibility: Visibility;
  database: Database;
  /** The changelog to import. */
  changelog: NamedChangelog | null;
}>;

export type SetUp = Readonly<{
  path: ProductPath;
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
  items: readonly Readonly<{ isNew: boolean; kind: string; name: string }>[];
  imported: ImportResult | null;
  /** The repository of a new product, which was found in its git remote. */
  repository: string | null;
  /** The names of the settings that were written to `.env`. */
  settings: readonly string[];
}>;

const isThere = ({ folder }: Cli, name: string) => existsSync(path.join(folder, name));

/** What was set up before; null if there is no product with a changelog. Nothing is written. */
export async function findSetUp(cli: Cli, { url }: Database): Promise<SetUp | null> {
  const inside = withDatabase(cli, url);
  const existing = await findExisting(inside);
  if (existing === null) return null;
  const { team, product } = existing;
  const name = `${team.slug}/${product}`;
  const items = [
    { isNew: false, kind: 'database', name: await describeDatabase(inside) },
    { isNew: false, kind: 'team', name: team.slug },
    { isNew: false, kind: 'product', name },
    { isNew: false, kind: 'changelog', name },
    ...(isThere(cli, KEY_FILE) ? [{ isNew: false, kind: 'key', name: KEY_FILE }] : []),
    ...(isThere(cli, DOT_ENV) ? [{ isNew: false, kind: 'file', name: DOT_ENV }] : []),
  ];
  const path = { team: team.slug, product };
  return { path, team, items, imported: null, repository: null, settings: [] };
}

/** Whatever exists already keeps its name and state. */
export async function setUp(cli: Cli, wanted: Wanted): Promise<SetUp> {
  const { team, product, visibility, database, changelog } = wanted;
  const target = { team: team.slug, product: product.slug };
  const inside = withDatabase(cli, database.url);
  const [url] = configOf(inside).databaseUrls;
  const isNew = !(await engineOf(url)).exists(url);
  const repository = await readRepository(cli.folder, cli.environment);
  const settings = settingsFor(cli, database);
  const names = { teamName: team.name, productName: product.name };

  const create = async (trx: Writer, write: WriteFile): Promise<SetUp> => {
    const items = [{ isNew, kind: 'database', name: await describeDatabase(inside) }];
    const found = await findTarget(trx, target, {
      create: true,
      name: product.name,
      initial: { ...names, visibility, status: 'published', repository },
    });
    await applyContent(trx, documentFor(found, []), {
      pruning: false,
      now: cli.now(),
      report: ({ action, kind, name }) => items.push({ isNew: action === 'created', kind, name }),
      reportPruned: () => {},
    });
    const job = changelog && { product: target, changelog };
    const imported = job && (await importInto(cli, trx, job, { format: job.changelog.format }));
    if (isThere(cli, KEY_FILE)) items.push({ isNew: false, kind: 'key', name: KEY_FILE });
    else if (found.team.plan === 'paid') items.push(...(await createTeamKey(cli, trx, target.team, write)));
    const hadDotEnv = isThere(cli, DOT_ENV);
    const lines = Object.entries(settings).map(([name, text]) => `${name}=${text}\n`);
    if (lines.length > 0) write(DOT_ENV, lines.join(''), { isAdded: true });
    if (lines.length > 0 || hadDotEnv) items.push({ isNew: !hadDotEnv, kind: 'file', name: DOT_ENV });
    const isNewProduct = items.some((item) => item.isNew && item.kind === 'product');
    return {
      path: target,
      team: found.team,
      items,
      imported,
      repository: isNewProduct ? repository : null,
      settings: Object.keys(settings),
    };
  };
  return await withFiles(cli, (write) => withWriter(inside, (trx) => create(trx, write), { create: true }));
}

/** What goes to `.env`: the database, and at a first set-up that the server lists everything. */
function settingsFor(cli: Cli, { url, source, isWritten }: Database): Record<string, string> {
  if (!isWritten) return {};
  const isListed = source === null && !findSetting(withDotEnv(cli.environment, cli.folder), LISTING);
  // A path may have spaces.
  const text = /^[\w:./@%+-]+$/.test(url) ? url : `'${url}'`;
  return { [DATABASE_SETTING]: text, ...(isListed && { [LISTING_SETTING]: 'all' }) };
}

/** The key is stored only in a file that git ignores; it is never printed. */
async function createTeamKey(cli: Cli, trx: Writer, team: string, write: WriteFile) {
  const key = formatApiKey(randomInt);
  const owner = { team, kind: 'FULL', products: [], name: KEY_NAME } as const;
  await createKey(trx, { key, ...owner, now: cli.now(), expiresAt: null });
  makeFolder(path.join(cli.folder, DATA_FOLDER), 0o700);
  write(KEY_FILE, `${key}\n`);
  const made = { isNew: true, kind: 'key', name: KEY_FILE };
  if (isThere(cli, IGNORE_FILE)) return [made];
  write(IGNORE_FILE, IGNORED);
  return [made, { isNew: true, kind: 'file', name: IGNORE_FILE }];
}
