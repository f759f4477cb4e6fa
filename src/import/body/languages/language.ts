/**
 * Names with commas between them; the first of each type is that of Keep a Changelog. Capitals, accents, a final `s` and
 * spaces between Chinese, Japanese and Korean words do not matter.
 */
export type Language = Readonly<{
  added: string;
  changed: string;
  deprecated: string;
  removed: string;
  fixed: string;
  security: string;
  /** Says no more than that something changed. */
  changes: string;
  /** Added, and worth naming. */
  enhanced: string;
  /** Changed, and worth naming. */
  improved: string;
  /** What users of the product do not notice. */
  other: string;
  /** Says so little that the texts may say more. */
  vague: string;
  /** Patterns for the beginnings of words that mark a section as breaking. */
  breaking: string;
}>;
