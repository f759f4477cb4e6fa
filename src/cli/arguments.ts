// Parsers of arguments and options. An invalid value is a usage error.
import { Argument, InvalidArgumentError, Option } from 'commander';
import { containsApiKey } from '../domain/access/api-key.ts';
import { CHANGELOG_RULES } from '../domain/content/appearance.ts';
import { isName } from '../domain/content/content.ts';
import { idPattern, LABEL_CHARACTERS_MAX, LABEL_PATTERN } from '../domain/model.ts';
import { normaliseTimestamp } from '../domain/timestamp.ts';
import { LATEST } from '../domain/version-names.ts';
import type { ProductPath } from '../store/read/reads.ts';

export function parseProduct(text: string): ProductPath {
  const [team, product, ...rest] = text.split('/');
  if (!team || !product || rest.length > 0)
    throw new InvalidArgumentError('Write it as TEAM/PRODUCT, such as acme/rocket.');
  return { team, product };
}

export function parseName(text: string): string {
  if (!isName(text)) throw new InvalidArgumentError('It must have 1 to 200 characters.');
  if (containsApiKey(text)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  return text;
}

export function parseLabel(text: string): string {
  if (!new RegExp(LABEL_PATTERN).test(text) || text.length > LABEL_CHARACTERS_MAX)
    throw new InvalidArgumentError(
      `It must have 1 to ${LABEL_CHARACTERS_MAX} characters, without spaces at either end.`,
    );
  if (text === LATEST || new RegExp(idPattern('version')).test(text))
    throw new InvalidArgumentError('This name means another version in every URL. Choose another.');
  return parseName(text);
}

/** Names are stored and shown to others, so a key pasted by mistake must not become one. */
export const LOOKS_LIKE_KEY = 'It looks like an API key. Choose another.';

export function parseFileName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must be the name of a file.');
  if (containsApiKey(text)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  return text;
}

/** A parser for what `read` accepts: it returns neither null nor undefined. */
export function ruled<T>(read: (text: string) => T | null | undefined, wanted: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value == null) throw new InvalidArgumentError(`It must be ${wanted}.`);
    return value;
  };
}

const { language } = CHANGELOG_RULES;
export const parseLanguage = ruled(language.read, language.wanted);

export const parseTime = ruled(normaliseTimestamp, 'ISO 8601, such as 2026-05-04 or 2026-05-04T09:00:00Z');

type Parse<T> = (text: string, previous: T) => T;
/** That of a setting, or one like it. */
type Rule<T> = Readonly<{ parse: (text: string) => T | undefined; accepts: string }>;

export function argument<T>(name: string, description: string, parse?: Parse<T>): Argument {
  const made = new Argument(name, description);
  return parse === undefined ? made : made.argParser(parse);
}

export function option<T>(flags: string, description: string, parse?: Parse<T> | Rule<T>): Option {
  const made = new Option(flags, description);
  if (parse === undefined) return made;
  return made.argParser(typeof parse === 'function' ? parse : ruled(parse.parse, parse.accepts));
}

export const TEAM = argument('<team>', 'slug of the team');
export const PRODUCT = argument('<team/product>', 'such as acme/rocket', parseProduct);
export const NAME = option('--name <text>', 'its name', parseName);
export const DRY_RUN = option('--dry-run', 'show what would be done without doing it');

/** For an option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values).argParser(parserOf(values));
}

/** Accepts a value in upper or lower case, and returns it as listed. */
export function parserOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    const found = values.find((value) => value.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`);
    return found;
  };
}
