// The comments by which this program reads back its own CHANGELOG.md; see docs/feeds.md.

const FORMAT = 'The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).';

/** Other tools write the same sentence about the format; this line shows that this program wrote the file. */
export const SIGNATURE = '<!-- changelog-read-api -->';
export const INTRODUCTION = `${FORMAT}\n\n${SIGNATURE}`;
/** After the title, blank lines and, unless the changelog has a description, the sentence about the format. */
export const SIGNATURE_LINES = [3, 5];

export const BREAKING = '**Breaking:**';
/** The text of the link below the heading of a version. */
export const CODE_CHANGES = 'Code changes';
export const NOTHING_SPECIAL = '<!-- -->';
export const DRAFT = '<!-- draft -->';
/** For a version whose label looks unreleased. */
export const PUBLISHED = '<!-- published -->';
export const UNTITLED = '<!-- untitled -->';
export const QUOTED = '<!-- quoted -->';
export const END = '<!-- end -->';

/** A version with such a label is a draft unless marked as published. */
export function isUnreleasedLabel(label: string): boolean {
  return /^unreleased\b/i.test(label);
}

/** The code points of control characters, except tab, LF and CR. */
const CONTROL_NUMBER = '(?:[1-8]|1[124-9]|2\\d|3[01]|12[7-9]|1[345]\\d)';
const CONTROL_REFERENCE = new RegExp(`&#(0*)(${CONTROL_NUMBER});`, 'g');
/** Terminals interpret them. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/**
 * Replaces control characters with references such as `&#27;`. A reference already in the text gets another zero, which
 * means the same to other programs.
 */
export function encodeControls(text: string): string {
  return text
    .replaceAll(CONTROL_REFERENCE, '&#0$1$2;')
    .replaceAll(CONTROL, (character) => `&#${character.charCodeAt(0)};`);
}

/** Reverses `encodeControls`. */
export function decodeControls(text: string): string {
  return text.replaceAll(CONTROL_REFERENCE, (_, zeros: string, number: string) =>
    zeros === '' ? String.fromCharCode(Number(number)) : `&#${zeros.slice(1)}${number};`,
  );
}
