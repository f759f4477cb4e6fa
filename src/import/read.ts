// Reads a changelog in another format into versions of a content document.
import type { Input } from '../content/input.ts';
import { type ImportedChangelog, isMarkup, type ReadableFormat } from './changelog.ts';
import { explainUnread, withMarkup } from './explain.ts';
import { readReleases } from './github/releases.ts';
import { readLines } from './lines.ts';
import { readMarkdown } from './markdown/markdown.ts';
import { recogniseMarkup } from './markup/markup.ts';
import { type ImportRules, NO_RULES } from './rules.ts';

export type ReadOptions = Readonly<{
  format: ReadableFormat | 'auto';
  /** Merge versions that have the same label, instead of rejecting them. */
  merging?: boolean;
  rules?: ImportRules;
  /** Called with the share of the work that is done. */
  onRead?: (share: number) => void;
}>;

export function readChangelog(
  input: Input,
  { format, merging = false, rules = NO_RULES, onRead = () => {} }: ReadOptions,
): ImportedChangelog {
  try {
    if (format === 'github-releases' || (format === 'auto' && isJson(input)))
      return readReleases(input, { merging, rules, onRead });
    return readText(input, { format, merging, rules, onRead });
  } catch (error) {
    throw explainUnread(error, input);
  }
}

const PASSES = 3;
const LINES_PER_REPORT = 1_000;

/** Text in any markup, which a first pass recognises. */
function readText(
  input: Input,
  { format, merging, rules, onRead }: Required<ReadOptions>,
): ImportedChangelog {
  const lines = readLines(input);
  let passes = 0;
  function* pass(): Generator<string> {
    const done = passes++;
    for (const [index, line] of lines.entries()) {
      if (index % LINES_PER_REPORT === 0) onRead((done + index / lines.length) / PASSES);
      yield line;
    }
  }
  const { name } = input;
  const wanted = isMarkup(format) ? format : null;
  const { markup, convert } = recogniseMarkup(pass(), { name, wanted, rule: rules.heading });
  const dialect = isMarkup(format) || format === 'github-releases' ? 'auto' : format;
  try {
    const options = { name, format: dialect, merging, rules } as const;
    return { ...readMarkdown(() => convert(pass()), options), markup };
  } catch (error) {
    throw withMarkup(error, markup);
  }
}

/** The start of a list of objects. Markdown may also start with a bracket, that of a link. */
const JSON_BEGIN = /^\uFEFF?\s*(?:\[\s*)*(?:\{\s*(?:["}]|$)|\[\s*(?:\]|$))/;
const HEAD_BYTES = 4 * 1024;

function isJson({ bytes }: Input): boolean {
  return JSON_BEGIN.test(bytes.toString('utf8', 0, HEAD_BYTES));
}
