// A command is a value. `addCommand` gives it to Commander, with what all commands share.
import type { Argument, Option, Command as Parser } from 'commander';
import { COMMAND } from '../command-name.ts';
import type { Cli } from './cli.ts';
import { formatJson } from './terminal/plain.ts';

type Leaf<Flags, Args extends readonly unknown[], Result> = Readonly<{
  name: string;
  about: string;
  arguments?: readonly Argument[];
  options?: readonly Option[];
  /** The help of `--yes`, for a command that asks. */
  yes?: string;
  examples?: readonly string[];
  /** What only Commander can do. */
  customise?: (parser: Parser) => void;
  /** Without `json` among the flags if there is a `text`. */
  run: (cli: Cli, flags: Flags, ...args: Args) => Promise<Result>;
  /** The result for people. A command that has this takes `--json`, which prints the result itself. */
  text?: (result: Result, cli: Cli, flags: Flags, ...args: Args) => string;
  /** The JSON in parts, if it is long or not the result itself. */
  json?: (result: Result) => Iterable<string>;
  /** Runs after the result is printed. It may give advice, or throw. */
  after?: (
    result: Result,
    cli: Cli,
    flags: Flags & { json?: boolean },
    ...args: Args
  ) => void | Promise<void>;
}>;

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

/** Exits with 2. Throw it for what Commander cannot check. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const JSON_FLAG = '--json';

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
  if (leaf.text !== undefined) parser.option(JSON_FLAG, 'print the result as JSON');
  leaf.customise?.(parser);
  parser.action(async () => {
    try {
      await runLeaf(leaf, cli, parser.opts(), parser.processedArgs);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      parser.error(`error: ${error.message}`);
    }
  });
}

async function runLeaf(
  leaf: Exclude<Command, Group>,
  cli: Cli,
  flags: { json?: boolean },
  args: readonly unknown[],
): Promise<void> {
  const { run, text, json = (result: unknown) => [formatJson(result, 2)], after } = leaf;
  const { json: asJson = false, ...others } = flags;
  const own = text === undefined ? flags : others;
  const result = await run(cli, own, ...args);
  if (text !== undefined) {
    const parts = asJson ? json(result) : [text(result, cli, own, ...args)];
    for (const part of parts) if (part !== '') await cli.print(part);
  }
  await after?.(result, cli, flags, ...args);
}

export function addExamples(parser: Parser, lines: readonly string[]): void {
  parser.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${COMMAND} ${line}`).join('\n')}`);
}

/** Names the values of a mandatory option, which Commander's error does not. */
export function withChoices(error: string, { commands, options }: Parser): string {
  const missing = options.find(
    ({ flags, mandatory, argChoices }) =>
      mandatory && argChoices && error.includes(`option '${flags}' not specified`),
  );
  if (missing === undefined) return commands.reduce(withChoices, error);
  return error.replace('not specified', `not specified: ${missing.argChoices?.join(' or ')}`);
}
