import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { type Config, findSetting, PREFIX, SETTINGS, withDotEnv, withSettings } from '../../config.ts';
import { formatApiKey } from '../../domain/access/api-key.ts';
import { VISIBILITIES, type Visibility } from '../../domain/model.ts';
import { slugOf } from '../../domain/slug.ts';
import { readDotEnv } from '../../dot-env.ts';
import { Refusal } from '../../errors.ts';
import { baseUrlFor, listenUrl } from '../../http/urls.ts';
import { readRepository } from '../../import/git.ts';
import { makeFolder } from '../../make-folder.ts';
import { serverLinks } from '../../present/links.ts';
import { listTeams } from '../../store/catalogue/catalogue.ts';
import type { Writer } from '../../store/engine/engine.ts';
import { schemaState } from '../../store/migrate/migrate.ts';
import { createKey } from '../../store/write/keys.ts';
import { choice, option, parseName } from '../arguments.ts';
import { type Cli, configOf, primaryOf, withWriter } from '../cli.ts';
import { command } from '../command.ts';
import { type NamedChangelog, readFile, titleOf } from '../files/read-changelog.ts';
import { type WriteFile, withFiles } from '../files/write-file.ts';
import { formatImport, formatTargets, type Imported, importJson } from '../report/import-report.ts';
import { formatOutcome, warn } from '../report/outcomes.ts';
import { escapeControls, escapeName, outputPaint } from '../terminal/text.ts';
import { importInto } from './import.ts';

/** The file that is imported if it is there. */
const CHANGELOG_FILE = 'CHANGELOG.md';
const DATA_FOLDER = 'data';
const KEY_FILE = `${DATA_FOLDER}/changelog.key`;
const DOT_ENV = '.env';
const { variable: DATABASE_URL } = SETTINGS.databaseUrls;
const DATABASE_FILE = `${DATA_FOLDER}/changelog.db`;

type NameAndSlug = Readonly<{ name: string; slug: string }>;

/** What was made besides what is in the report of the import. */
type Made = Readonly<{ kind: 'database' | 'key' | 'file'; name: string }>;

type InitFlags = {
  team?: NameAndSlug;
  product?: NameAndSlug;
  visibility: Visibility;
  import: boolean;
  yes?: boolean;
};

export const initCommand = command({
  name: 'init',
  about: 'set up a team, a product and a database here',
  options: [
    option('--team <name>', 'name of the team; that of the product if left out', parseNameForUrl),
    option('--product <name>', 'name of the product, instead of asking', parseNameForUrl),
    choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES).default(
      'public',
    ),
    option('--no-import', `do not import ${CHANGELOG_FILE}`),
  ],
  yes: 'name the product like the directory instead of asking',
  run: async (cli, flags: InitFlags) => {
    const inside = await withDatabase(cli);
    const config = configOf(inside);
    const product = flags.product ?? (await askName(cli, flags));
    const isThere = flags.import && existsSync(path.join(cli.folder, CHANGELOG_FILE));
    const changelog = isThere ? await readFile(cli, CHANGELOG_FILE, { format: 'auto' }) : null;
    return { config, changelog, ...(await setUp(cli, inside, { ...flags, product }, changelog)) };
  },
  text: ({ config, changelog, imported, made }, cli) => {
    const paint = outputPaint(cli);
    const report = changelog === null ? formatTargets(imported, paint) : [formatImport(imported, paint)];
    const lines = made.map(({ kind, name }) =>
      formatOutcome(paint, 'created', kind === 'file' ? name : `${kind} ${escapeName(name)}`),
    );
    return [...report, ...lines, '', ...nextSteps(config, imported, made)].join('\n');
  },
  json: ({ changelog, imported, made }) => ({
    ...imported.product,
    visibility: imported.summary.target.team.visibility,
    made,
    imported: changelog === null ? null : importJson(imported),
  }),
  after: ({ imported }, cli) => warn(cli, imported.warnings),
});

