import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { requirement, SETTINGS } from '../../config.ts';
import { hasPassword } from '../../domain/access/server-url.ts';
import { VISIBILITIES } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { choice, withJson, wordsOf } from '../arguments.ts';
import { type Cli, configOf, printResult } from '../cli.ts';
import { requireNoUrl } from '../files/open-file.ts';
import {
  type CurrentSetup,
  DATABASE_SETTING,
  DEFAULT_DATABASE,
  DOT_ENV,
  describeDatabase,
  type ExistingSetup,
  findExistingSetup,
  inspectFolder,
  withDatabase,
} from '../init/current-setup.ts';
import {
  askAll,
  CHANGELOG_FILE,
  type InitFlags,
  type NameAndSlug,
  NO_TERMINAL,
  parseName,
  pathOf,
} from '../init/questions.ts';
import { formatItems, formatNextSteps, nextSteps, notesOn } from '../init/report.ts';
import { KEY_FILE, type SetUpResult, setUp } from '../init/set-up.ts';
import { escapeControls } from '../terminal/plain.ts';

export function addInit(program: Command, cli: Cli): void {
  withJson(program.command('init'))
    .description('set up a team, a product and a database in this directory, asking a few questions')
    .option('--team <name>', 'name of the team', parseNameOption)
    .option('--product <name>', 'name of the product', parseNameOption)
    .addOption(choice('--visibility <visibility>', 'who may read its published versions', VISIBILITIES))
    .option('--database <url>', 'URL of the database, without a password')
    .option('--import <file>', 'import this changelog')
    .option('--no-import', 'import nothing')
    .option('--yes', 'accept the default answers instead of asking')
    .action(async (flags: InitFlags, command: Command) => {
      if (flags.database !== undefined) requireUsableDatabaseOption(command, flags.database);
      // With a pipe, standard input is not a terminal.
      if (flags.import) requireNoUrl(flags.import, [...wordsOf(command), ...(flags.yes ? [] : ['--yes'])]);
      await init(cli, flags);
    });
}

function parseNameOption(text: string): NameAndSlug {
  try {
    return parseName(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Not an argument parser: Commander's error would print the password. */
function requireUsableDatabaseOption(command: Command, database: string): void {
  if (SETTINGS.databaseUrls.parse(database) === undefined)
    command.error(`error: --database must be ${requirement(SETTINGS.databaseUrls, database)}`);
  if (hasPassword(database))
    command.error(
      'error: other users of this machine could read the password in --database; set CHANGELOG_DATABASE_URL in the environment instead',
    );
}

async function init(cli: Cli, flags: InitFlags): Promise<void> {
  const current = await inspectFolder(cli);
  const { source, isOurs } = current;
  requireEffective(flags, current);
  const url = source?.text ?? DEFAULT_DATABASE;
  const isComplete = flags.team === undefined && flags.product === undefined && isOurs;
  if (isComplete && (flags.database ?? url) === url) {
    const existing = await findExistingSetup(withDatabase(cli, url));
    if (existing !== null) {
      await reportExisting(withDatabase(cli, url), flags, existing);
      return sayIfOverridden(cli, current, url);
    }
  }

  if (!flags.yes && cli.ask === undefined) throw new Refusal(NO_TERMINAL);
  const answers = await askAll(cli, flags, current);
  const result = await setUp(cli, answers, { current, asJson: flags.json ?? false });
  const file = flags.import === '-' ? undefined : answers.changelog?.fileName;
  report(withDatabase(cli, answers.databaseUrl), flags, pathOf(answers), { ...result, file });
  for (const warning of result.imported?.warnings ?? [])
    cli.say(`changelog: warning: ${escapeControls(warning)}`);
  for (const note of notesOn(cli, answers, current, result)) cli.say(note);
  sayIfOverridden(cli, current, answers.databaseUrl);
}

function sayIfOverridden({ say }: Cli, { overriding }: CurrentSetup, url: string): void {
  if (overriding !== null && overriding !== url)
    say(
      `Before you run other commands: DATABASE_URL in the environment wins over ${DOT_ENV}, so set ${DATABASE_SETTING}=${url} there.`,
    );
}

/** Throws if a variable in the environment would override `--database` in later commands. */
function requireEffective({ database }: InitFlags, { source }: CurrentSetup): void {
  if (database === undefined || database === source?.text) return;
  if (source?.name === DATABASE_SETTING && source.place === 'environment')
    throw new Refusal(
      `${DATABASE_SETTING} is set to another database in the environment; change it there, or leave out --database`,
    );
}

async function reportExisting(cli: Cli, flags: InitFlags, { path, team }: ExistingSetup): Promise<void> {
  const name = `${path.team}/${path.product}`;
  const items = [
    { kind: 'database', name: await describeDatabase(cli) },
    { kind: 'team', name: path.team },
    { kind: 'product', name },
    { kind: 'changelog', name },
    ...[{ kind: 'key', name: KEY_FILE } as const, { kind: 'file', name: DOT_ENV } as const].filter((file) =>
      existsSync(join(cli.folder, file.name)),
    ),
  ] as const;
  report(cli, flags, path, {
    team,
    items: items.map((item) => ({ isNew: false, ...item })),
    imported: null,
    repository: null,
    isIgnored: false,
  });
  cli.say('Everything is set up already; nothing was changed. To add a product: --team and --product.');
}

function report(
  cli: Cli,
  flags: InitFlags,
  path: ProductPath,
  { items, team, imported, file }: SetUpResult & { file?: string | undefined },
): void {
  const isNew = Object.fromEntries(items.map((item) => [item.kind, item.isNew]));
  const next = nextSteps(configOf(cli), {
    ...path,
    isPublic: team.visibility === 'public',
    // An existing key file cannot belong to a new team.
    hasKey: isNew.key !== undefined && (isNew.key || !isNew.team),
    mayHaveKey: team.plan === 'paid',
    file: file ?? CHANGELOG_FILE,
  });
  const value = () => ({
    ...path,
    visibility: team.visibility,
    setup: items,
    imported: imported ? JSON.parse(imported.written) : null,
    next,
  });
  const lines = [formatItems(items), ...(imported ? [imported.written] : []), '', formatNextSteps(next)];
  printResult(cli, flags, flags.json ? value() : null, () => lines.join('\n'));
}
