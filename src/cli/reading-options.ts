// The options that say how an import reads its file.
import { InvalidArgumentError } from 'commander';
import { containsApiKey } from '../domain/access/api-key.ts';
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import { Refusal } from '../errors.ts';
import { plainName } from '../import/body/names.ts';
import { READABLE_FORMATS, type ReadableFormat } from '../import/changelog.ts';
import { compileHeading, DATE_ORDERS, type DateOrder, type ImportRules } from '../import/rules.ts';
import { argument, choice, LOOKS_LIKE_KEY, option, parseFileName } from './arguments.ts';

type RuleFlags = { heading?: string; section?: Record<string, ChangeType>; dateOrder?: DateOrder };

export type ReadingFlags = RuleFlags & {
  format: ReadableFormat | 'auto';
  mergeDuplicates?: boolean;
};

/** Those of commands that need only a file: there, `--format` is that of the output. */
export type FileFlags = Omit<ReadingFlags, 'format'> & { readAs: ReadingFlags['format'] };

const formatOption = (flag: string) =>
  choice(`${flag} <format>`, 'format of the file', ['auto', ...READABLE_FORMATS]).default('auto');

export const FORMAT = formatOption('--format');
export const READING_OPTIONS = [
  option('--merge-duplicates', 'merge versions with the same label instead of rejecting them'),
  option('--heading <regex>', 'what the headings of versions look like', parseHeading),
  option('--section <name=type>', 'type of the changes in a section; may be repeated', addSection),
  choice('--date-order <order>', 'order of day and month in 04/05/2026', DATE_ORDERS),
];
export const FILE_OPTIONS = [formatOption('--read-as'), ...READING_OPTIONS];

export const FILE_HELP = 'a changelog in any format that `import` reads; - for standard input, or a URL';
export const FILE = argument('<file>', FILE_HELP, parseFileName);

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

function addSection(text: string, before: Record<string, ChangeType> = {}): Record<string, ChangeType> {
  if (containsApiKey(text)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  const [, name = '', wanted] = /^(.*)=(.*)$/.exec(text) ?? [];
  const type = CHANGE_TYPES.find((each) => each === wanted?.trim().toLowerCase());
  if (type === undefined || plainName(name) === '')
    throw new InvalidArgumentError(
      `Write it as NAME=TYPE, such as Neuerungen=added; the types are ${CHANGE_TYPES.join(', ')}.`,
    );
  return { ...before, [name.trim()]: type };
}

export function rulesOf({ heading, section = {}, dateOrder }: RuleFlags): ImportRules {
  return {
    heading: heading === undefined ? null : compileHeading(heading),
    sections: new Map(Object.entries(section).map(([name, type]) => [plainName(name), type])),
    dateOrder: dateOrder ?? null,
  };
}
