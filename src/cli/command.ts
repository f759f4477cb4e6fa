// A command is a value. `addCommand` gives it to Commander, with what all commands share.
import type { Argument, Option, Command as Parser } from 'commander';
import { COMMAND } from '../command-name.ts';
import type { Cli } from './cli.ts';
import { formatJson } from './terminal/text.ts';

type Leaf<Flags, Args extends readonly unknown[], Result> = {
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** The help of `--yes`, for a command that asks. */
  readonly yes?: string;
  readonly examples?: readonly string[];
  /** What only Commander can do. */
  readonly customise?: (parser: Parser, cli: Cli) => void;
  /** Without `json` among the flags if there is a `text`. */
  readonly run: (cli: Cli, flags: Flags, ...args: Args) => Promise<Result>;
  /** The result for people. A command that has this takes `--json`, which prints the result itself. */
  readonly text?: (result: NoInfer<Result>, cli: Cli, flags: NoInfer<Flags>, args: NoInfer<Args>) => string;
  /** What `--json` prints instead of the result. */
  readonly json?: (result: NoInfer<Result>) => unknown;
  /** Runs after the result is printed. It may give advice, or throw. */
  readonly after?: (
    result: NoInfer<Result>,
    cli: Cli,
    flags: NoInfer<Flags> & { json?: boolean },
    args: NoInfer<Args>,
  ) => void | Promise<void>;
};

type Group = Readonly<{
  name: string;
  about: string;
  examples?: readonly string[];
  commands: readonly Command[];
}>;

export type Command = Group | Leaf<object, readonly unknown[], unknown>;

/** Checks that the parts of a command fit each other. Commander fills in the flags and the arguments. */
export function command<Flags extends object, Args extends readonly unknown[], Result>(
  leaf: Leaf<Flags, Args, Result>,
): Command {
  return leaf as unknown as Command;
}

/** For what Commander cannot check. The command ends like one that Commander refuses. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function addCommand(parent: Parser, command: Command, cli: Cli): void {
  const parser = parent.command(command.name).description(command.about);
  if (command.examples) addExamples(parser, command.examples);
  if ('commands' in command) for (const each of command.commands) addCommand(parser, each, cli);
  else addLeaf(parser, command, cli);
}

function addLeaf(parser: Parser, leaf: Exclude<Command, Group>, cli: Cli): void {
  for (const argument of leaf.arguments ?? []) parser.addArgument(argument);
  for (const option of leaf.options ?? []) parser.addOption(option);
  if (leaf.yes !== undefined) parser.option('--yes', leaf.yes);
  if (leaf.text !== undefined) parser.option('--json', 'print the result as JSON');
  leaf.customise?.(parser, cli);
  parser.action(async () => {
    const { run, text, json = (result: unknown) => result, after } = leaf;
    const flags: { json?: boolean } = parser.opts();
    const { json: asJson, ...others } = flags;
    const own = text === undefined ? flags : others;
    const args = parser.processedArgs;
    const result = await run(cli, own, ...args);
    const shown = text && (asJson ? formatJson(json(result), 2) : text(result, cli, own, args));
    if (shown) await cli.print(shown);
    await after?.(result, cli, flags, args);
  });
}

function addExamples(parser: Parser, lines: readonly string[]): void {
  parser.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${COMMAND} ${line}`).join('\n')}`);
}
