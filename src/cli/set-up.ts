// What `init` makes: content in one transaction, and the files next to it.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findSetting, PREFIX, SETTINGS, withDotEnv, withSettings } from '../config.ts';
import { formatApiKey } from '../domain/access/api-key.ts';
import type { Visibility } from '../domain/model.ts';
import { Refusal } from '../errors.ts';
import { readRepository } from '../import/git.ts';
import { makeFolder } from '../make-folder.ts';
import { listTeams } from '../store/catalogue/catalogue.ts';
import type { Writer } from '../store/engine/engine.ts';
import { documentFor, findTarget, type ImportTarget } from '../store/import/target.ts';
import type { ProductPath } from '../store/read/reads.ts';
import { applyContent } from '../store/write/apply.ts';
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

export type Wanted = Readonly<{
  /** If left out, that of the product. */
  team: NameAndSlug | undefined;
  product: NameAndSlug;
  visibility: Visibility;
  /** The changelog to import. */
  changelog: NamedChangelog | null;
}>;

type Item = Readonly<{ isNew: boolean; kind: string; name: string }>;

export type SetUp = Readonly<{
  path: ProductPath;
  team: ImportTarget['team'];
  items: readonly Item[];
  imported: Imported | null;
  /** Whether the key file has a key of the team. */
  hasKey: boolean;
}>;

/** With a database in the folder unless another one is set. */
export function withDatabase(cli: Cli): Cli {
  const { environment, folder } = cli;
  if (findSetting(withDotEnv(environment, folder), DATABASE_URL) !== null) return cli;
  const url = `sqlite:${path.join(folder, DATABASE_FILE)}`;
  return { ...cli, environment: withSettings(environment, { [DATABASE_URL]: url }) };
}

/** Whatever exists already keeps its name and state. */
export async function setUp(cli: Cli, wanted: Wanted): Promise<SetUp> {
  const inside = withDatabase(cli);
  const { engine, url, name } = await primaryOf(inside);
  const file = engine.fileOf(url);
  const database = {
    isNew: !engine.exists(url),
    kind: 'database',
    name: file === null ? name : path.relative(cli.folder, file),
  };
  const repository = await readRepository(cli.folder, cli.environment);
  const create = async (trx: Writer, write: WriteFile): Promise<SetUp> => {
    const made = await createContent(cli, trx, wanted, repository);
    const items = [database, ...made.items];
    const isNewTeam = items.some(({ isNew, kind }) => isNew && kind === 'team');
    const hadKey = existsSync(path.join(cli.folder, KEY_FILE));
    const isPaid = made.team.plan === 'paid';
    if (hadKey) items.push({ isNew: false, kind: 'key', name: KEY_FILE });
    else if (isPaid) items.push(await createTeamKey(cli, trx, made.team.slug, write));
    if (inside !== cli) items.push(writeSettings(cli, write));
    // A key that was there before cannot be one of a new team.
    return { ...made, items, hasKey: hadKey ? !isNewTeam : isPaid };
  };
  return await withFiles(cli, (write) => withWriter(inside, (trx) => create(trx, write), { create: true }));
}

async function createContent(
  cli: Cli,
  trx: Writer,
  { team: wanted, product, visibility, changelog }: Wanted,
  repository: string | null,
) {
  const team = wanted ?? product;
  const target = { team: team.slug, product: product.slug };
  const slugs = (await listTeams(trx)).map(({ slug }) => slug);
  // A second team by mistake would be public at once.
  if (wanted === undefined && slugs.length > 0 && !slugs.includes(team.slug))
    throw new Refusal(
      `the database already has the team ${slugs[0]}; use --team ${slugs[0]} for a product of it, or --team NAME for another team`,
    );
  const found = await findTarget(trx, target, {
    create: true,
    name: product.name,
    initial: {
      teamName: team.name,
      productName: product.name,
      visibility,
      status: 'published',
      repository,
    },
  });
  const items: Item[] = [];
  await applyContent(trx, documentFor(found, []), {
    pruning: false,
    now: cli.now(),
    report: ({ action, kind, name }) => items.push({ isNew: action === 'created', kind, name }),
    reportPruned: () => {},
  });
  const job = changelog && { product: target, changelog };
  const imported = job && (await importInto(cli, trx, job, { format: job.changelog.format }));
  return { path: target, team: found.team, items, imported };
}

/** The key is stored only in a file that git ignores; it is never printed. */
async function createTeamKey(cli: Cli, trx: Writer, team: string, write: WriteFile): Promise<Item> {
  const key = formatApiKey(randomInt);
  const owner = { team, kind: 'FULL', products: [], name: 'Made by changelog init' } as const;
  await createKey(trx, { key, ...owner, now: cli.now(), expiresAt: null });
  makeFolder(path.join(cli.folder, DATA_FOLDER), 0o700);
  write(KEY_FILE, `${key}\n`);
  write(`${DATA_FOLDER}/.gitignore`, 'changelog.key\nchangelog.db*\n', { isAdded: true });
  return { isNew: true, kind: 'key', name: KEY_FILE };
}

/** With the prefix, they cannot be settings of an application. */
function writeSettings(cli: Cli, write: WriteFile): Item {
  const { variable: listing } = SETTINGS.listing;
  const isListed = findSetting(withDotEnv(cli.environment, cli.folder), listing) === null;
  const isNew = !existsSync(path.join(cli.folder, DOT_ENV));
  const lines = [`${DATABASE_URL}=sqlite:${DATABASE_FILE}`, ...(isListed ? [`${listing}=all`] : [])];
  write(DOT_ENV, lines.map((line) => `${PREFIX}${line}\n`).join(''), { isAdded: true });
  return { isNew, kind: 'file', name: DOT_ENV };
}
