import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { COMMAND } from '../../command-name.ts';
import { requirement, SETTINGS } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { VISIBILITIES, type Visibility } from '../../domain/model.ts';
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';
import { choice, option, parseName } from '../arguments.ts';
import { type Cli, configOf } from '../cli.ts';
import { command, UsageError } from '../command.ts';
import { requireNoUrl } from '../files/open-file.ts';
import { type NamedChangelog, readFile } from '../files/read-changelog.ts';
import { chooseDatabase, withDatabase } from '../init/database.ts';
import { formatItems, nextSteps, notesOn, overrides } from '../init/report.ts';
import { findSetUp, type NameAndSlug, type SetUp, setUp } from '../init/set-up.ts';
import { warn } from '../report/outcomes.ts';
import { outputPaint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';

/** The file that is imported if it is there. */
const CHANGELOG_FILE = 'CHANGELOG.md';

type InitFlags = {
  team?: NameAndSlug;
  product?: NameAndSlug;
  visibility: Visibility;
  database?: string;
  /** A file, or false for `--no-import`. */
  import?: string | false;
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
    option('--database <url>', 'URL of the database, without a password'),
    option('--import <file>', `import this changelog instead of ${CHANGELOG_FILE}`),
    option('--no-import', 'import nothing'),
  ],
  yes: 'name the product like the directory instead of asking',
  run: init,
  text: ({ made, next }, cli) => {
    const { items, imported } = made;
    const steps = next.flatMap(([, title, value]) => (value === null ? [] : [title, `  ${value}`]));
    const lines = imported === null ? [] : [imported.report.formatLines(imported.summary, outputPaint(cli))];
    return [...formatItems(items), ...lines, '', ...steps].join('\n');
  },
  json: ({ made: { path, team, items, imported }, next }) => ({
    ...path,
    visibility: team.visibility,
    setup: items,
    imported: imported === null ? null : imported.report.toJson(imported.summary),
    next: Object.fromEntries(next.map(([name, , value]) => [name, value])),
  }),
  after: ({ made: { imported }, notes }, cli) => {
    if (imported !== null) warn(cli, imported.report.warnings(imported.summary));
    for (const note of notes) cli.say(note);
  },
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

async function init(cli: Cli, flags: InitFlags) {
  const { team, product, visibility, import: file, database: wanted } = flags;
  if (wanted !== undefined) requireUsable(wanted);
  if (typeof file === 'string') requireNoUrl(file);
  const database = await chooseDatabase(cli, wanted);
  const stepsFor = (made: SetUp) => {
    const config = configOf(withDatabase(cli, database.url));
    return nextSteps(config, made, file && file !== '-' ? file : CHANGELOG_FILE);
  };
  const existing = team === undefined && product === undefined ? await findSetUp(cli, database) : null;
  if (existing !== null)
    return {
      made: existing,
      next: stepsFor(existing),
      notes: [NOTHING_TO_DO, ...(database.isOverridden ? [overrides(database.url)] : [])],
    };
  const named = product ?? (await askName(cli, flags));
  const changelog = file === false ? null : await readFound(cli, file);
  const made = await setUp(cli, { team: team ?? named, product: named, visibility, database, changelog });
  return { made, next: stepsFor(made), notes: notesOn(made, database) };
}

const NOTHING_TO_DO =
  'Everything is set up already; nothing was changed. To add a product: --team and --product.';

/** Not an argument parser: Commander's error would print the password. */
function requireUsable(database: string): void {
  if (SETTINGS.databaseUrls.parse(database) === undefined)
    throw new UsageError(`--database must be ${requirement(SETTINGS.databaseUrls, database)}`);
  if (hasPassword(database))
    throw new UsageError(
      'other users of this machine could read the password in --database; set CHANGELOG_DATABASE_URL in the environment instead',
    );
  if (/['\n]/.test(database)) throw new UsageError('--database must have no quotes, which .env cannot hold');
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
