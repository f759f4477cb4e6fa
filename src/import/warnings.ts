const WARNINGS_MAX = 20;

/** The first warnings, and one that counts the others. */
export function limitWarnings(warnings: readonly string[], more: (count: string) => string): string[] {
  const left = warnings.length - WARNINGS_MAX;
  return left <= 0 ? [...warnings] : [...warnings.slice(0, WARNINGS_MAX), more(left.toLocaleString('en'))];
}

const SHOWN_CHARACTERS_MAX = 80;

/** A text of a file in a message. */
export function quote(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
  return JSON.stringify(shown.toWellFormed());
}
