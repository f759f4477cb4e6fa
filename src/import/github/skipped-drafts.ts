// Drafts of releases that have no tag yet, and so no label: they are skipped, with a warning.
import { limitWarnings } from '../warnings.ts';

const NAME_CHARACTERS_MAX = 80;

export type SkippedDraft = Readonly<{ name: string; line: number }>;

export function warnOfSkipped(file: string, drafts: readonly SkippedDraft[]): string[] {
  const warnings = drafts.map(({ name, line }) => {
    const draft = name === '' ? 'a draft without a name' : `the draft ${shorten(name)}`;
    return `${file}:${line}: ${draft} has no tag, so it was skipped; give it a tag to import it.`;
  });
  return limitWarnings(
    warnings,
    (more) =>
      `${file}:${drafts.at(-1)?.line}: ${more} more drafts without a tag were skipped, the last one here.`,
  );
}

function shorten(name: string): string {
  return JSON.stringify(name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX)}…` : name);
}
