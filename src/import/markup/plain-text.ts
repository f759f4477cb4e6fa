// Plain text, and Markdown without headings: gives headings to the versions.
import { escapeTags, indentOf, isBlank, outsideCode } from './inline.ts';
import { heading, VERSION_LEVEL } from './levels.ts';
import { findPlainDraft, findPlainVersion, type PlainVersion } from './plain-versions.ts';
import { isTitleOfAll, type Survey } from './survey.ts';
import { findTitles } from './titles.ts';

export type PlainKind = 'lines' | 'items';

export function* textToMarkdown(
  lines: readonly string[],
  survey: Survey,
  marks: PlainKind | RegExp,
): Generator<string> {
  const levels = survey.underlined.levels('appearance');
  const body = new TextBody(marks === 'items');
  let before = '';
  let isTitle = true;
  let hasVersion = false;
  for (const { text, next, style } of findTitles(lines)) {
    const found = style === null ? versionIn(marks, before, text, next) : null;
    hasVersion ||= found !== null;
    const isDraft = style === null && !hasVersion && !(marks instanceof RegExp);
    const version = found ?? (isDraft ? findPlainDraft(before, text, next) : null);
    const level = style === null ? undefined : isTitle && isTitleOfAll(text) ? 1 : levels.get(style);
    if (level !== undefined) isTitle = false;
    before = text;
    if (version !== null) yield body.start(heading(VERSION_LEVEL, version));
    else if (level === undefined) yield body.convert(text);
    else yield body.start(heading(level, text));
  }
}

const RULE_CHARACTERS_MAX = 500;

/** The text of the heading; null if the line is not one. */
function versionIn(marks: PlainKind | RegExp, before: string, line: string, next: string): string | null {
  if (marks instanceof RegExp)
    return line.length <= RULE_CHARACTERS_MAX && marks.test(line) ? line.trim() : null;
  const version = findPlainVersion(before, line, next);
  // Where most versions are items, older ones may be lines.
  return version !== null && (isOf(marks, version) || isOf('lines', version)) ? version.text : null;
}

function isOf(kind: PlainKind, version: PlainVersion): boolean {
  if (kind === 'items') return version.kind === 'item' && version.isDated;
  return version.kind === 'line' && (version.isDated || kind === 'lines');
}

/** `** Bug fixes` in the outlines of GNU. */
const OUTLINE = /^\*{2,5} +(?=\S)/;
/** nginx marks items with `*)`. */
const PARENTHESISED = /^(\s*)\*\) +/;

class TextBody {
  readonly #isOutline: boolean;
  /** The indentation of all lines of a version, which Markdown would read as code. */
  #indent: number | null = null;

  constructor(isOutline: boolean) {
    this.#isOutline = isOutline;
  }

  start(title: string): string {
    this.#indent = null;
    return title;
  }

  convert(line: string): string {
    if (isBlank(line)) return '';
    const outline = this.#isOutline ? OUTLINE.exec(line)?.[0] : undefined;
    if (outline !== undefined)
      return heading(VERSION_LEVEL - 1 + outline.trim().length, line.slice(outline.length));
    this.#indent ??= indentOf(line);
    const outdented = line.slice(Math.min(this.#indent, indentOf(line)));
    return outsideCode(outdented.replace(PARENTHESISED, '$1*  '), escapeTags);
  }
}
