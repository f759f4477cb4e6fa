// What people type, read into values; what cannot be read is a usage error.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { containsApiKey } from '../domain/access/api-key.ts';
import { isName } from '../domain/content/content.ts';
import type { ProductPath } from '../store/read/reads.ts';

export function parseProduct(text: string): ProductPath {
  const [team, product, ...rest] = text.split('/');
  if (!team || !product || rest.length > 0)
    throw new InvalidArgumentError('Write it as TEAM/PRODUCT, such as acme/rocket.');
  return { team, product };
}

export function parseName(text: string): string {
  if (!isName(text)) throw new InvalidArgumentError('It takes a text of 1 to 200 characters.');
  if (containsApiKey(text)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  return text;
}

/** Of what was meant for another place: names are stored, and shown to others. */
export const LOOKS_LIKE_KEY = 'That looks like an API key, which is no name. Take another.';

export function parseFileName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It takes the name of a file.');
  if (containsApiKey(text)) throw new InvalidArgumentError(LOOKS_LIKE_KEY);
  return text;
}

export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}

/** Lines to copy, at the end of `--help`. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  changelog ${line}`).join('\n')}`,
  );
}

/** Refuses a `set` that names nothing to set. */
export function requireSome(command: Command, patch: Record<string, unknown>): void {
  if (Object.keys(patch).length === 0)
    command.error('error: nothing to set: give at least one of the options that --help lists');
}
