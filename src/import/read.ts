// Reads a changelog of any size in another format into versions of a content document.
import type { Input } from '../content/input/input.ts';
import { SpoolQuota } from '../content/input/spool.ts';
import { type ImportedChangelog, isMarkup, type ReadableFormat } from './changelog.ts';
import { explainUnread, withMarkup } from './explain.ts';
import { readReleases } from './github/releases.ts';
import { readMarkdown } from './markdown/markdown.ts';
import { recogniseMarkup } from './markup/markup.ts';
import { type ImportRules, NO_RULES } from './rules.ts';

export type ReadOptions = Readonly<{
  format: ReadableFormat | 'auto';
  /** Merge versions that have the same label, instead of rejecting them. */
  merging?: boolean;
  rules?: ImportRules;
  quota?: SpoolQuota;
  /** Called with the number of bytes read so far, out of twice the size of the input. */
  onRead?: (bytes: number) => void;
}>;

export function readChangelog(
  input: Input,
  {
    format,
    merging = false,
    rules = NO_RULES,
    quota = new SpoolQuota(Number.POSITIVE_INFINITY),
    onRead = () => {},
  }: ReadOptions,
): ImportedChangelog {
  try {
    if (format === 'github-releases' || (format === 'auto' && isJson(input)))
      return readReleases(input, { merging, rules, quota, onRead: (bytes) => onRead(bytes * 2) });
    return readText(input, { format, merging, rules, quota, onRead });
  } catch (error) {
    throw explainUnread(error, input);
  }
}

const PASSES = 3;
const PASSES_REPORTED = 2;

/** Text in any markup, which a first pass recognises. */
function readText(
  input: Input,
  { format, merging, rules, quota, onRead }: Required<ReadOptions>,
): ImportedChangelog {
  const onPass = (done: number) => (bytes: number) =>
    onRead(((done * input.byteLength + bytes) * PASSES_REPORTED) / PASSES);
  const wanted = isMarkup(format) ? format : null;
  const { markup, convert } = recogniseMarkup(input, { wanted, rule: rules.heading, onRead: onPass(0) });
  const dialect = isMarkup(format) || format === 'github-releases' ? 'auto' : format;
  try {
    const options = { format: dialect, merging, rules, quota, convert, onRead: onPass(1) } as const;
    return { ...readMarkdown(input, options), markup };
  } catch (error) {
    throw withMarkup(error, markup);
  }
}

/** The start of a list of objects. Markdown may also start with a bracket, that of a link. */
const JSON_BEGIN = /^\uFEFF?\s*(?:\[\s*)*(?:\{\s*(?:["}]|$)|\[\s*(?:\]|$))/;
const HEAD_BYTES = 4 * 1024;

function isJson(input: Input): boolean {
  return JSON_BEGIN.test(input.read(0, HEAD_BYTES).toString('utf8'));
}
