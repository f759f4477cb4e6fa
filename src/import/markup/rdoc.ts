// Converts RDoc to Markdown: titles, lists, code and links. Everything else stays as text.
import { code, escapeTags, INLINE_CHARACTERS_MAX, indentOf, isBlank, link, outsideCode } from './inline.ts';
import { heading, type Levels, VERSION_LEVEL } from './levels.ts';
import type { Survey } from './survey.ts';

const TITLE = /^(={1,6})[ \t]*([^\s=].*?)(?:\s*=+)?\s*$/;
const ITEM = /^(\s*)(?:[*-]|\d{1,9}\.|[a-z]\.)[ \t]+/;
const NESTED_ITEM = /^\s+[*-][ \t]/;
/** `* 2 bug fixes:`, with the list of them in it. */
const SECTION =
  /^\*[ \t]+(?:\d+ )?((?:[\w/-]+ ){0,3}(?:bug ?fix|fix|enhancement|feature|change|deprecation|removal|improvement)(?:es|s)?):?[ \t]*$/i;
const DIRECTIVE = /^\s*:(?:stopdoc|startdoc|nodoc|enddoc|markup|title|main|section):/;
const RULE = /^-{3,}\s*$/;

export function* rdocToMarkdown(lines: readonly string[], survey: Survey): Generator<string> {
  const converter = new RdocConverter(survey.equals.levels('length'));
  for (const [index, line] of lines.entries()) {
    const [next = '', afterNext = ''] = [lines[index + 1], lines[index + 2]];
    yield converter.convert(line, isBlank(next) ? afterNext : next);
  }
}

class RdocConverter {
  readonly #levels: Levels;
  /** The columns of the text of the lists around a line. */
  #columns: number[] = [];
  /** The indentation of the list in a section. */
  #outdent = 0;
  #isAfterBlank = true;
  /** The column of the current code. */
  #verbatim: number | null = null;

  constructor(levels: Levels) {
    this.#levels = levels;
  }

  convert(written: string, below: string): string {
    if (isBlank(written)) {
      this.#isAfterBlank = true;
      return '';
    }
    const [, marks, title] = TITLE.exec(written) ?? [];
    if (marks !== undefined && title !== undefined)
      return this.#start(heading(this.#levels.get(marks) ?? marks.length, convertInline(title)), 0);
    const section = NESTED_ITEM.test(below) ? SECTION.exec(written)?.[1] : undefined;
    if (section !== undefined) return this.#start(heading(VERSION_LEVEL + 1, section), indentOf(below));
    if (indentOf(written) < this.#outdent) this.#outdent = 0;
    if (RULE.test(written) || DIRECTIVE.test(written)) return '';
    return this.#convertText(written.slice(this.#outdent));
  }

  #start(title: string, outdent: number): string {
    this.#columns = [];
    this.#outdent = outdent;
    this.#isAfterBlank = true;
    return title;
  }

  #convertText(line: string): string {
    const indent = indentOf(line);
    const marker = ITEM.exec(line)?.[0];
    this.#columns = this.#columns.filter((column) => column <= indent);
    const base = this.#columns.at(-1) ?? 0;
    // Indented text is code, and Markdown wants it indented by four.
    const isVerbatim =
      marker === undefined && indent > base && (this.#verbatim !== null || this.#isAfterBlank);
    this.#verbatim = isVerbatim ? (this.#verbatim ?? indent) : null;
    this.#isAfterBlank = false;
    if (this.#verbatim !== null) return ' '.repeat(base + 4) + line.slice(Math.min(indent, this.#verbatim));
    if (marker !== undefined) this.#columns.push(marker.length);
    return convertLine(line, marker ?? ' '.repeat(indent));
  }
}

const LABELLED = /^(?:\[([^\]\n]{1,100})\]|([^\s:][^\n]{0,100}?)::)[ \t]+(\S.*)$/;

/** `[label] text` and `label:: text` */
function convertLine(line: string, start: string): string {
  const rest = line.slice(start.length);
  const [, bracketed, named, text = ''] = LABELLED.exec(rest) ?? [];
  const label = bracketed ?? named;
  const before = start.replace(/[a-z]\.(?=\s*$)/, '1.');
  return label === undefined
    ? before + convertInline(rest)
    : `${before}**${convertInline(label)}:** ${convertInline(text)}`;
}

const BRACED_LINK = /\{([^{}\n]{1,300})\}\[([^\s[\]]{1,1000})\]/g;
const WORD_LINK = /(?<![\w}\]])([\w.-]{1,100})\[((?:https?|mailto|link|rdoc-ref):[^\s[\]]{1,1000})\]/g;
const PLUS = /(?<![\w+])\+([^\s+`]{1,200})\+(?![\w+])/g;
const BOLD = /(?<![\w*\\])\*([\w:.#?!-]{1,200})\*(?![\w*])/g;
const TAGS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/<(?:tt|code)>([^<>\n]{1,500})<\/(?:tt|code)>/gi, code],
  [/<b>([^<>\n]{1,500})<\/b>/gi, (text) => `**${text}**`],
  [/<(?:em|i)>([^<>\n]{1,500})<\/(?:em|i)>/gi, (text) => `*${text}*`],
];

function convertInline(text: string): string {
  if (text.length > INLINE_CHARACTERS_MAX) return text;
  let converted = text;
  for (const [tag, show] of TAGS) converted = converted.replaceAll(tag, (_, inner) => show(inner));
  converted = outsideCode(converted, (part) => part.replaceAll(PLUS, (_, inner) => code(inner)));
  return outsideCode(converted, convertPlain);
}

function convertPlain(text: string): string {
  const linked = text
    .replaceAll(BRACED_LINK, (_, shown, url) => link(shown, url))
    .replaceAll(WORD_LINK, (_, shown, url) => link(shown, url))
    .replaceAll(BOLD, '**$1**')
    // A backslash before a name says that it is not a link.
    .replaceAll(/(?<!\w)\\(?=[A-Z:#])/g, '');
  return escapeTags(linked);
}
