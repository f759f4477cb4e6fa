// Cuts a changelog into its versions, one at a time: what stands before the first is its introduction.
import { Refusal } from '../../errors.ts';
import type { VersionHeading } from './headings.ts';
import type { ScannedLine } from './scan.ts';
import type { ScannedHeadings } from './scan-headings.ts';

/** A version is read as a whole. */
const VERSION_LINES_MAX = 100_000;
const VERSION_CHARACTERS_MAX = 4 * 1024 * 1024;

/** The end of a sentence about one that is larger. */
export const TOO_LONG = `has more than ${VERSION_LINES_MAX.toLocaleString('en')} lines or ${VERSION_CHARACTERS_MAX / 2 ** 20} MiB: that is no changelog.`;

export function isTooLong(lines: number, characters: number): boolean {
  return lines > VERSION_LINES_MAX || characters > VERSION_CHARACTERS_MAX;
}

export type VersionText = Readonly<{
  /** Null for what belongs to no version: what stands before the first, or under a heading above theirs. */
  heading: VersionHeading | null;
  line: number;
  lines: readonly string[];
}>;

export function* splitVersions(
  scanned: Iterable<ScannedLine>,
  { parseHeading, level }: ScannedHeadings,
  file: string,
): Generator<VersionText> {
  let heading: VersionHeading | null = null;
  let line = 1;
  let lines: string[] = [];
  let characters = 0;
  for (const { text, number, heading: found, definition } of scanned) {
    const next: VersionHeading | null = found && parseHeading(found);
    if (next !== null || (found !== null && found.level < level && heading !== null)) {
      yield { heading, line, lines };
      heading = next;
      line = number;
      lines = next === null ? [text] : [];
      characters = 0;
      continue;
    }
    if (definition) {
      // The addresses are known by now; an empty line keeps apart what they parted, however many they are.
      if (lines.at(-1) !== '') lines.push('');
      continue;
    }
    lines.push(text);
    characters += text.length;
    if (isTooLong(lines.length, characters))
      throw new Refusal(
        `${file}:${line}: ${heading ? `the version ${heading.label}` : 'what belongs to no version'} ${TOO_LONG}`,
      );
  }
  yield { heading, line, lines };
}
