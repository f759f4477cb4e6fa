// Splits a changelog into its versions and the text outside of them: the introduction, and chapters.
import { Refusal } from '../../errors.ts';
import { singularName } from '../body/names.ts';
import { findName } from '../body/sections.ts';
import type { Outline } from './outline.ts';
import type { Candidate } from './versions/candidate.ts';
import type { Choice } from './versions/choose.ts';
import { isSeries, type VersionHeading } from './versions/parse.ts';

/** A version is parsed as a whole. */
const VERSION_LINES_MAX = 100_000;
const VERSION_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Not a constant: the first number in words takes 20 ms of every start. */
export const tooLong = () =>
  `exceeds ${VERSION_LINES_MAX.toLocaleString('en')} lines or ${VERSION_CHARACTERS_MAX / 2 ** 20} MiB; this does not look like a changelog.`;

export function isTooLong(lines: number, characters: number): boolean {
  return lines > VERSION_LINES_MAX || characters > VERSION_CHARACTERS_MAX;
}

export type VersionText = Readonly<{
  /** Null for text that belongs to no version. */
  heading: VersionHeading | null;
  line: number;
  /** A copy each time. */
  lines: readonly string[];
}>;

export function splitVersions({ lines }: Outline, choice: Choice, file: string): VersionText[] {
  const shown = [...lines];
  const starts: Candidate[] = [];
  const items = countItems(lines);
  const hasList = (from: number, to: number) => (items[to] ?? 0) > (items[from] ?? 0);
  let nextLine = choice.versions[0]?.line ?? lines.length;
  let versions = 0;
  /** The level of headings above that of versions which are sections of the current version. */
  let sectionLevel = 0;
  for (const one of choice.headings) {
    const start = starts.at(-1);
    if (one.isVersion) {
      nextLine = choice.versions[++versions]?.line ?? lines.length;
      sectionLevel = 0;
    } else if (start?.isVersion && one.level < choice.level && one.mark === 'heading') {
      // The text of a chapter leads to its versions; a list is changes.
      const hasChanges = hasList(one.line, nextLine) && nextLine < lines.length;
      if (hasChanges || isSectionName(one.text)) sectionLevel = one.level;
    }
    const isSection = one.level === sectionLevel && !isSeriesAbove(one, choice);
    const isBelow = start !== undefined && !start.version?.isStray;
    if (one.isVersion || (isBelow && isChapter(one, choice) && !isSection)) starts.push(one);
    // The version above tells a part, and its versions tell a series.
    if (one.whole !== null || isSeriesAbove(one, choice)) shown[one.line - 1] = '';
  }
  const endOf = (at: number) => (starts[at]?.line ?? shown.length + 1) - 1;
  const all: VersionText[] = [new TextRange(shown, null, 1, [0, choice.firstLine - 1])];
  // The text of a chapter begins with its heading.
  for (const [at, { isVersion, version, line }] of starts.entries())
    all.push(
      new TextRange(shown, isVersion ? version : null, line, [isVersion ? line : line - 1, endOf(at + 1)]),
    );
  for (const text of all) requireSize(text, file);
  return all;
}

/** Holds no more than its place: the headings of a large file would take much memory. */
class TextRange {
  readonly heading: VersionHeading | null;
  readonly line: number;
  readonly #all: readonly string[];
  readonly #range: readonly [from: number, to: number];

  constructor(
    all: readonly string[],
    heading: VersionHeading | null,
    line: number,
    range: readonly [number, number],
  ) {
    this.#all = all;
    this.heading = heading;
    this.line = line;
    this.#range = range;
  }

  get lines(): readonly string[] {
    return this.#all.slice(...this.#range);
  }
}

/** A heading above the level of versions ends a version, unless it is the name of a section. */
export function isChapter(one: Candidate, choice: Choice): boolean {
  const { level, text, mark, whole } = one;
  if (mark !== 'heading' || whole !== null) return false;
  return (level < choice.level && !isSectionName(text)) || isSeriesAbove(one, choice);
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;

/** How many lines up to each one are items of lists. */
function countItems(lines: readonly string[]): Uint32Array {
  const counts = new Uint32Array(lines.length + 1);
  for (const [index, line] of lines.entries())
    counts[index + 1] = (counts[index] ?? 0) + (ITEM.test(line) ? 1 : 0);
  return counts;
}

function isSeriesAbove({ level, mark, text, isVersion }: Candidate, choice: Choice): boolean {
  return !isVersion && mark === 'heading' && level <= choice.level && isSeries(text);
}

export function isSectionName(text: string): boolean {
  return findName(singularName(text)) !== undefined;
}

function requireSize({ heading, line, lines }: VersionText, file: string): void {
  // Definitions, which may be many at the end, are empty lines by now.
  const written = lines.filter((text) => text !== '').length;
  const characters = lines.reduce((sum, { length }) => sum + length, 0);
  if (isTooLong(written, characters))
    throw new Refusal(
      `${heading ? `version ${heading.label}` : 'the text outside of versions'} ${tooLong()}`,
      { at: [file, line] },
    );
}
