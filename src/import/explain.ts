// The error for a file without versions: what the file seems to be, and what to do.
import { recognise } from '../content/file-kinds.ts';
import type { Input } from '../content/input.ts';
import { Refusal } from '../errors.ts';
import { FORMAT_NAMES, type Markup } from './changelog.ts';

const HEAD_BYTES = 64 * 1024;
const NO_VERSIONS = /^no version headings /;
const NO_RELEASES = /^tag_name: is missing/;
const RELEASE_FIELD = /"(?:tag_name|published_at|released_at)"\s*:/;

/** The same error, unless the file is not a changelog at all. */
export function explainUnread(error: unknown, { name, bytes }: Input): unknown {
  if (!(error instanceof Refusal)) return error;
  const head = bytes.toString('utf8', 0, HEAD_BYTES);
  const isOther = NO_RELEASES.test(error.said) && !RELEASE_FIELD.test(head);
  const hasNone = isOther || NO_VERSIONS.test(error.said);
  const unread = hasNone ? recognise('no versions', name, head) : null;
  return recognise('import failed', name, head) ?? unread ?? error;
}

/** Adds how the file was read, because it may be something else. */
export function withMarkup(error: unknown, markup: Markup | 'markdown'): unknown {
  if (markup === 'markdown' || !(error instanceof Refusal) || !NO_VERSIONS.test(error.said)) return error;
  const read = `It was read as ${FORMAT_NAMES[markup]}; --format of \`import\`, or --read-as, says otherwise.`;
  return new Refusal(`${error.said} ${read}`, { at: error.at });
}
