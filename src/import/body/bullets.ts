// Lists that Markdown does not read as such: other bullets, items that are indented like code, outlines, and lines that are
// a change each. They get the bullets of Markdown; every line stays a line.

type IsChange = (text: string) => boolean;

const FENCE = /^ {0,3}(?:```|~~~)/;
const LIST = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]+\S/;
const INDENTED_ITEM = /^(?: {4,}|\t+ *)(?:[-+*•·]|\d{1,9}[.)])[ \t]+\S/;
/** `** Bug` in the changelogs of Jira, and in the outlines of GNU. */
const OUTLINE = /^\*{2,5} +(?=[^\s*][^*]{0,60}$)/;
const OUTLINE_HEADING = '###### ';

/** `isChange` tells whether a text starts with a prefix or a word that gives it a type. */
export function withBullets(lines: readonly string[], isChange: IsChange): readonly string[] {
  const code = linesOfCode(lines);
  const marked = lines.map((line, index) => (code.has(index) ? line : withBullet(line)));
  const isList = (line: string, index: number) => LIST.test(line) && !code.has(index);
  if (marked.some((line, index) => isList(line, index) && /^\S/.test(line))) return marked;
  const all = withRareBullets(marked, code);
  if (code.size > 0 || all.some(isList)) return all;
  const outdented = outdentItems(all);
  if (outdented.some(isList)) return outdented;
  return paragraphsOf(outdented).flatMap((paragraph) =>
    isListOfLines(paragraph, isChange)
      ? paragraph.map((line) => `- ${line.replace(HARD_BREAK, '')}`)
      : paragraph,
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
    if (OUTLINE.test(line) && isBeforeItem(index)) return line.replace(OUTLINE, OUTLINE_HEADING);
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
    const isEnd = line.trim() === '' || line.startsWith('#');
    if (last === undefined || isEnd || (last[0] as string).trim() === '' || last[0]?.startsWith('#'))
      paragraphs.push([line]);
    else last.push(line);
  }
  return paragraphs;
}

const HARD_BREAK = /(?: {2,}|\\|<br ?\/?>)$/;
/** Quotations, tables, HTML, code, and underlines of headings. */
const OTHER_BLOCK = /^(?:[>|<]| {4}|\t|[-=]{2,}$|\[[^\]]+\]:)/;
const STARTS_LOW = /^[\p{Ll}),.;:]/u;
const PROSE = /^(?:this (?:release|version|is|update)|we |please |see |note|thanks|if |for )/i;
const GOES_ON = /[,:;(–—-]$|\b(?:and|or|the|a|an|to|of|in|with|for)$/i;
const WRAPPED_CHARACTERS_MIN = 60;
const SENTENCES_MIN = 3;

/** Whether each line is a change, and not one text in several lines. */
function isListOfLines(lines: readonly string[], isChange: IsChange): boolean {
  if (lines.length < 2 || lines.some((line) => OTHER_BLOCK.test(line))) return false;
  const texts = lines.map((line) => line.replace(HARD_BREAK, '').trim());
  const changes = texts.filter(isChange).length;
  if (changes === lines.length) return !texts.slice(0, -1).some((text) => GOES_ON.test(text));
  if (texts.some((text) => STARTS_LOW.test(text) || GOES_ON.test(text)) || isWrapped(texts)) return false;
  if (changes * 2 >= lines.length) return true;
  return lines.length >= SENTENCES_MIN && texts.every((text) => /[.!。！]$/.test(text) && !PROSE.test(text));
}

/** Whether no line had room for the first word of the next. */
function isWrapped(texts: readonly string[]): boolean {
  const widest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  const hadNoRoom = (text: string, index: number) =>
    text.length + 1 + ((texts[index + 1] ?? '').split(' ', 1)[0]?.length ?? 0) > widest;
  return widest >= WRAPPED_CHARACTERS_MIN && texts.slice(0, -1).every(hadNoRoom);
}
