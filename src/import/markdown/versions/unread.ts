// Counts headings and lines that look like versions but were not read as such. Many of them mean that the import failed.
import { Refusal } from '../../../errors.ts';
import { READABLE_FORMATS } from '../../changelog.ts';
import { findDate } from '../../dates/dates.ts';
import { parseVersionHeading } from '../headings.ts';
import { SHOWN_MAX, type ShownHeading, shownHeading } from './candidates.ts';
import { isPhrase } from './phrases.ts';

/** Headings of one level, or lines that are not headings. */
export type Unread = { level: number; isPhrase: boolean; count: number; first: ShownHeading[] };

const HAS_NUMBERS = /\d+\.\d+/;
const VERSION_FIRST = /^(?:version |release )?\[?v?\d+\.\d+/i;
const MARKERS = /^[\s>#*_+=[(-]+/;
const LINE_CHARACTERS_MAX = 200;
/** The level of lines that are not headings. They always count. */
const NO_LEVEL = 0;
/** The import failed if more than a tenth of the versions were not read. */
const UNREAD_SHARE_MAX = 0.1;
const LISTED_MAX = 5;

export class UnreadHeadings {
  readonly #unread = new Map<string, Unread>();
  #best: (ShownHeading & { score: number }) | null = null;

  addHeading(level: number, line: number, text: string): void {
    if (HAS_NUMBERS.test(text)) this.#add(level, isPhrase(text.replaceAll(/\S*\d\S*/g, '')), line, text);
  }

  /** A separate line with nothing but a version, which is not a heading. */
  addLine(line: number, text: string): void {
    if (text.length > LINE_CHARACTERS_MAX || !HAS_NUMBERS.test(text)) return;
    const plain = text.replace(MARKERS, '');
    if (!VERSION_FIRST.test(plain) || /^\s|^[-+>]|^\*\s/.test(text)) return;
    const isBold = /^(\*\*|__).+\1:?$/.test(text);
    const version = parseVersionHeading(plain.replaceAll(/\*\*|__/g, ''));
    if (version !== null && version.title === '' && (isBold || version.date !== null))
      this.#add(NO_LEVEL, false, line, text);
  }

  /** Remembers the line that looks most like a version, for the error if there is none. */
  weigh(line: number, text: string, isHeading: boolean): void {
    if (text.length > LINE_CHARACTERS_MAX || !HAS_NUMBERS.test(text)) return;
    const plain = text.replace(MARKERS, '');
    const score =
      (VERSION_FIRST.test(plain) ? 4 : 0) +
      (isHeading ? 3 : 0) +
      (findDate(plain) === null ? 0 : 2) -
      (isPhrase(plain) ? 4 : 0);
    if (score > (this.#best?.score ?? 0)) this.#best = { score, ...shownHeading(line, text.trim()) };
  }

  /** The headings at the level of versions or above, without titles. */
  upTo(level: number, top: number): Unread[] {
    return [...this.#unread.values()].filter((one) => one.level <= level && (one.level !== 1 || top === 1));
  }

  noVersionsError(file: string, rule: RegExp | null): Refusal {
    const best = this.#best;
    const place = `${file}:${best?.line ?? 1}`;
    const nearest = best === null ? '' : `; the line most like one is ${JSON.stringify(best.text)}`;
    if (rule !== null)
      return new Refusal(
        `${place}: no heading matches --heading '${rule.source}'${nearest}; change the expression.`,
      );
    return new Refusal(
      `${place}: no version headings such as \`## [1.2.0] - 2026-05-04\` found${nearest}; is it a changelog? It may be in one of these formats: ${READABLE_FORMATS.join(', ')}; --heading REGEX reads other headings.`,
    );
  }

  #add(level: number, phrase: boolean, line: number, text: string): void {
    const key = `${level} ${phrase}`;
    const one = this.#unread.get(key) ?? { level, isPhrase: phrase, count: 0, first: [] };
    this.#unread.set(key, one);
    one.count++;
    if (one.first.length < SHOWN_MAX) one.first.push(shownHeading(line, text));
  }
}

/** Finds code or a comment without an end, which hides the rest of the file. */
export class UnclosedBlock {
  #firstLine = 0;
  #count = 0;

  take(line: number, text: string): void {
    this.#firstLine ||= line;
    const heading = text.length > LINE_CHARACTERS_MAX ? null : /^#{1,3}[ \t]+(.*)$/.exec(text);
    if (heading !== null && parseVersionHeading(heading[1] ?? '') !== null) this.#count++;
  }

  clear(): void {
    this.#firstLine = 0;
    this.#count = 0;
  }

  /** Called at the end of the file. */
  requireFew(file: string, read: number): void {
    if (this.#count <= read * UNREAD_SHARE_MAX) return;
    throw new Refusal(
      `${file}:${this.#firstLine}: this code block or comment never ends, and ${this.#count} ${this.#count === 1 ? 'heading' : 'headings'} of versions are in it; add the line that ends it.`,
    );
  }
}

/** Sentences that mention a version do not count. */
export function requireMostRead(file: string, unread: readonly Unread[], read: number): void {
  const missed = unread.filter((one) => !one.isPhrase);
  const count = sum(missed);
  const shown = firstOf(missed);
  const [first] = shown;
  if (count <= read * UNREAD_SHARE_MAX || first === undefined) return;
  const list = shown.slice(0, LISTED_MAX).map(({ line, text }) => `${JSON.stringify(text)} (line ${line})`);
  const more = count > list.length ? `, … and ${count - list.length} more` : '';
  const what =
    count === 1
      ? '1 heading looks like a version but does not count as one'
      : `${count.toLocaleString('en')} headings look like versions but do not count as one`;
  const others = `while ${read.toLocaleString('en')} ${read === 1 ? 'does' : 'do'}`;
  throw new Refusal(
    `${file}:${first.line}: ${what}, ${others}: ${list.join(', ')}${more}; say which headings are versions with --heading '${suggestHeading(first.text)}'.`,
  );
}

export function warnOfUnread(file: string, unread: readonly Unread[]): string[] {
  const shown = firstOf(unread).slice(0, SHOWN_MAX);
  const warnings = shown.map(
    ({ line, text }) => `${file}:${line}: the heading ${JSON.stringify(text)} does not count as a version.`,
  );
  const more = sum(unread) - shown.length;
  return more === 0
    ? warnings
    : [...warnings, `${file}: … and ${more.toLocaleString('en')} more such headings.`];
}

function sum(unread: readonly Unread[]): number {
  return unread.reduce((count, one) => count + one.count, 0);
}

function firstOf(unread: readonly Unread[]): ShownHeading[] {
  return unread.flatMap(({ first }) => first).sort((a, b) => a.line - b.line);
}

const LABEL = String.raw`(?<label>v?\d+\.\d[\w.+-]*)`;

/** An expression that matches this heading, and those that begin with a label. */
function suggestHeading(text: string): string {
  const before = /^(.*?)\[?v?\d+\.\d/.exec(text)?.[1] ?? '';
  const escaped = before.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("'", '.');
  return `^${escaped === '' ? '' : `(?:${escaped})?`}\\[?${LABEL}`;
}
