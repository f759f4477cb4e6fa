// Titles that are underlined, and perhaps overlined, with punctuation of any kind.
import { isBlank } from './inline.ts';

export type TitledLine = Readonly<{
  text: string;
  next: string;
  /** For a title, the character of its adornment, twice if it has an overline. */
  style: string | null;
}>;

const ADORNMENT = /^([!-/:-@[-`{-~])\1+[ \t]*$/;
const ADORNMENT_CHARACTERS_MIN = 3;
const TITLE_CHARACTERS_MAX = 300;
/** A line that is so much longer than the text above it separates paragraphs. */
export const RULE_CHARACTERS_MORE = 20;
/** Titles of Textile and of Perl's documentation: `h2. 1.2.0`, `=head2 1.2.0` */
const TAGGED = /^(?:h|=head)([1-6])\.? +(\S.*?)\s*$/;
/** Begins or ends code in Markdown. */
const FENCE = '```';

/** One for each line. The adornments of titles, and those between paragraphs, become empty lines. */
export function* findTitles(lines: readonly string[]): Generator<TitledLine> {
  let before = '';
  let part: 'none' | 'overline' | 'title' = 'none';
  for (const [index, line] of lines.entries()) {
    const [next = '', afterNext = ''] = [lines[index + 1], lines[index + 2]];
    const last = before;
    before = line;
    const adornment = adornmentOf(line);
    const mayBeOverline =
      !isBlank(next) && adornmentOf(next) === null && adornmentOf(afterNext) === adornment;
    if (part === 'title') {
      // The same long line may be below one title and above the next.
      const isLong = line === afterNext && line.length > next.length + RULE_CHARACTERS_MORE;
      [part, before] = [mayBeOverline && isLong ? 'overline' : 'none', ''];
      yield { text: '', next, style: null };
      continue;
    }
    if (part === 'none' && adornment !== null) {
      if (mayBeOverline) part = 'overline';
      const isHidden = mayBeOverline || isRule(line, last);
      if (isHidden) before = '';
      yield { text: isHidden ? '' : line, next, style: null };
      continue;
    }
    const [, level, title] = TAGGED.exec(line) ?? [];
    if (title !== undefined) {
      yield { text: title, next, style: `h${level}` };
      continue;
    }
    const style: string | null =
      part === 'overline' || isBlank(last) ? styleOf(line, next, part === 'overline') : null;
    part = style === null ? 'none' : 'title';
    yield { text: style === null ? line : line.trim(), next, style };
  }
}

/** The character that a line repeats. */
function adornmentOf(line: string): string | null {
  if (line.length < ADORNMENT_CHARACTERS_MIN || line.length > TITLE_CHARACTERS_MAX || line === FENCE)
    return null;
  return ADORNMENT.exec(line)?.[1] ?? null;
}

function styleOf(title: string, below: string, isOverlined: boolean): string | null {
  const adornment = adornmentOf(below);
  if (adornment === null || isBlank(title) || title.length > TITLE_CHARACTERS_MAX) return null;
  if (isOverlined) return adornment.repeat(2);
  const isWideEnough = below.trimEnd().length >= Math.min(title.trimEnd().length, 4);
  return isWideEnough && !/^[\s>|]|^\.\.\s|^[-*+] /.test(title) ? adornment : null;
}

/** In Markdown, a line of dashes below a text would make it a heading. */
function isRule(line: string, before: string): boolean {
  return isBlank(before) || /^[-=]/.test(line);
}
