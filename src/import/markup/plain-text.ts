// Plain text, and Markdown without headings: gives headings to the versions.
import { findDate } from '../dates/dates.ts';
import { isTitleOfAll } from '../markdown/versions/words.ts';
import { escapeTags, indentOf, isBlank, outsideCode } from './inline.ts';
import { heading, VERSION_LEVEL } from './levels.ts';
import { findPlainDraft, findPlainVersion, type PlainVersion, withoutLead } from './plain-versions.ts';
import type { Survey } from './survey.ts';
import { findTitles } from './titles.ts';

export type PlainKind = 'lines' | 'items';

export function* textToMarkdown(
  lines: readonly string[],
  survey: Survey,
  marks: PlainKind | RegExp,
): Generator<string> {
  const levels = survey.underlined.levels('appearance');
  const body = new TextBody(marks === 'items', survey.hashed === 0);
  const hasPlain = survey.plain.dated + survey.plain.bare > 0;
  let before = '';
  let index = -1;
  let last = '';
  let isTitle = true;
  let hasVersion = false;
  for (const { text, next, style } of findTitles(lines)) {
    index++;
    const said = style === null ? versionIn(marks, before, text, next) : null;
    // A version may be named again in its text.
    const version = said === last ? null : said;
    if (version !== null) last = version;
    const found = version && version + dateInSignature(version, lines, index);
    const level = style === null ? undefined : isTitle && isTitleOfAll(text) ? 1 : levels.get(style);
    hasVersion ||= found !== null || level === VERSION_LEVEL;
    const isDraft = style === null && !hasVersion && !(marks instanceof RegExp);
    const draft = isDraft ? findPlainDraft(before, text, next, lines[index + 2]) : null;
    // What does not say that it is one is marked as the versions are.
    const isOne =
      draft?.kind === 'item' ? marks === 'items' : draft?.isSaid || (marks === 'lines' && hasPlain);
    const title = found ?? (isOne ? (draft?.text ?? null) : null);
    if (level !== undefined) isTitle = false;
    before = text;
    if (title !== null) yield body.start(heading(VERSION_LEVEL, title));
    else if (level === undefined) yield body.convert(text);
    else {
      const shown = level === VERSION_LEVEL ? withoutLead(text) : text;
      if (level === VERSION_LEVEL) last = shown;
      yield body.start(heading(level, shown));
    }
  }
}

/** `— Berlin, 2026-05-04` ends the text of a version of systemd. */
const SIGNATURE = /^\s+[—–-]{1,2} \p{Lu}[\p{L} .,-]*, (?=\d)/u;

function dateInSignature(version: string, lines: readonly string[], from: number): string {
  if (!/^Version \d+$/.test(version)) return '';
  let signed = '';
  for (let index = from + 1; index < lines.length && !/^\S/.test(lines[index] ?? ''); index++)
    if (SIGNATURE.test(lines[index] ?? '')) signed = lines[index] ?? '';
  const date = findDate(signed);
  return date === null ? '' : ` (${date.text})`;
}

const RULE_CHARACTERS_MAX = 500;

/** The text of the heading; null if the line is not one. */
function versionIn(marks: PlainKind | RegExp, before: string, line: string, next: string): string | null {
  if (marks instanceof RegExp)
    return line.length <= RULE_CHARACTERS_MAX && marks.test(line) ? line.trim() : null;
  const version = findPlainVersion(before, line, next);
  // Some versions may be lines or items in the words of GNU, whatever most of them are.
  return version !== null && (isOf(marks, version) || isOf('lines', version) || isOfGnu(version))
    ? version.text
    : null;
}

function isOf(kind: PlainKind, version: PlainVersion): boolean {
  if (kind === 'items')
    return version.kind === 'item' && (version.isDated || version.isAnnounced || /^v?\d/.test(version.text));
  return version.kind === 'line' && (version.isDated || kind === 'lines');
}

function isOfGnu({ kind, isAnnounced, isDated }: PlainVersion): boolean {
  return kind === 'item' && isAnnounced && isDated;
}

/** `** Bug fixes` in the outlines of GNU, `** more` in a list, and `:: bug fixes` in the folds of vim, which end with `}}}`. */
const OUTLINE = /^(\*{2,5}|::) +(?=\S)/;
const END_OF_FOLD = /^\}{3}\s*$/;
/** nginx marks items with `*)`, R and nmap with `o`, PHP with a dot. */
const BULLET = /^\s*([-*+•]|\d{1,9}[.)]|\*\)|o(?= {2}|\t| [^\sa-z])|(?<=\s)\.)(?=\s+\S)/;

/** `~~~ some text ~~~` would begin code in Markdown. */
const TILDES = /^(\s*)(?=~~~+ )/;
/** `# make install` is a command. */
const HASHES = /^(\s*)(?=#{1,6}(?:\s|$))/;
const MARKERS: Readonly<Record<string, string>> = { '*)': '* ', o: '*', '.': '*', '•': '*' };

class TextBody {
  readonly #isOutline: boolean;
  /** Whether headings never have hashes. */
  readonly #hasNoHashes: boolean;
  /** The indentation of all lines of a version, which Markdown would read as code. */
  #indent: number | null = null;
  /** That of the list that goes on, and what marks its items. */
  #list: { indent: number; marker: string } | null = null;
  #isAfterBlank = true;

  constructor(isOutline: boolean, hasNoHashes: boolean) {
    this.#isOutline = isOutline;
    this.#hasNoHashes = hasNoHashes;
  }

  start(title: string): string {
    this.#indent = null;
    this.#list = null;
    this.#isAfterBlank = true;
    return title;
  }

  convert(line: string): string {
    const isAfterBlank = this.#isAfterBlank;
    this.#isAfterBlank = isBlank(line);
    if (isBlank(line) || END_OF_FOLD.test(line)) return '';
    const [outline = '', stars = ''] = OUTLINE.exec(line) ?? [];
    const rest = line.slice(outline.length);
    if (outline !== '' && (this.#isOutline || isAfterBlank))
      return this.start(heading(VERSION_LEVEL - 1 + stars.length, rest));
    if (outline !== '') return `${'  '.repeat(stars.length - 1)}* ${rest}`;
    const indent = indentOf(line);
    const [, marker = ''] = BULLET.exec(line) ?? [];
    if (marker !== '' && indent < (this.#list?.indent ?? Number.POSITIVE_INFINITY))
      this.#list = { indent, marker };
    else if (marker === '' && isAfterBlank && indent <= (this.#list?.indent ?? -1)) this.#list = null;
    this.#indent ??= indent;
    const outdented = line.slice(Math.min(this.#list?.indent ?? this.#indent, indent));
    // In Markdown, a list in a list is indented by more than one.
    const isNested = marker !== '' && indentOf(outdented) === 1 && marker !== this.#list?.marker;
    const shown = (isNested ? ' ' : '') + outdented.replace(marker, MARKERS[marker] ?? marker);
    const text = shown.replace(TILDES, '$1\\');
    return outsideCode(this.#hasNoHashes ? text.replace(HASHES, '$1\\') : text, escapeTags);
  }
}
