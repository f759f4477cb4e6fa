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

/** The numbers of control characters, besides those that make lines and columns. */
const CONTROL_NUMBER = '(?:[1-8]|1[124-9]|2\\d|3[01]|12[7-9]|1[345]\\d)';
const CONTROL_REFERENCE = new RegExp(`&#(0*)(${CONTROL_NUMBER});`, 'g');
/** Terminals obey them. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/**
 * A text for our own Markdown, without control characters: `&#27;` stands for one. Where the text itself says so, it gets
 * a zero more, which means the same to others.
 */
export function encodeControls(text: string): string {
  return text
    .replaceAll(CONTROL_REFERENCE, '&#0$1$2;')
    .replaceAll(CONTROL, (character) => `&#${character.charCodeAt(0)};`);
}

/** The text that `encodeControls` was given. */
export function decodeControls(text: string): string {
  return text.replaceAll(CONTROL_REFERENCE, (_, zeros: string, number: string) =>
    zeros === '' ? String.fromCharCode(Number(number)) : `&#${zeros.slice(1)}${number};`,
  );
}
