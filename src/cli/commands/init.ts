import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { requirement, SETTINGS } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { VISIBILITIES, type Visibility } from '../../domain/model.ts';
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';
import { choice, parseName, withJson, wordsOf } from '../arguments.ts';
import { type Cli, configOf, printResult } from '../cli.ts';
import { requireNoUrl } from '../files/open-file.ts';
import { type NamedChangelog, readFile } from '../files/read-changelog.ts';
import { chooseDatabase, type Database, withDatabase } from '../init/database.ts';
import { CHANGELOG_FILE, formatSetUp, nextSteps, notesOn, overrides } from '../init/report.ts';
import { findSetUp, type NameAndSlug, type SetUp, setUp } from '../init/set-up.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';

type InitFlags = {
  team?: NameAndSlug;
  product?: NameAndSlug;
  visibility?: Visibility;
  database?: string;
  /** A file, or false for `--no-import`. */
  import?: string | false;
  yes?: boolean;
  json?: boolean;
};

export function addInit(program: Command, cli: Cli): void {
  withJson(program.command('init'))
    .description('set up a team, a product and a database in this directory, asking one question')
    .option('--team <name>', 'name of the team; that of the product if left out', parseNameForUrl)
    .option('--product <name>', 'name of the product, instead of asking', parseNameForUrl)
    .addOption(
      choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES).default(
        'public',
      ),
    )
    .option('--database <url>', 'URL of the database, without a password')
    .option('--import <file>', `import this changelog instead of ${CHANGELOG_FILE}`)
    .option('--no-import', 'import nothing')
    .option('--yes', 'name the product like the directory instead of asking')
    .action(async (flags: InitFlags, command: Command) => {
      if (flags.database !== undefined) requireUsable(command, flags.database);
      // With a pipe, standard input is not a terminal.
      if (typeof flags.import === 'string')
        requireNoUrl(flags.import, [...wordsOf(command), ...(flags.yes ? [] : ['--yes'])]);
      await init(cli, flags);
    });
}

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

/** Not an argument parser: Commander's error would print the password. */
function requireUsable(command: Command, database: string): void {
  if (SETTINGS.databaseUrls.parse(database) === undefined)
    command.error(`error: --database must be ${requirement(SETTINGS.databaseUrls, database)}`);
  if (hasPassword(database))
    command.error(
      'error: other users of this machine could read the password in --database; set CHANGELOG_DATABASE_URL in the environment instead',
    );
  if (/['\n]/.test(database)) command.error('error: --database must have no quotes, which .env cannot hold');
}

async function init(cli: Cli, flags: InitFlags): Promise<void> {
  const database = await chooseDatabase(cli, flags.database);
  const isUnnamed = flags.team === undefined && flags.product === undefined;
  const existing = isUnnamed ? await findSetUp(cli, database) : null;
  if (existing !== null) {
    print(cli, flags, existing, database);
    cli.say('Everything is set up already; nothing was changed. To add a product: --team and --product.');
    if (database.isOverridden) cli.say(overrides(database.url));
    return;
  }
  const product = flags.product ?? (await askName(cli, flags));
  const { team = product, visibility = 'public', import: file } = flags;
  const changelog = file === false ? null : await readFound(cli, file);
  const made = await setUp(cli, { team, product, visibility, database, changelog });
  print(cli, flags, made, database);
  if (made.imported !== null) warn(cli, made.imported.report.warnings(made.imported.summary));
  for (const note of notesOn(made, database)) cli.say(note);
}

/** The file of the option, or the one that is there. */
async function readFound(cli: Cli, file: string | undefined): Promise<NamedChangelog | null> {
  if (file !== undefined) return await readFile(cli, file, { format: 'auto' });
  if (!existsSync(join(cli.folder, CHANGELOG_FILE))) return null;
  return await readFile(cli, CHANGELOG_FILE, { format: 'auto' }).catch((error: unknown) => {
    throw error instanceof Refusal
      ? new Refusal(`${error.message} To go on without it, use --no-import.`, { more: error.more })
      : error;
  });
}

function print(cli: Cli, flags: InitFlags, made: SetUp, { url }: Database): void {
  const { path, team, items: setup, imported } = made;
  const file = flags.import && flags.import !== '-' ? flags.import : CHANGELOG_FILE;
  const next = nextSteps(configOf(withDatabase(cli, url)), made, file);
  const value = {
    ...path,
    visibility: team.visibility,
    setup,
    imported: imported?.report.toJson(imported.summary) ?? null,
    next,
  };
  printResult(cli, flags, value, () => formatSetUp(made, next, outputPaint(cli)));
}

/** The only question. It is asked again until the name can be used. */
async function askName(cli: Cli, { yes }: InitFlags): Promise<NameAndSlug> {
  const words = slugOf(cli.folder.replace(/.*[/\\]/, '')).split('-');
  // `rocket-engine` → `Rocket Engine`
  const fallback = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || 'Product';
  if (yes) return parseNameForUrl(fallback);
  if (cli.ask === undefined)
    throw new Refusal(
      'init asks for the name of the product, but there is no terminal; use --product NAME, or --yes for the name of this directory',
    );
  for (let problem = ''; ; ) {
    const answer = (
      await cli.ask(escapeControls(`${problem}What is your product called? [${fallback}]: `))
    ).trim();
    try {
      return parseNameForUrl(answer || fallback);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      problem = `  ${error.message}\n`;
    }
  }
}
