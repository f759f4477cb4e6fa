// The questions of `init`. An option answers its question in advance.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { COMMAND } from '../../command-name.ts';
import { containsApiKey } from '../../domain/access/api-key.ts';
import { isName } from '../../domain/content/content.ts';
import { VISIBILITIES, type Visibility } from '../../domain/model.ts';
import { slugOf } from '../../domain/slug.ts';
import { Refusal } from '../../errors.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { LOOKS_LIKE_KEY } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { type NamedChangelog, readFile } from '../files/read-changelog.ts';
import { escapeControls } from '../terminal/plain.ts';
import {
  type CurrentSetup,
  DATABASE_SETTING,
  DEFAULT_DATABASE,
  DOT_ENV,
  requireUsableDatabase,
  settingsFor,
} from './current-setup.ts';

export type InitFlags = {
  team?: NameAndSlug;
  product?: NameAndSlug;
  visibility?: Visibility;
  database?: string;
  /** A file, or false for `--no-import`. */
  import?: string | false;
  yes?: boolean;
  json?: boolean;
};

export type NameAndSlug = Readonly<{ name: string; slug: string }>;

export type InitAnswers = Readonly<{
  team: NameAndSlug;
  product: NameAndSlug;
  visibility: Visibility;
  databaseUrl: string;
  /** Whether to write to `.env`, because no other setting has the database URL. */
  writesSettings: boolean;
  /** The changelog to import. */
  changelog: NamedChangelog | null;
}>;

export function pathOf({ team, product }: Pick<InitAnswers, 'team' | 'product'>): ProductPath {
  return { team: team.slug, product: product.slug };
}

/** The file that is offered for import. */
export const CHANGELOG_FILE = 'CHANGELOG.md';

export const NO_TERMINAL =
  'init asks questions, but there is no terminal; use --yes to accept the defaults, and options to change them';

/** Asks about everything that neither an option nor a setting decides. */
export async function askAll(cli: Cli, flags: InitFlags, current: CurrentSetup): Promise<InitAnswers> {
  const settle = <T>(option: T | undefined, question: string, fallback: string, parse: Parse<T>) =>
    option === undefined ? askFor(cli, flags, question, fallback, parse) : option;

  const name = nameOf(cli.folder);
  const team = await settle(flags.team, 'Name of the team', name, parseName);
  const product = await settle(flags.product, 'Name of the product', name, parseName);
  if (!flags.yes) cli.say(`  Path in URLs: ${team.slug}/${product.slug}`);
  const visibility = await settle(
    flags.visibility,
    'Public, or private (read with a key only)?',
    'public',
    parseVisibility,
  );
  const databaseUrl = await settleDatabase(cli, flags, current);
  const names = Object.keys(settingsFor(current, databaseUrl)).join(' and ');
  const writesSettings =
    databaseUrl !== current.source?.text &&
    (!current.hasDotEnv ||
      (await askFor(cli, flags, `Add ${names} to the existing ${DOT_ENV}?`, 'yes', parseYesOrNo)));
  const changelog = await settleImport(cli, flags);
  return { team, product, visibility, databaseUrl, writesSettings, changelog };
}

/** A configured database that may belong to an application is offered, but it is not the default, nor used with `--yes`. */
async function settleDatabase(cli: Cli, flags: InitFlags, { source, isOurs }: CurrentSetup): Promise<string> {
  if (flags.database !== undefined) return flags.database;
  if (source !== null && isOurs) return source.text;
  if (source !== null) {
    const place = source.place === DOT_ENV ? DOT_ENV : 'the environment';
    const way = flags.yes ? `set ${DATABASE_SETTING} to it` : `answer ${source.name}`;
    cli.say(
      `  ${source.name} is set in ${place}, perhaps for an application${flags.yes ? ', and is not used' : ''}. To use that database, ${way}.`,
    );
  }
  return await askFor(cli, flags, 'Database', DEFAULT_DATABASE, (text) =>
    requireUsableDatabase(cli, text === source?.name ? source.text : text),
  );
}

async function settleImport(cli: Cli, flags: InitFlags): Promise<NamedChangelog | null> {
  const read = (file: string) => readFile(cli, file, { format: 'auto' });
  if (typeof flags.import === 'string') return await read(flags.import);
  if (flags.import === false || !existsSync(path.join(cli.folder, CHANGELOG_FILE))) return null;
  return await askFor(cli, flags, `Import the ${CHANGELOG_FILE} found here?`, 'yes', async (text) =>
    parseYesOrNo(text) ? await read(CHANGELOG_FILE) : null,
  );
}

type Parse<T> = (text: string) => T | Promise<T>;

/** Asks again until the answer is valid. */
async function askFor<T>(
  cli: Cli,
  { yes }: InitFlags,
  question: string,
  fallback: string,
  parse: Parse<T>,
): Promise<T> {
  if (yes) return await parse(fallback);
  if (cli.ask === undefined) throw new Refusal(NO_TERMINAL);
  for (let problem = ''; ; ) {
    const answer = (await cli.ask(escapeControls(`${problem}${question} [${fallback}]: `))).trim();
    try {
      return await parse(answer || fallback);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem = `  ${error.message}\n`;
    }
  }
}

export function parseName(name: string): NameAndSlug {
  if (!isName(name)) throw new Refusal('A name has 1 to 200 characters.');
  if (containsApiKey(name)) throw new Refusal(LOOKS_LIKE_KEY);
  const slug = slugOf(name);
  if (slug === '')
    throw new Refusal(
      `URLs are made of a-z and 0-9, and the name has none of them. Choose one that does; \`${COMMAND} team set\` and \`${COMMAND} product set\` can change the name later.`,
    );
  return { name, slug };
}

/** The name of the directory, as a title: `rocket-engine` → `Rocket Engine`. */
function nameOf(folder: string): string {
  const words = slugOf(path.basename(folder)).split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || 'Product';
}

function parseVisibility(text: string): Visibility {
  const found = VISIBILITIES.find((value) => value === text.toLowerCase());
  if (found === undefined) throw new Refusal(`Answer ${VISIBILITIES.join(' or ')}.`);
  return found;
}

function parseYesOrNo(text: string): boolean {
  if (/^(y|yes)$/i.test(text)) return true;
  if (/^(n|no)$/i.test(text)) return false;
  throw new Refusal('Answer yes or no.');
}
