const HEADING = /^\*{3} in database \w+ \*{3}\s*/;

/** What SQLite's quick check found, in one line, or null. */
export function describeDamage(verdict: unknown): string | null {
  return verdict === 'ok'
    ? null
    : String(verdict)
        .replace(HEADING, '')
        .replaceAll(/\s*\n\s*/g, '; ');
}
