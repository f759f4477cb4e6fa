// The options that say how an import reads its file, and the command that reads it the same way again.
import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND } from '../command-name.ts';
import { containsApiKey } from '../domain/access/api-key.ts';
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import { Refusal } from '../errors.ts';
import { plainName } from '../import/body/names.ts';
import { READABLE_FORMATS, type ReadableFormat } from '../import/changelog.ts';
import { compileHeading, DATE_ORDERS, type DateOrder, type ImportRules } from '../import/rules.ts';
import { choice, LOOKS_LIKE_KEY } from './arguments.ts';
import { shellWord } from './terminal/shell-word.ts';

type RuleFlags = { heading?: string; section?: Record<string, ChangeType>; dateOrder?: DateOrder };

export type ReadingFlags = RuleFlags & {
  format: ReadableFormat | 'auto';
  mergeDuplicates?: boolean;
  datesFromGit?: string;
};

/** Those of commands that need only a file: there, `--format` is that of the output. */
export type FileFlags = Omit<ReadingFlags, 'format'> & { readAs: ReadingFlags['format'] };

export const FILE_HELP = 'a changelog in any format that `import` reads; - for standard input, or a URL';

export function withFileOptions(command: Command): Command {
  return withReadingOptions(
    command
      .addOption(
        choice('--read-as <format>', 'format of the file', ['auto', ...READABLE_FORMATS]).default('auto'),
      )
      .option('--merge-duplicates', 'merge versions with the same label instead of rejecting them'),
  );
}

export function withReadingOptions(command: Command): Command {
  return command
    .option('--heading <regex>', 'what the headings of versions look like', parseHeading)
    .option('--section <name=type>', 'type of the changes in a section; may be repeated', addSection)
    .addOption(choice('--date-order <order>', 'order of day and month in 04/05/2026', DATE_ORDERS));
}

function parseHeading(pattern: string): string {
  if (containsApiKey(pattern)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  try {
    compileHeading(pattern);
  } catch (error) {
    if (error instanceof Refusal) throw new InvalidArgumentError(error.message);
    throw error;
  }
  return pattern;
}

const SECTIONS_MAX = 100;
const NAME_CHARACTERS_MAX = 200;

function addSection(text: string, before: Record<string, ChangeType> = {}): Record<string, ChangeType> {
  const at = text.lastIndexOf('=');
  const name = text.slice(0, Math.max(at, 0)).trim();
  const type = CHANGE_TYPES.find(
    (each) =>
      each ===
      text
        .slice(at + 1)
        .trim()
        .toLowerCase(),
  );
  if (containsApiKey(text)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  if (type === undefined || plainName(name) === '' || name.length > NAME_CHARACTERS_MAX)
    throw new InvalidArgumentError(
      `Write it as NAME=TYPE, such as Neuerungen=added; the types are ${CHANGE_TYPES.join(', ')}.`,
    );
  const same = Object.keys(before).find((other) => plainName(other) === plainName(name));
  if (same !== undefined && before[same] !== type)
    throw new InvalidArgumentError(`"${name}" has a type already: ${before[same]}.`);
  if (Object.keys(before).length >= SECTIONS_MAX)
    throw new InvalidArgumentError(`There may be at most ${SECTIONS_MAX} of them.`);
  return same === undefined ? { ...before, [name]: type } : before;
}

export function rulesOf({ heading, section = {}, dateOrder }: RuleFlags): ImportRules {
  return {
    heading: heading === undefined ? null : compileHeading(heading),
    sections: new Map(Object.entries(section).map(([name, type]) => [plainName(name), type])),
    dateOrder: dateOrder ?? null,
  };
}

/** The whole command to run after each release, quoted for a shell. What was meant for one import is left out. */
export function rerunCommand(
  command: readonly string[],
  flags: ReadingFlags & { prune?: boolean; yes?: boolean },
): string {
  const { format, mergeDuplicates, datesFromGit, heading, section = {}, dateOrder, prune, yes } = flags;
  const words = [
    ...command,
    ...(format === 'auto' ? [] : ['--format', format]),
    ...(mergeDuplicates ? ['--merge-duplicates'] : []),
    ...(datesFromGit === undefined ? [] : ['--dates-from-git', datesFromGit]),
    ...(heading === undefined ? [] : ['--heading', heading]),
    ...Object.entries(section).flatMap(([name, type]) => ['--section', `${name}=${type}`]),
    ...(dateOrder === undefined ? [] : ['--date-order', dateOrder]),
    ...(prune ? ['--prune'] : []),
    ...(prune && yes ? ['--yes'] : []),
  ];
  return [COMMAND, ...words.map(shellWord)].join(' ');
}
