import { CommanderError, Help, InvalidArgumentError, Command as Parser } from 'commander';
import { COMMAND } from '../command-name.ts';
import { findSetting, withDotEnv } from '../config.ts';
import { nearest } from '../domain/nearest.ts';
import { PACKAGE } from '../root.ts';
import { type Cli, linesFor } from './cli.ts';
import { addCommand, type Command, UsageError } from './command.ts';
import { withoutSecrets } from './secrets.ts';
import { errorPaint, escapeControls } from './terminal/text.ts';

type Load = () => Promise<Command>;

/** As in `--help`. Each is loaded only when needed, so that `serve` starts without the other commands. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Files:': {
    notes: async () => (await import('./commands/file/notes.ts')).notesCommand,
    check: async () => (await import('./commands/file/check.ts')).checkCommand,
    build: async () => (await import('./commands/file/build.ts')).buildCommand,
    import: async () => (await import('./commands/import.ts')).importCommand,
    'import-workspace': async () => (await import('./commands/import.ts')).importWorkspaceCommand,
    apply: async () => (await import('./commands/apply.ts')).applyCommand,
  },
  'Content:': {
    team: async () => (await import('./commands/items/product.ts')).teamCommand,
    product: async () => (await import('./commands/items/product.ts')).productCommand,
    changelog: async () => (await import('./commands/items/product.ts')).changelogCommand,
    version: async () => (await import('./commands/items/version.ts')).versionCommand,
    'publish-due': async () => (await import('./commands/publish-due.ts')).publishDueCommand,
    export: async () => (await import('./commands/export.ts')).exportCommand,
  },
  'Keys:': {
    key: async () => (await import('./commands/items/key.ts')).keyCommand,
  },
  'Serving:': {
    init: async () => (await import('./commands/init.ts')).initCommand,
    serve: async () => (await import('./commands/serve.ts')).serveCommand,
    demo: async () => (await import('./commands/demo.ts')).demoCommand,
    hook: async () => (await import('./commands/items/hook.ts')).hookCommand,
    mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
    openapi: async () => (await import('./commands/openapi.ts')).openapiCommand,
  },
  'Operating:': {
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
    migrate: async () => (await import('./commands/database/migrate.ts')).migrateCommand,
    backup: async () => (await import('./commands/database/backup.ts')).backupCommand,
    restore: async () => (await import('./commands/database/backup.ts')).restoreCommand,
    copy: async () => (await import('./commands/database/copy.ts')).copyCommand,
    completion: async () => (await import('./commands/completion.ts')).completionCommand(buildProgram),
  },
};

const VERSION_FLAGS = ['-V', '--version'];

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns its exit code. */
export async function runCommand(unfiltered: Cli, typed: readonly string[]): Promise<number> {
  const words = typed[0] === 'help' ? typed.slice(1) : typed;
  const safe = withoutSecrets(unfiltered, typed);
  const cli = words[0] === 'serve' && isJsonLog(safe) ? withJsonLines(safe) : safe;
  try {
    const program = await buildProgram(cli, words[0]);
    // `help key create` means `key create --help`.
    await program.parseAsync(words === typed ? words : [...words, '--help'], { from: 'user' });
    return DONE;
  } catch (error) {
    const isMisuse = error instanceof UsageError || error instanceof InvalidArgumentError;
    if (!isMisuse && error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    const message = linesFor(error).join('\n');
    cli.say(isMisuse ? `error: ${message}\n${HINT}` : `${errorPaint(cli)('red', PREFIX)} ${message}`);
    return isMisuse ? WRONG_USAGE : FAILED;
  }
}

const PREFIX = 'changelog:';
const HINT = 'Use --help to see all arguments and options.';

function isJsonLog({ environment, folder }: Cli): boolean {
  try {
    return findSetting(withDotEnv(environment, folder), 'LOG_FORMAT')?.text === 'json';
  } catch {
    return false;
  }
}

/** What is said before there is a log looks like the log. */
function withJsonLines({ terminal: _, ...cli }: Cli): Cli {
  const say = (line: string) => {
    const msg = line.startsWith(PREFIX) ? line.slice(PREFIX.length).trimStart() : line;
    cli.say(JSON.stringify({ level: 'error', time: cli.now(), msg }));
  };
  return { ...cli, say: (text) => text.split('\n').forEach(say) };
}

/** Loads only the named command, no command for `--version`, and all of them for an unknown name. */
export async function buildProgram(cli: Cli, name = ''): Promise<Parser> {
  const program: Parser = new Parser(COMMAND)
    .description('Publishes product changelogs over a read-only HTTP API.')
    .version(PACKAGE.version, VERSION_FLAGS.join(', '))
    .configureHelp({
      // The default is too large to wrap the descriptions of commands in a terminal of 80 columns.
      minWidthToWrap: 30,
      // So that each command has one line on the first screen.
      subcommandTerm: (each) => (each.parent === program ? each.name() : new Help().subcommandTerm(each)),
    })
    .helpCommand(false)
    .showHelpAfterError(HINT)
    .configureOutput({
      writeOut: (text) => cli.print(text.trimEnd()),
      // Commander's errors repeat what was typed.
      writeErr: (text) => cli.say(escapeControls(text.trimEnd())),
    })
    .exitOverride();
  const isKnown = Object.values(COMMANDS).some((group) => Object.hasOwn(group, name));
  for (const [heading, group] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    const wanted = VERSION_FLAGS.includes(name) ? [] : isKnown ? [group[name]] : Object.values(group);
    for (const load of wanted) {
      const loaded = await load?.();
      if (loaded !== undefined) addCommand(program, loaded, cli);
    }
  }
  explainUnknownCommands(program);
  return program;
}

/** People look for these first, but only keys have such a command, and Commander would suggest `delete`. */
const CREATING = ['create', 'new', 'add', 'make'];
const HOW_TO_CREATE = `: \`${COMMAND} init\` sets up a team and a product, \`${COMMAND} apply FILE\` creates everything in a content document, and \`${COMMAND} import TEAM/PRODUCT FILE --create\` loads an existing changelog`;

function explainUnknownCommands(program: Parser): void {
  if (program.commands.length === 0) return;
  const names = program.commands.map((command) => command.name());
  program.on('command:*', ([typed = '']: string[]) => {
    const isCreating = CREATING.includes(typed);
    const similar = isCreating ? 'create' : typed === 'start' ? 'serve' : nearest(typed, names);
    const meant = names.find((name) => name === similar);
    const advice = meant === undefined ? (isCreating ? HOW_TO_CREATE : '') : `\n(Did you mean ${meant}?)`;
    program.error(`error: unknown command '${typed}'${advice}`);
  });
  for (const group of program.commands) explainUnknownCommands(group);
}
