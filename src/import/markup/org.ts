// Converts Org to Markdown: headings, lists, blocks, links and code. Everything else stays as text.
import { code, escapeTags, INLINE_CHARACTERS_MAX, indentOf, isBlank, link, outsideCode } from './inline.ts';
import { HeadingStyles, heading, type Levels } from './levels.ts';
import { judgeTitle } from './survey.ts';

const TITLE = /^(\*{1,6}) +(?:(?:TODO|DONE) +)?(\S.*)$/;
const TAGS = /(?<= ):[\w@#%:]{1,100}:$/;
const TITLE_OF_ALL = /^#\+title: *(\S.*)$/i;
const BEGIN = /^\s*#\+begin_(\w+)(?: +([\w+-]+))?/i;
/** Blocks whose text is not markup. */
const VERBATIM = /^(?:src|example|export|comment)$/i;
const DRAWER = /^\s*:[\w-]+:\s*$/;
const END = /^\s*:end:\s*$/i;
/** Comments, and what is said to Org. */
const UNSHOWN = /^\s*#(?:\+\w+:.*| .*|\+(?:begin|end)_\w+.*)?$/i;
const FIXED = /^\s*:(?: (.*))?$/;
const TERM = /^(\s*[-+*] +)(\S.*?) ::(?= |$)/;
const CHECKBOX = /^(\s*(?:[-+*]|\d+[.)]) +)\[([ X-])\] /;
/** `<2026-05-04 Mon 10:00>`, `[2026-05-04]` */
const TIMESTAMP = /[<[](\d{4}-\d{2}-\d{2})(?: [^<>[\]\n]{1,40})?[>\]]/;

/** The first lines say so if the name does not. */
export function isOrg(lines: readonly string[]): boolean {
  const first = lines.find((line) => !isBlank(line)) ?? '';
  return /^\uFEFF?#\+(?:title|author|options|startup):|-\*-(?: *mode:)? *org *(?:;.*)?-\*-/i.test(first);
}

export function* orgToMarkdown(lines: readonly string[]): Generator<string> {
  const styles = new HeadingStyles();
  for (const line of lines) {
    const [, stars, title = ''] = TITLE.exec(line) ?? [];
    if (stars !== undefined) styles.add(stars, judgeTitle(title));
  }
  const converter = new OrgConverter(styles.levels('length'));
  for (const line of lines) yield converter.convert(line.trimEnd());
}

class OrgConverter {
  readonly #levels: Levels;
  /** What ends the current block, and whether it is shown. */
  #block: { end: RegExp; isShown: boolean } | null = null;
  /** The indentation of all lines below a heading, which Markdown would read as code. */
  #indent: number | null = null;

  constructor(levels: Levels) {
    this.#levels = levels;
  }

  convert(line: string): string {
    if (this.#block !== null) return this.#convertInBlock(this.#block, line);
    const [, stars, title = ''] = TITLE.exec(line) ?? [];
    if (stars !== undefined) {
      this.#indent = null;
      const dated = title.replace(TAGS, '').trimEnd().replace(TIMESTAMP, '($1)');
      return heading(this.#levels.get(stars) ?? stars.length, convertInline(dated));
    }
    const titleOfAll = TITLE_OF_ALL.exec(line)?.[1];
    if (titleOfAll !== undefined) return heading(1, convertInline(titleOfAll));
    const [, kind, language = ''] = BEGIN.exec(line) ?? [];
    if (kind !== undefined && VERBATIM.test(kind)) return this.#open(line, kind, language);
    if (DRAWER.test(line)) this.#block = { end: END, isShown: false };
    if (isBlank(line) || DRAWER.test(line) || UNSHOWN.test(line)) return '';
    return this.#convertText(line);
  }

  #open(line: string, kind: string, language: string): string {
    const isShown = kind.toLowerCase() !== 'comment';
    this.#block = { end: new RegExp(`^\\s*#\\+end_${kind}\\s*$`, 'i'), isShown };
    return isShown ? `${this.#outdent(line, '')}\`\`\`${language}` : '';
  }

  #convertInBlock({ end, isShown }: { end: RegExp; isShown: boolean }, line: string): string {
    const isEnd = end.test(line);
    if (isEnd) this.#block = null;
    if (!isShown) return '';
    // Org puts a comma before what would be a heading.
    return isEnd
      ? this.#outdent(line, '```')
      : this.#outdent(line, line.trimStart().replace(/^,(?=\*|#\+)/, ''));
  }

  #convertText(line: string): string {
    const fixed = FIXED.exec(line);
    if (fixed) return this.#outdent(line, `    ${fixed[1] ?? ''}`);
    this.#indent ??= indentOf(line);
    const shown = line
      .replace(CHECKBOX, (_, marker, box) => `${marker}${box === 'X' ? '☑' : '☐'} `)
      .replace(TERM, '$1*$2:*');
    return this.#outdent(shown, convertInline(shown.trimStart()));
  }

  #outdent(line: string, text: string): string {
    return ' '.repeat(Math.max(0, indentOf(line) - (this.#indent ?? 0))) + text;
  }
}

const LINK = /\[\[([^[\]\n]{1,1000})\](?:\[([^[\]\n]{1,500})\])?\]/g;
const emphasis = (mark: string) =>
  new RegExp(
    String.raw`(?<![^\s\-('"{[])${mark}(?=\S)([^${mark}\n]{0,499}[^\s${mark}])${mark}(?![^\s\-.,:;!?'")}\]\\[])`,
    'g',
  );
const CODE = [emphasis('='), emphasis('~')];
const BOLD = emphasis(String.raw`\*`);
const ITALIC = emphasis('/');

function convertInline(text: string): string {
  if (text.length > INLINE_CHARACTERS_MAX) return text;
  let converted = text;
  for (const marked of CODE)
    converted = outsideCode(converted, (part) => part.replaceAll(marked, (_, inner) => code(inner)));
  return outsideCode(converted, convertPlain).replaceAll(LINK, (_, url, shown) => link(shown ?? url, url));
}

/** A URL is not emphasis. */
function convertPlain(text: string): string {
  const shown = escapeTags(text).replaceAll(BOLD, '**$1**');
  return shown.includes('://') ? shown : shown.replaceAll(ITALIC, '*$1*');
}
