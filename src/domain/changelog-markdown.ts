// What stands in a CHANGELOG.md of ours, by which it is known when it is read back; docs/feeds.md describes it.

const FORMAT = 'The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).';

/** Others write the same about the format; this says who wrote it. */
export const SIGNATURE = '<!-- changelog-read-api -->';
export const INTRODUCTION = `${FORMAT}\n\n${SIGNATURE}`;
/** The name, the introduction, and blank lines between. */
export const SIGNATURE_LINE = 5;

export const BREAKING = '**Breaking:**';
export const NOTHING_SPECIAL = '<!-- -->';
export const DRAFT = '<!-- draft -->';
/** Below a label that says otherwise. */
export const PUBLISHED = '<!-- published -->';
export const UNTITLED = '<!-- untitled -->';
export const QUOTED = '<!-- quoted -->';
export const END = '<!-- end -->';

/** A version of this label is a draft wherever nothing is said about it. */
export function isUnreleasedLabel(label: string): boolean {
  return /^unreleased\b/i.test(label);
}