/** A name that URLs can be made of. */
function parseNameForUrl(text: string): NameAndSlug {
  const name = parseName(text);
  // It may have a password, which would become part of every URL.
  if (name.includes('://')) throw new InvalidArgumentError('It is a URL. Write a name.');
  const slug = slugOf(name);
  if (slug === '')
    throw new InvalidArgumentError(
      `URLs are made of a-z and 0-9, and the name has none of them. Choose one that does; \`${COMMAND} team set\` and \`${COMMAND} product set\` can change the name later.`,
    );
  return { name, slug };
}

/** The only question. It is asked again until the name can be used. */
async function askName(cli: Cli, { yes }: InitFlags): Promise<NameAndSlug> {
  const fallback = titleOf(path.basename(cli.folder)) || 'Product';
  if (yes) return parseNameForUrl(fallback);
  if (cli.ask === undefined)
    throw new Refusal(
      'init asks for the name of the product, but there is no terminal; use --product NAME, or --yes for the name of this directory',
    );
  for (let problem = ''; ; ) {
    const question = `${problem}What is your product called? [${fallback}]: `;
    const answer = (await cli.ask(escapeControls(question))).trim();
    try {
      return parseNameForUrl(answer || fallback);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      problem = `  ${error.message}\n`;
    }
  }
}

/**
 * With a database in the folder, unless one is set. In `.env`, `DATABASE_URL` may be that of an application, and is used
 * only if that database has our tables.
 */
async function withDatabase(cli: Cli): Promise<Cli> {
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

const NO_CHANGELOG: NamedChangelog = {
  format: 'keep-a-changelog',
  fileName: '',
  name: null,
  description: null,
  versions: [],
  warnings: [],
};

/** Whatever exists already keeps its name and state. `inside` has the database. Without a name, the team has that of the product. */
async function setUp(
  cli: Cli,
  inside: Cli,
  { team, product, visibility }: InitFlags & { product: NameAndSlug },
  changelog: NamedChangelog | null,
) {
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
    changelog: changelog ?? NO_CHANGELOG,
  } as const;
  const create = async (trx: Writer, write: WriteFile) => {
    if (team === undefined) await requireNoOtherTeam(trx, job.product.team);
    const imported = await importInto(cli, trx, job, { format: 'auto', create: true });
    const { slug, plan } = imported.summary.target.team;
    if (plan === 'paid' && !existsSync(path.join(cli.folder, KEY_FILE)))
      made.push(await createTeamKey(cli, trx, slug, write));
    if (inside !== cli) made.push(writeSettings(cli, write));
    return { imported, made };
  };
  // What is created is in the report.
  const options = { create: true, onCreated: () => {} };
  return await withFiles(cli, (write) => withWriter(inside, (trx) => create(trx, write), options));
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

/** The commands and URLs to try, each below its title. */
function nextSteps(config: Config, { product: of, summary }: Imported, made: readonly Made[]): string[] {
  const { team, product } = of;
  const baseUrl = baseUrlFor(config, listenUrl(null, config));
  const feed = `teams/${team}/products/${product}/changelog`;
  const page = serverLinks(baseUrl).urlsOf({ teamSlug: team, productSlug: product, domain: null }).changelog;
  const steps: [title: string, step: string][] = [['Serve it:', `${COMMAND} serve`]];
  if (summary.target.team.visibility === 'public')
    steps.push(
      ['Then anyone can read it:', page],
      ['The same as JSON:', `curl ${baseUrl}/api/v1/public/${feed}`],
      ['Its feed:', `${baseUrl}/api/v1/public/${feed}/feed.atom`],
      ['To hide it:', `${COMMAND} team set ${team} --visibility private`],
    );
  // `printf` is built into the shell, so the key does not appear in the list of processes.
  const withKey = `printf 'Authorization: Bearer %s' "$(cat ${KEY_FILE})" | curl -H @- ${baseUrl}/api/v1/${feed}`;
  // One that was there may be of another team.
  if (made.some(({ kind }) => kind === 'key')) steps.push(['With the key, drafts included:', withKey]);
  steps.push(
    ['After each release, here or in CI:', `${COMMAND} import ${team}/${product} ${CHANGELOG_FILE}`],
    ['The API reference, once it is served:', `${baseUrl}/docs`],
  );
  return steps.flatMap(([title, step]) => [title, `  ${step}`]);
}
