// The error for a file without versions: what the file seems to be, and what to do.
import type { Input } from '../content/input/input.ts';
import { explainImportError, headOf } from '../content/read/recognise.ts';
import { Refusal } from '../errors.ts';
import { FORMAT_NAMES, type Markup } from './changelog.ts';
import { recogniseText } from './text-kinds.ts';

const NO_VERSIONS = /:\d+: no version headings /;
const NO_RELEASES = /:\d+: tag_name: is missing/;
const RELEASE_FIELD = /"(?:tag_name|published_at|released_at)"\s*:/;

export function explainUnread(error: unknown, input: Input): unknown {
  const head = headOf(input);
  const explained = explainImportError(error, input.name, head);
  if (explained !== error || !(error instanceof Refusal)) return explained;
  const isOther = NO_RELEASES.test(error.message) && !RELEASE_FIELD.test(head);
  const kind = isOther || NO_VERSIONS.test(error.message) ? recogniseText(input.name, head) : null;
  return kind === null
    ? error
    : new Refusal(`${input.name}:1: this looks like ${kind.name}; ${kind.advice}.`);
}

/** Adds how the file was read, because it may be something else. */
export function withMarkup(error: unknown, markup: Markup | 'markdown'): unknown {
  if (markup === 'markdown' || !(error instanceof Refusal) || !NO_VERSIONS.test(error.message)) return error;
  return new Refusal(`${error.message} It was read as ${FORMAT_NAMES[markup]}; --format says otherwise.`);
}
