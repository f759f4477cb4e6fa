// Splits a changelog into its versions, one at a time. The text before the first is the introduction.
import { Refusal } from '../../errors.ts';
import type { VersionHeading } from './headings.ts';
import type { ScannedLine } from './scan.ts';
import type { ScannedHeadings } from './scan-headings.ts';

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
      // Definitions are known by now; an empty line keeps the texts around them apart.
      if (lines.at(-1) !== '') lines.push('');
      continue;
    }
    lines.push(text);
    characters += text.length;
    if (isTooLong(lines.length, characters))
      throw new Refusal(
        `${file}:${line}: ${heading ? `version ${heading.label}` : 'the text outside of versions'} ${TOO_LONG}`,
      );
  }
  yield { heading, line, lines };
}
