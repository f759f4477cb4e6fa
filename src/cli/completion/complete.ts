// `changelog complete`, called by the scripts of completion.ts when the user presses Tab. It never fails, and gives up
// after a second.
import type { Command, Option } from 'commander';
import {
  listKeyIds,
  listLabels,
  listProductPaths,
  listProductSlugs,
  listProductSlugsOfKey,
  listTeamSlugs,
} from '../../store/catalogue/catalogue.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { openReader } from '../../store/engine/open.ts';
import { parseProduct } from '../arguments.ts';
import { type Cli, configOf } from '../cli.ts';
import { escapeControls } from '../terminal/plain.ts';
import { parseBashLine } from './bash-line.ts';

const CANDIDATES_MAX = 100;
const TIMEOUT_MS = 1_000;
const HELP = 'help';

type Commands = Readonly<{ names: readonly string[]; load: (name: string) => Promise<Command> }>;

/** `-- WORDS`: the words after the program, the last one unfinished. `--bash BREAKS LINE`: the line as typed. */
export async function complete(cli: Cli, args: readonly string[], commands: Commands): Promise<void> {
  try {
    const { words, quote } = parseTyped(args);
    const prefix = words.at(-1) ?? '';
    const found = await listCandidates(cli, words.slice(0, -1), prefix, commands);
    const candidates = found
      .filter((candidate) => startsWith(candidate, prefix) && candidate === escapeControls(candidate))
      .slice(0, CANDIDATES_MAX)
      .flatMap(quote);
    if (candidates.length > 0) await cli.print(candidates.join('\n'));
  } catch {
    // No candidates; the command itself will report the error.
  }
}

/** In any case, as values are accepted. */
function startsWith(candidate: string, prefix: string): boolean {
  return candidate.toLowerCase().startsWith(prefix.toLowerCase());
}

function parseTyped([form, ...rest]: readonly string[]) {
  if (form !== '--bash') return { words: rest, quote: (candidate: string) => [candidate] };
  const [breaks = '', line = ''] = rest;
  return parseBashLine(line, breaks);
}

async function listCandidates(
  cli: Cli,
  before: readonly string[],
  prefix: string,
  { names, load }: Commands,
): Promise<readonly string[]> {
  const [name] = before;
  if (name === undefined) return [...names, HELP, '--help', '--version'];
  if (name !== HELP && !names.includes(name)) return [];
  const context = findContext(await load(name), before);
  if (context === null) return [];
  const { command, args, option, isHelp } = context;
  if (option !== undefined) return await listValues(cli, option, args, prefix);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(prefix) ?? [];
  if (flag !== undefined && value !== undefined) {
    const assigned = command.options.find(({ long }) => long === flag);
    const values = assigned === undefined ? [] : await listValues(cli, assigned, args, value);
    return values.map((each) => `${flag}=${each}`);
  }
  if (prefix.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  if (command.commands.length > 0) return command.commands.map((child) => child.name());
  if (isHelp) return [];
  return await listArguments(cli, command, args, prefix);
}

type CompletionContext = Readonly<{
  command: Command;
  args: readonly string[];
  option: Option | undefined;
  /** The line asks for help, as in `help key` or `key help`. */
  isHelp: boolean;
}>;

/** The command that the finished words name, its arguments so far, and the option whose value comes next. */
function findContext(program: Command, words: readonly string[]): CompletionContext | null {
  let command = program;
  let option: Option | undefined;
  let isHelp = false;
  const args: string[] = [];
  for (const word of words) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-') && word !== '-') {
      const known = command.options.find(({ long, short }) => long === word || short === word);
      option = known?.required ? known : undefined;
    } else if (command.commands.length > 0) {
      const child = command.commands.find((candidate) => candidate.name() === word);
      if (child === undefined && (word !== HELP || isHelp)) return null;
      if (child === undefined) isHelp = true;
      else command = child;
    } else args.push(word);
  }
  return { command, args, option, isHelp };
}

async function listValues(
  cli: Cli,
  { long, argChoices }: Option,
  [team = '']: readonly string[],
  prefix: string,
): Promise<readonly string[]> {
  if (argChoices) return argChoices;
  if (long !== '--product') return [];
  return await ask(cli, (db) => listProductSlugs(db, team, { prefix, max: CANDIDATES_MAX }));
}

async function listArguments(
  cli: Cli,
  { registeredArguments }: Command,
  args: readonly string[],
  prefix: string,
): Promise<readonly string[]> {
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[args.length] ?? (last?.variadic ? last : undefined);
  const query = { prefix, max: CANDIDATES_MAX };
  if (argument?.argChoices) return argument.argChoices;
  if (argument?.name() === 'team') return await ask(cli, (db) => listTeamSlugs(db, query));
  if (argument?.name() === 'team/product') return await ask(cli, (db) => listProductPaths(db, query));
  if (argument?.name() === 'id') return await ask(cli, (db) => listKeyIds(db, query));
  if (argument?.name() === 'slug')
    return await ask(cli, (db) => listProductSlugsOfKey(db, args[0] ?? '', query));
  if (argument?.name() !== 'version') return [];
  return await ask(cli, (db) => listLabels(db, parseProduct(args[0] ?? ''), query));
}

async function ask<T>(cli: Cli, read: (db: Reader) => Promise<T>): Promise<T> {
  const db = await openReader(configOf(cli).databaseUrls[0], { patienceMs: TIMEOUT_MS });
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
}
