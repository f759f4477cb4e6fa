// Drafts of releases that have no tag yet, and so no label: they are skipped, with a warning.
const WARNINGS_MAX = 20;
const NAME_CHARACTERS_MAX = 80;

export type SkippedDraft = Readonly<{ name: string; line: number }>;

/** The last one counts those that are not listed. */
export function warnOfSkipped(file: string, drafts: readonly SkippedDraft[]): string[] {
  const warnings = drafts.slice(0, WARNINGS_MAX).map(({ name, line }) => {
    const draft = name === '' ? 'a draft without a name' : `the draft ${shorten(name)}`;
    return `${file}:${line}: ${draft} has no tag, so it was skipped; give it a tag to import it.`;
  });
  const more = drafts.length - warnings.length;
  if (more > 0)
    warnings.push(
      `${file}:${drafts.at(-1)?.line}: ${more.toLocaleString('en')} more drafts without a tag were skipped, the last one here.`,
    );
  return warnings;
}

function shorten(name: string): string {
  return JSON.stringify(name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX)}…` : name);
}
