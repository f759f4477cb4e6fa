// Splits a changelog into its versions, one at a time. The text before the first is the introduction.
import { Refusal } from '../../errors.ts';
import { singularName } from '../body/names.ts';
import { SECTIONS } from '../body/sections.ts';
import { findDate } from '../dates/dates.ts';
import type { VersionHeading } from './headings.ts';
import type { Heading, ScannedLine } from './scan.ts';
import type { ScannedHeadings } from './scan-headings.ts';
import { keyOf } from './versions/names.ts';

/** A version is parsed as a whole. */
const VERSION_LINES_MAX = 100_000;
const VERSION_CHARACTERS_MAX = 4 * 1024 * 1024;

export const TOO_LONG = `exceeds ${VERSION_LINES_MAX.toLocaleString('en')} lines or ${VERSION_CHARACTERS_MAX / 2 ** 20} MiB; this does not look like a changelog.`;

export function isTooLong(lines: number, characters: number): boolean {
  return lines > VERSION_LINES_MAX || characters > VERSION_CHARACTERS_MAX;
}

export type VersionText = Readonly<{
  /** Null for text that belongs to no version: before the first, or under a heading of a higher level. */
  heading: VersionHeading | null;
  line: number;
  lines: readonly string[];
}>;

export function* splitVersions(
  scanned: Iterable<ScannedLine>,
  found: ScannedHeadings,
  file: string,
): Generator<VersionText> {
  const splitter = new Splitter(found, file);
  for (const line of scanned) {
    const ended = splitter.take(line);
    if (ended !== null) yield ended;
  }
  yield splitter.version;
}

const LIST_OR_HEADING = /^\s*(?:[-*+]\s|\d+[.)]\s|#)/;

class Splitter {
  readonly #found: ScannedHeadings;
  readonly #file: string;
  #heading: VersionHeading | null = null;
  #line = 1;
  #lines: string[] = [];
  #characters = 0;
  /** Null if the version is a line that is not a heading. */
  #headingAsWritten: Heading | null = null;
  #text = '';
  /** Whether the next line underlines a heading, and is left out. */
  #skipsUnderline = false;

  constructor(found: ScannedHeadings, file: string) {
    this.#found = found;
    this.#file = file;
  }

  get version(): VersionText {
    return { heading: this.#heading, line: this.#line, lines: this.#lines };
  }

  /** The version that ends before this line. */
  take(scanned: ScannedLine): VersionText | null {
    const { heading, definition } = scanned;
    if (this.#skipsUnderline) {
      this.#skipsUnderline = false;
      return null;
    }
    if (heading !== null && this.#takePart(heading)) return null;
    const next = this.#found.parseHeading(scanned);
    if (next !== null || (heading !== null && this.#isChapter(heading))) return this.#begin(next, scanned);
    // Definitions are known by now; an empty line keeps the texts around them apart.
    if (definition === null) this.#add(this.#formatLine(scanned));
    else if (this.#lines.at(-1) !== '') this.#lines.push('');
    return null;
  }

  #begin(next: VersionHeading | null, { text, number, heading }: ScannedLine): VersionText | null {
    const isGroup = next !== null && this.#isGroupOf(next, heading?.level ?? 0);
    const isEmpty = isGroup && this.#lines.every((line) => line.trim() === '');
    const ended = isGroup
      ? { ...this.version, heading: null, lines: [this.#text, ...this.#lines] }
      : this.version;
    this.#heading = next;
    this.#line = number;
    this.#lines = next === null ? [text] : [];
    this.#characters = 0;
    this.#headingAsWritten = heading;
    this.#text = text;
    this.#skipsUnderline = next !== null && (heading?.isUnderlined ?? false);
    return isEmpty ? null : ended;
  }

  /** `### v1.9.0 (2021-12-31)` below `## v1.9.0` adds to that version. */
  #takePart(heading: Heading): boolean {
    const whole = this.#heading;
    const above = this.#headingAsWritten;
    if (whole === null || above === null || heading.level <= above.level) return false;
    const part = this.#found.parsePart(heading, above);
    if (part === null) return false;
    const isTold = whole.date === null || part.date === null || part.date.timestamp === whole.date.timestamp;
    if (!isTold || (whole.title !== '' && part.title !== '' && part.title !== whole.title)) return false;
    this.#heading = {
      ...whole,
      date: whole.date ?? part.date,
      title: whole.title || part.title,
      link: whole.link ?? part.link,
      isYanked: whole.isYanked || part.isYanked,
    };
    this.#skipsUnderline = heading.isUnderlined;
    return true;
  }

  /** A heading above the level of versions ends a version, unless it is the name of a section. */
  #isChapter({ level, text }: Heading): boolean {
    return (
      this.#heading !== null && level < this.#found.level && (this.#found.isOwnFormat || !isSectionName(text))
    );
  }

  /** `# 2.1` above `## 2.1.3` is not a version if it has no changes. */
  #isGroupOf(next: VersionHeading, level: number): boolean {
    const above = this.#headingAsWritten;
    if (this.#heading === null || this.#heading.date !== null || this.#heading.isUnreleased) return false;
    const isWithin = keyOf(next.label).startsWith(`${keyOf(this.#heading.label)}.`);
    if (above === null || level <= above.level || !isWithin) return false;
    return !this.#lines.some((line) => LIST_OR_HEADING.test(line) || findDate(line) !== null);
  }

  /** Writes the underlined headings of a version with `#`, like the others. */
  #formatLine({ text, heading }: ScannedLine): string {
    if (!heading?.isUnderlined || this.#heading === null || this.#found.isOwnFormat) return text;
    this.#skipsUnderline = true;
    return `${'#'.repeat(heading.level)} ${heading.text}`;
  }

  #add(text: string): void {
    this.#lines.push(text);
    this.#characters += text.length;
    if (isTooLong(this.#lines.length, this.#characters))
      throw new Refusal(
        `${this.#file}:${this.#line}: ${this.#heading ? `version ${this.#heading.label}` : 'the text outside of versions'} ${TOO_LONG}`,
      );
  }
}

export function isSectionName(text: string): boolean {
  return SECTIONS.has(singularName(text));
}
