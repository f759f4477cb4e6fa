import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { SETTINGS } from '../../config.ts';
import { type Plan, VISIBILITIES, type Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { choice, withJson } from '../arguments.ts';
import { type Cli, configOf, printResult } from '../cli.ts';
import {
  type CurrentSetup,
  DOT_ENV,
  describeDatabase,
  type ExistingSetup,
  findExistingSetup,
  inspectFolder,
  withDatabase,
} from '../init/current-setup.ts';
import { KEY_FILE } from '../init/existing-key.ts';
import { guessDefaults } from '../init/guesses.ts';
import { notesOn } from '../init/notes.ts';
import { askAll, type InitAnswers, type InitFlags, NO_TERMINAL, parseName } from '../init/questions.ts';
import { formatItems, formatNextSteps, nextSteps } from '../init/report.ts';
import { type Imported, type SetupItem, setUp } from '../init/set-up.ts';
import { hasPassword } from '../secrets.ts';
import { escapeControls } from '../terminal/plain.ts';

export function addInit(program: Command, cli: Cli): void {
  withJson(program.command('init'))
    .description('set up a team, a product and a database here, by asking a few questions')
    .option('--team <name>', 'name of the team', checked(parseName))
    .option('--product <name>', 'name of the product', checked(parseName))
    .addOption(choice('--visibility <visibility>', 'who may read what it publishes', VISIBILITIES))
    .option('--database <url>', 'the database, if no password is part of it')
    .option('--import <file>', 'import this changelog')
    .option('--no-import', 'import nothing')
    .option('--yes', 'take the default of whatever would be asked')
    .action(async (flags: InitFlags, command: Command) => {
      if (flags.database !== undefined) requireUsableDatabaseOption(command, flags.database);
      await init(cli, flags);
    });
}

/** An option is refused for the same reasons as an answer. */
function checked(read: (text: string) => unknown) {
  return (text: string) => {
    try {
      read(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
    return text;
  };
}

/** Not as other values are refused: the usual error would repeat the password. */
function requireUsableDatabaseOption(command: Command, database: string): void {
  if (SETTINGS.databaseUrls.parse(database) === undefined)
    command.error(`error: --database takes ${SETTINGS.databaseUrls.takes}`);
  if (hasPassword(database))
    command.error(
      'error: everybody on this machine could read the password in --database: set DATABASE_URL in the environment instead',
    );
}

async function init(cli: Cli, flags: InitFlags): Promise<void> {
  const place = inspectFolder(cli);
  requireSameDatabase(flags, place);
  const knownUrl = flags.database ?? place.databaseUrl;
  const namesNothing = flags.team === undefined && flags.product === undefined;
  const there = namesNothing ? await findExistingSetup(withDatabase(cli, knownUrl)) : null;
  if (there !== null) return await reportSetUp(withDatabase(cli, knownUrl), flags, there);

  if (!flags.yes && cli.ask === undefined) throw new Refusal(NO_TERMINAL);
  if (place.hasDotEnv && !flags.yes)
    cli.say(`There is a ${DOT_ENV} here: its settings are used, and it stays as it is.`);
  const isSettled = flags.database !== undefined || place.databaseUrlSource !== null || place.hasDotEnv;
  const answers = await askAll(cli, flags, {
    guesses: guessDefaults(cli.folder),
    settledUrl: isSettled ? knownUrl : null,
    fallbackUrl: place.databaseUrl,
  });
  try {
    await make(cli, flags, answers, place);
  } finally {
    answers.changelog?.close();
  }
}

async function make(cli: Cli, flags: InitFlags, answers: InitAnswers, place: CurrentSetup): Promise<void> {
  const { things, team, imported, hasKey } = await setUp(cli, answers, {
    place,
    asJson: flags.json ?? false,
  });
  const path = { team: answers.team.slug, product: answers.product.slug };
  const file = flags.import === '-' ? undefined : answers.changelog?.fileName;
  report(withDatabase(cli, answers.databaseUrl), flags, { things, path, team, hasKey, file, imported });
  for (const warning of imported?.warnings ?? []) cli.say(`changelog: warning: ${escapeControls(warning)}`);
  for (const note of notesOn(cli, answers, { place, things, team })) cli.say(note);
}

/** What stands in a `.env` is somebody's decision. */
function requireSameDatabase(
  { database }: InitFlags,
  { hasDotEnv, databaseUrlSource, databaseUrl }: CurrentSetup,
): void {
  if (database === undefined || database === databaseUrl) return;
  if (databaseUrlSource !== null)
    throw new Refusal(
      `DATABASE_URL is set in the ${databaseUrlSource === DOT_ENV ? 'file .env' : 'environment'} to another database: change it there, or leave --database out.`,
    );
  if (hasDotEnv)
    throw new Refusal(
      `there is a ${DOT_ENV} here, which stays as it is: add the line DATABASE_URL=${database} to it, and leave --database out.`,
    );
}

const FILES: readonly SetupItem[] = [
  { isNew: false, kind: 'key', name: KEY_FILE },
  { isNew: false, kind: 'file', name: DOT_ENV },
];

/** Nothing is changed in a place that is set up. */
async function reportSetUp(cli: Cli, flags: InitFlags, { path, team, hasKey }: ExistingSetup): Promise<void> {
  const name = `${path.team}/${path.product}`;
  const things: SetupItem[] = [
    { isNew: false, kind: 'database', name: await describeDatabase(cli) },
    { isNew: false, kind: 'team', name: path.team },
    { isNew: false, kind: 'product', name },
    { isNew: false, kind: 'changelog', name },
    ...FILES.filter(({ name: file }) => existsSync(join(cli.folder, file))),
  ];
  report(cli, flags, { things, path, team, hasKey });
  cli.say('This place is set up; nothing was changed. For another product: --team and --product.');
}

type Reported = Readonly<{
  things: readonly SetupItem[];
  path: ProductPath;
  team: Readonly<{ visibility: Visibility; plan: Plan }>;
  hasKey: boolean;
  file?: string | undefined;
  imported?: Imported | null;
}>;

function report(cli: Cli, flags: InitFlags, { things, path, team, hasKey, file, imported }: Reported): void {
  const next = nextSteps(configOf(cli), {
    ...path,
    isPublic: team.visibility === 'public',
    hasKey,
    mayHaveKey: team.plan === 'paid',
    file: file ?? guessDefaults(cli.folder).changelogFile ?? 'CHANGELOG.md',
  });
  const value = () => ({
    ...path,
    visibility: team.visibility,
    things,
    imported: imported ? JSON.parse(imported.written) : null,
    next,
  });
  const lines = [formatItems(things), ...(imported ? [imported.written] : []), '', formatNextSteps(next)];
  printResult(cli, flags, flags.json ? value() : null, () => lines.join('\n'));
}
