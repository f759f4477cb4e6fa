// The options of an import for files that the readers cannot interpret, or interpret wrongly, without help.
import type { ChangeType } from '../domain/model.ts';
import { Refusal } from '../errors.ts';

export const DATE_ORDERS = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export type ImportRules = Readonly<{
  /** Matches the headings of versions, with the groups `label` and optionally `date` and `title`. */
  heading: RegExp | null;
  /** The type of the changes in a section, by the plain name of the section. */
  sections: ReadonlyMap<string, ChangeType>;
  /** The order of day and month in `04/05/2026`. */
  dateOrder: DateOrder | null;
}>;

export const NO_RULES: ImportRules = { heading: null, sections: new Map(), dateOrder: null };

const PATTERN_CHARACTERS_MAX = 500;
const GROUPS = ['label', 'date', 'title'];

/**
 * Throws a refusal if the pattern cannot be used. V8 runs it without backtracking, so that a match never takes longer than
 * the length of the text times that of the pattern.
 */
export function compileHeading(pattern: string): RegExp {
  if (pattern.length > PATTERN_CHARACTERS_MAX)
    throw new Refusal(`It must have at most ${PATTERN_CHARACTERS_MAX} characters.`);
  requireGroups(compile(pattern, ''));
  // Loaded only here, since few files need it.
  process.getBuiltinModule('node:v8').setFlagsFromString('--enable-experimental-regexp-engine');
  return compile(pattern, 'l');
}

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('linear time'))
      throw new Refusal(
        'It cannot be matched in linear time: leave out lookaheads, back references and large numbers of repetitions.',
      );
    throw new Refusal(
      `It is not a regular expression: ${message.slice(message.lastIndexOf(':') + 1).trim()}.`,
    );
  }
}

function requireGroups({ source }: RegExp): void {
  // An empty alternative matches everything, and so names all groups.
  const names = Object.keys(new RegExp(`${source}|`).exec('')?.groups ?? {});
  const unknown = names.find((name) => !GROUPS.includes(name));
  if (unknown !== undefined)
    throw new Refusal(`It knows no group "${unknown}"; the groups are ${GROUPS.join(', ')}.`);
  if (!names.includes('label'))
    throw new Refusal('It needs a group for the label of the version, such as (?<label>\\d+\\.\\d+).');
}
