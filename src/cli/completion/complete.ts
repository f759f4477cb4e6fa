// `changelog complete`, which shells call for what may be typed next (completion.ts). It is hidden, never fails, and
// never takes long: whoever presses Tab wants an answer or nothing.
import type { Command, Option } from 'commander';
import {
  listLabels,
  listProductPaths,
  listProductSlugs,
  listTeamSlugs,
} from '../../store/catalogue/catalogue.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { openReader } from '../../store/engine/open.ts';
import { parseProduct } from '../arguments.ts';
import { type Cli, configOf } from '../cli.ts';
import { escapeControls } from '../terminal/plain.ts';
import { parseBashLine } from './bash-line.ts';

const CANDIDATES_MAX = 100;
const PATIENCE_MS = 1_000;

type Commands = Readonly<{ names: readonly string[]; load: (name: string) => Promise<Command> }>;

/** `-- WORDS`: those after the name of the program, of which the last is not finished. `--bash BREAKS LINE`: as it is typed. */
export async function complete(cli: Cli, args: readonly string[], commands: Commands): Promise<void> {
  try {
    const { words, write } = parseTyped(args);
    const beginning = words.at(-1) ?? '';
    const found = await listCandidates(cli, words.slice(0, -1), beginning, commands);
    const usable = found
      .filter((candidate) => candidate.startsWith(beginning) && candidate === escapeControls(candidate))
      .slice(0, CANDIDATES_MAX)
      .flatMap(write);
    if (usable.length > 0) await cli.print(usable.join('\n'));
  } catch {
    // Nothing to offer; the command itself will say what is wrong.
  }
}

function parseTyped([form, ...rest]: readonly string[]) {
  if (form !== '--bash') return { words: rest, write: (candidate: string) => [candidate] };
  const [breaks = '', line = ''] = rest;
  return parseBashLine(line, breaks);
}

async function listCandidates(
  cli: Cli,
  before: readonly string[],
  beginning: string,
  { names, load }: Commands,
): Promise<readonly string[]> {
  const [name] = before;
  if (name === undefined) return [...names, '--help', '--version'];
  if (!names.includes(name)) return [];
  const place = findContext(await load(name), before);
  if (place === null) return [];
  const { command, args, option } = place;
  if (option !== undefined) return await listValues(cli, option, args, beginning);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(beginning) ?? [];
  if (flag !== undefined && value !== undefined) {
    const assigned = command.options.find(({ long }) => long === flag);
    const values = assigned === undefined ? [] : await listValues(cli, assigned, args, value);
    return values.map((each) => `${flag}=${each}`);
  }
  if (beginning.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  if (command.commands.length > 0) return command.commands.map((child) => child.name());
  return await listArguments(cli, command, args, beginning);
}

type CompletionContext = Readonly<{ command: Command; args: readonly string[]; option: Option | undefined }>;

/** Where the finished words lead: to a command, so many arguments of it, and perhaps an option that waits for its value. */
function findContext(program: Command, words: readonly string[]): CompletionContext | null {
  let command = program;
  let option: Option | undefined;
  const given: string[] = [];
  for (const word of words) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-') && word !== '-') {
      const known = command.options.find(({ long, short }) => long === word || short === word);
      option = known?.required ? known : undefined;
    } else if (command.commands.length > 0) {
      const child = command.commands.find((candidate) => candidate.name() === word);
      if (child === undefined) return null;
      command = child;
    } else given.push(word);
  }
  return { command, args: given, option };
}

async function listValues(
  cli: Cli,
  { long, argChoices }: Option,
  [team = '']: readonly string[],
  beginning: string,
): Promise<readonly string[]> {
  if (argChoices) return argChoices;
  if (long !== '--product') return [];
  return await ask(cli, (db) => listProductSlugs(db, team, { beginning, max: CANDIDATES_MAX }));
}

async function listArguments(
  cli: Cli,
  { registeredArguments }: Command,
  given: readonly string[],
  beginning: string,
): Promise<readonly string[]> {
  const argument = registeredArguments[given.length];
  const range = { beginning, max: CANDIDATES_MAX };
  if (argument?.argChoices) return argument.argChoices;
  if (argument?.name() === 'team') return await ask(cli, (db) => listTeamSlugs(db, range));
  if (argument?.name() === 'team/product') return await ask(cli, (db) => listProductPaths(db, range));
  if (argument?.name() !== 'version') return [];
  return await ask(cli, (db) => listLabels(db, parseProduct(given[0] ?? ''), range));
}

async function ask<T>(cli: Cli, read: (db: Reader) => Promise<T>): Promise<T> {
  const db = await openReader(configOf(cli).databaseUrls[0], { patienceMs: PATIENCE_MS });
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
}
