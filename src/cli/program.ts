import { Command, CommanderError } from 'commander';
import { COMMAND } from '../command-name.ts';
import { type Environment, withDotEnv } from '../config.ts';
import { PACKAGE } from '../root.ts';
import { type Cli, linesFor } from './cli.ts';
import { addCommand, type Command as CommandValue, withChoices } from './command.ts';
import { withoutSecrets } from './secrets.ts';
import { withGivenNames } from './settings.ts';
import { errorPaint } from './terminal/colours.ts';
import { escapeControls } from './terminal/plain.ts';
import { explainUnknownCommands } from './unknown-command.ts';

type AddCommand = (program: Command, cli: Cli) => void;
type Loaded = CommandValue | AddCommand;

/** In the order of `--help`. Each is loaded only when needed, so that `serve` starts without the other commands. */
const COMMANDS: Readonly<Record<string, () => Promise<Loaded>>> = {
  init: async () => (await import('./commands/init.ts')).addInit,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  migrate: async () => (await import('./commands/database/migrate.ts')).migrateCommand,
  apply: async () => (await import('./commands/apply.ts')).addApply,
  export: async () => (await import('./commands/export.ts')).addExport,
  import: async () => (await import('./commands/import.ts')).addImport,
  'import-workspace': async () => (await import('./commands/import-workspace.ts')).addImportWorkspace,
  notes: async () => (await import('./commands/file/notes.ts')).addNotes,
  check: async () => (await import('./commands/file/check.ts')).addCheck,
  build: async () => (await import('./commands/file/build.ts')).addBuild,
  team: async () => (await import('./commands/items/team.ts')).addTeam,
  product: async () => (await import('./commands/items/product.ts')).addProduct,
  changelog: async () => (await import('./commands/items/product.ts')).addChangelog,
  version: async () => (await import('./commands/items/version.ts')).addVersion,
  'publish-due': async () => (await import('./commands/publish-due.ts')).addPublishDue,
  hook: async () => (await import('./commands/items/hook.ts')).addHook,
  key: async () => (await import('./commands/items/key.ts')).addKey,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand,
  completion: async () => {
    const { addCompletion } = await import('./commands/completion.ts');
    return (program, cli) => addCompletion(program, cli, () => buildProgram(cli));
  },
  backup: async () => (await import('./commands/database/backup.ts')).addBackup,
  restore: async () => (await import('./commands/database/restore.ts')).addRestore,
  copy: async () => (await import('./commands/database/copy.ts')).addCopy,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
};

const VERSION_FLAGS = ['-V', '--version'];

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns its exit code. */
export async function runCommand(unfiltered: Omit<Cli, 'typed'>, typed: readonly string[]): Promise<number> {
  const cli = withoutSecrets(unfiltered, typed);
  const words = typed[0] === 'help' ? typed.slice(1) : typed;
  try {
    const program = await buildProgram(cli, words[0]);
    const asksForHelp = words !== typed && isCommand(program, words);
    await program.parseAsync(asksForHelp ? [...words, '--help'] : words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    const message = withGivenNames(linesFor(error).join('\n'), settingsOf(cli, words));
    cli.say(`${errorPaint(cli)('red', 'changelog:')} ${message}`);
    return FAILED;
  }
}

/** What the command has read: no `.env` if it works on a file, and none that cannot be read. */
function settingsOf(
  { environment, folder }: Cli,
  [command = '', ...options]: readonly string[],
): Environment {
  const isOnDatabase = options.some((word) => /^--(?:all|team|product)(?:=|$)/.test(word));
  if (['notes', 'check', 'build'].includes(command) && !isOnDatabase) return environment;
  try {
    return withDotEnv(environment, folder);
  } catch {
    return environment;
  }
}

/** `help key create` means `key create --help`. For an unknown command, Commander would print the help of the program. */
function isCommand({ commands }: Command, [word, ...rest]: readonly string[]): boolean {
  if (word === undefined || commands.length === 0) return true;
  const command = commands.find((each) => each.name() === word);
  return command !== undefined && isCommand(command, rest);
}

/** Loads only the named command, no command for `--version`, and all of them for an unknown name. */
export async function buildProgram(cli: Cli, name = ''): Promise<Command> {
  const program = new Command(COMMAND)
    .description('Publishes product changelogs over a read-only HTTP API.')
    .version(PACKAGE.version, VERSION_FLAGS.join(', '))
    // The default is too large to wrap the descriptions of commands in a terminal of 80 columns.
    .configureHelp({ minWidthToWrap: 30 })
    .showHelpAfterError('Use --help to see all arguments and options.')
    .configureOutput({
      writeOut: (text) => cli.print(text.trimEnd()),
      // Commander's errors repeat what was typed.
      writeErr: (text) => cli.say(escapeControls(text.trimEnd())),
      outputError: (text, write) => write(withChoices(text, program)),
    })
    .exitOverride();
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const wanted = load ? [load] : VERSION_FLAGS.includes(name) ? [] : Object.values(COMMANDS);
  const loaded = await Promise.all(wanted.map((each) => each()));
  for (const each of loaded)
    if (typeof each === 'function') each(program, cli);
    else addCommand(program, each, cli);
  explainUnknownCommands(program);
  return program;
}
