// Lists that Markdown does not read as such: other bullets, items that are indented like code, outlines, and lines that are
// a change each. They get the bullets of Markdown; every line stays a line.

type IsChange = (text: string) => boolean;

const FENCE = /^ {0,3}(?:```|~~~)/;
const LIST = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]+\S/;
const INDENTED_ITEM = /^(?: {4,}|\t+ *)(?:[-+*•·]|\d{1,9}[.)])[ \t]+\S/;
/** `** Bug` in the changelogs of Jira, and in the outlines of GNU. */
const OUTLINE = /^\*{2,5} +(?=[^\s*][^*]{0,60}$)/;
const LAST_HEADING = '###### ';
/** `[FIXES]`, alone on a line. */
const IN_BRACKETS = /^\[([\p{L} &/-]{3,40})\]$/u;

type Judges = Readonly<{
  /** Whether a text starts with a prefix or a word that gives it a type. */
  isChange: IsChange;
  /** Whether it is the name of a section. */
  isSection: (name: string) => boolean;
}>;

export function withBullets(lines: readonly string[], { isChange, isSection }: Judges): readonly string[] {
  const code = linesOfCode(lines);
  const marked = lines.map((line, index) => {
    if (code.has(index)) return line;
    const name = IN_BRACKETS.exec(line)?.[1];
    return name !== undefined && isSection(name) ? `${LAST_HEADING}${name}` : withBullet(line);
  });
  const isList = (line: string, index: number) => LIST.test(line) && !code.has(index);
  if (marked.some((line, index) => isList(line, index) && /^\S/.test(line))) return marked;
  const all = withRareBullets(marked, code);
  if (code.size > 0 || all.some(isList)) return all;
  const outdented = outdentItems(all);
  if (outdented.some(isList)) return outdented;
  return paragraphsOf(outdented).flatMap((paragraph) =>
    isListOfLines(paragraph, isChange) ? paragraph.map(asItem) : paragraph,
  );
}

function linesOfCode(lines: readonly string[]): ReadonlySet<number> {
  const code = new Set<number>();
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    const isFence = FENCE.test(line);
    if (isCode || isFence) code.add(index);
    if (isFence) isCode = !isCode;
  }
  return code;
}

const BULLET = /^(\s*)[•·‣▪●◦■►](?=[ \t]*\S)[ \t]?/;
/** `1、` in Chinese. */
const NUMBER = /^(\s*\d{1,3})[、．](?=\s*\S)\s*/;

function withBullet(line: string): string {
  return line.replace(BULLET, '$1- ').replace(NUMBER, '$1. ');
}

/** Also words: `o` is one in Portuguese, and a dash may follow a quotation. */
const RARE = /^(o|–|—)(?= +\S)/;
const DASHES_MIN = 2;

function withRareBullets(lines: readonly string[], code: ReadonlySet<number>): readonly string[] {
  const first = lines.map((line, index) =>
    isAfterItem(lines, index) && !code.has(index) ? (RARE.exec(line)?.[1] ?? '') : '',
  );
  const count = first.filter((bullet) => bullet !== '' && bullet !== 'o').length;
  return lines.map((line, index) => {
    const bullet = first[index] as string;
    return bullet === '' || (bullet !== 'o' && count < DASHES_MIN) ? line : `-${line.slice(1)}`;
  });
}

/** At the start of a paragraph, or below another item. */
function isAfterItem(lines: readonly string[], index: number): boolean {
  const before = lines[index - 1] ?? '';
  return before.trim() === '' || RARE.test(before) || /^\s/.test(before) || before.startsWith('#');
}

function outdentItems(lines: readonly string[]): readonly string[] {
  const isBeforeItem = (index: number) => {
    let next = index + 1;
    while (lines[next]?.trim() === '') next++;
    return INDENTED_ITEM.test(lines[next] ?? '');
  };
  let indent = Number.POSITIVE_INFINITY;
  return lines.map((line, index) => {
    if (OUTLINE.test(line) && isBeforeItem(index)) return line.replace(OUTLINE, LAST_HEADING);
    const width = line.length - line.trimStart().length;
    if (line.trim() !== '' && width < indent)
      indent = INDENTED_ITEM.test(line) ? width : Number.POSITIVE_INFINITY;
    return width >= indent ? line.slice(indent) : line;
  });
}

/** The lines between blank ones, each blank line alone. */
function paragraphsOf(lines: readonly string[]): readonly string[][] {
  const paragraphs: string[][] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    const isEnd = line.trim() === '' || HEADING.test(line);
    if (last === undefined || isEnd || (last[0] as string).trim() === '' || HEADING.test(last[0] as string))
      paragraphs.push([line]);
    else last.push(line);
  }
  return paragraphs;
}

const HARD_BREAK = /(?: {2,}|\\|<br ?\/?>)$/;
/** Quotations, tables, HTML, code, and underlines of headings. */
const OTHER_BLOCK = /^(?:[>|<]|[-=]{2,}$|\[[^\]]+\]:)/;
const STARTS_LOW = /^[\p{Ll}),.;:]/u;
const PROSE = /^(?:this (?:release|version|is|update)|we |please |see |note|thanks|if |for )/i;
const GOES_ON = /[,:;(–—-]$|\b(?:and|or|the|a|an|to|of|in|with|for)$/i;
const WRAPPED_CHARACTERS_MIN = 60;
const SENTENCES_MIN = 3;

const HEADING = /^#{1,6}(?:\s|$)/;
/** `#12: text` */
const REFERENCE = /^(?:#\d+|[A-Z][A-Z\d]+-\d+)\b/;
const INDENTED = /^\s+(?=\S)/;

function asItem(line: string): string {
  return INDENTED.test(line) ? line.replace(INDENTED, '  ') : `- ${line.replace(HARD_BREAK, '')}`;
}

/** Whether each line is a change, and not one text in several lines. Indented lines go on with the one above. */
function isListOfLines(lines: readonly string[], isChange: IsChange): boolean {
  const first = lines.filter((line) => !INDENTED.test(line));
  if (first.length < 2 || first.some((line) => OTHER_BLOCK.test(line)) || INDENTED.test(lines[0] ?? ''))
    return false;
  const isHanging = first.length < lines.length;
  const texts = first.map((line) => line.replace(HARD_BREAK, '').trim());
  const changes = texts.filter((text) => REFERENCE.test(text) || isChange(text)).length;
  const isUnfinished = texts.some((text, at) => GOES_ON.test(text) && at < texts.length - 1);
  if (changes === texts.length) return isHanging || !isUnfinished;
  if (texts.some((text) => STARTS_LOW.test(text))) return false;
  if (!isHanging && (isUnfinished || isWrapped(texts))) return false;
  if (changes * 2 >= texts.length) return true;
  return texts.length >= SENTENCES_MIN && texts.every((text) => /[.!。！]$/.test(text) && !PROSE.test(text));
}

/** Whether no line had room for the first word of the next. */
function isWrapped(texts: readonly string[]): boolean {
  const widest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  const hadNoRoom = (text: string, index: number) =>
    text.length + 1 + ((texts[index + 1] ?? '').split(' ', 1)[0]?.length ?? 0) > widest;
  return widest >= WRAPPED_CHARACTERS_MIN && texts.slice(0, -1).every(hadNoRoom);
}
