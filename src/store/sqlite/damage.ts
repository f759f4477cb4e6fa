const HEADING = /^\*{3} in database \w+ \*{3}\s*/;

/** What the quick check has found, in one line; null if that is nothing. */
export function describeDamage(verdict: unknown): string | null {
  return verdict === 'ok'
    ? null
    : String(verdict)
        .replace(HEADING, '')
        .replaceAll(/\s*\n\s*/g, '; ');
}
