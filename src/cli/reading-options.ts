// The options that tell an import how to read its file. They are remembered with the product.
import { type Command, InvalidArgumentError } from 'commander';
import { containsApiKey } from '../domain/access/api-key.ts';
import {
  DATE_ORDERS,
  type DateOrder,
  NO_READING_OPTIONS,
  type ReadingOptions,
} from '../domain/content/import-options.ts';
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import { Refusal } from '../errors.ts';
import { plainName } from '../import/body/names.ts';
import { compileHeading, type ImportRules } from '../import/rules.ts';
import { engineOf } from '../store/engine/open.ts';
import type { ProductPath } from '../store/read/reads.ts';
import { choice, LOOKS_LIKE_KEY } from './arguments.ts';
import { type Cli, configOf } from './cli.ts';
import { shellWord } from './terminal/shell-word.ts';

export type ReadingFlags = {
  heading?: string;
  section?: Record<string, ChangeType>;
  dateOrder?: DateOrder;
  forgetOptions?: boolean;
};

/** The options of one import. */
export type SettledOptions = Readonly<{
  used: ReadingOptions;
  /** Those of them that an earlier import was given, as they are typed. */
  remembered: readonly string[];
  /** Do they differ from those that are remembered? */
  isNew: boolean;
}>;

export function withReadingOptions(command: Command): Command {
  return command
    .option('--heading <regex>', 'what the headings of versions look like', parseHeading)
    .option('--section <name=type>', 'type of the changes in a section; may be repeated', addSection)
    .addOption(choice('--date-order <order>', 'order of day and month in 04/05/2026', DATE_ORDERS))
    .option('--forget-options', 'forget --heading, --section and --date-order of earlier imports');
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

/** Given options replace the remembered ones of the same kind. */
export async function settleOptions(
  cli: Cli,
  product: ProductPath,
  { heading, section, dateOrder, forgetOptions = false }: ReadingFlags = {},
): Promise<SettledOptions> {
  const stored = await findRemembered(cli, product);
  const remembered = forgetOptions ? NO_READING_OPTIONS : stored;
  const used = {
    heading: heading ?? remembered.heading,
    sections: section ?? remembered.sections,
    dateOrder: dateOrder ?? remembered.dateOrder,
  };
  return {
    used,
    remembered: wordsFor({
      heading: heading === undefined ? remembered.heading : null,
      sections: section === undefined ? remembered.sections : {},
      dateOrder: dateOrder === undefined ? remembered.dateOrder : null,
    }),
    isNew: JSON.stringify(used) !== JSON.stringify(stored),
  };
}

/** The file is read before the database is opened for writing, which may not exist yet. */
async function findRemembered(cli: Cli, product: ProductPath): Promise<ReadingOptions> {
  const [url] = configOf(cli).databaseUrls;
  const engine = await engineOf(url);
  if (!engine.exists(url)) return NO_READING_OPTIONS;
  const { findImportOptions, REMEMBERS_OPTIONS } = await import('../store/import/options.ts');
  const { hasStep } = await import('../store/migrate/migrate.ts');
  const db = engine.openReader(url, {});
  try {
    return (await hasStep(db, REMEMBERS_OPTIONS)) ? await findImportOptions(db, product) : NO_READING_OPTIONS;
  } finally {
    await db.destroy();
  }
}

function wordsFor({ heading, sections, dateOrder }: ReadingOptions): string[] {
  return [
    ...(heading === null ? [] : ['--heading', heading]),
    ...Object.entries(sections).flatMap(([name, type]) => ['--section', `${name}=${type}`]),
    ...(dateOrder === null ? [] : ['--date-order', dateOrder]),
  ];
}

/** For messages, such as `--date-order day-first`. */
export function formatRemembered({ remembered }: Pick<SettledOptions, 'remembered'>): string {
  return remembered.map(shellWord).join(' ');
}

export function rulesOf({ heading, sections, dateOrder }: ReadingOptions): ImportRules {
  return {
    heading: heading === null ? null : compileHeading(heading),
    sections: new Map(Object.entries(sections).map(([name, type]) => [plainName(name), type])),
    dateOrder,
  };
}
