// Released sections compared with an earlier commit: they must stay as they were.

import type { WrittenVersion as Version } from '../../import/markdown/markdown.ts';
import { keyOf } from '../../import/markdown/versions/candidate.ts';
import type { InspectedText } from '../../import/read.ts';
import type { Found, Rule } from '../rule.ts';

export const changedRelease: Rule = {
  id: 'changed-release',
  level: 'error',
  summary: 'The section of a released version has changed.',
  help: 'With --since, the text or the date of a version that was released at that commit is not the same any more. Often a new entry got below the wrong heading after a merge. Move it to the section of the next release. Spaces, line breaks between paragraphs, a date that is added and definitions of links do not count.',
  *find(text, { earlier, now }) {
    if (earlier?.text == null) return;
    const present = byLabel(text.versions);
    for (const [key, before] of byLabel(releasesIn(earlier.text, now))) {
      const after = present.get(key);
      if (after !== undefined) yield* compare(before, after, earlier.ref);
    }
  },
};

export const removedRelease: Rule = {
  id: 'removed-release',
  level: 'error',
  summary: 'A released version was removed.',
  help: 'With --since, a version that was released at that commit is not in the file any more. Restore its section.',
  *find(text, { earlier, now }) {
    if (earlier?.text == null) return;
    const present = byLabel(text.versions);
    const before = releasesIn(earlier.text, now);
    for (const [at, { heading }] of before.entries()) {
      if (present.has(keyOf(heading.label))) continue;
      const next = before
        .slice(at + 1, at + 1 + NEIGHBOURS_MAX)
        .flatMap((one) => present.get(keyOf(one.heading.label)) ?? []);
      yield {
        line: next[0]?.line ?? text.versions.at(-1)?.line ?? 1,
        message: `version ${heading.label} was already released at ${earlier.ref}, but its section is gone; restore it.`,
      };
    }
  },
};

export const noEarlierFile: Rule = {
  id: 'no-earlier-file',
  level: 'note',
  summary: 'The file cannot be compared with the earlier commit.',
  help: 'With --since, the file did not exist at that commit, or had no versions that can be read. If it was moved, no released section can be compared until the move is in that commit.',
  *find(_, { earlier }) {
    if (earlier === null || (earlier.text !== null && earlier.text.versions.length > 0)) return;
    const what = `${earlier.isMissing ? 'did not exist' : 'had no readable versions'} at ${earlier.ref}`;
    yield {
      line: 1,
      message: `this file ${what}, so nothing was compared; if it was moved, merge the move first.`,
    };
  },
};

const NEIGHBOURS_MAX = 100;

/** The first version is not released yet if all below it have a date, and it has none. Nor is one with a date in the future. */
function releasesIn({ versions }: InspectedText, now: string): Version[] {
  const numbered = versions.filter(
    ({ heading, publishedAt }) => !heading.isUnreleased && (publishedAt ?? '') <= now,
  );
  const [first, second] = numbered;
  const isDraft = first?.publishedAt === null && (second?.publishedAt ?? null) !== null;
  return isDraft ? numbered.slice(1) : numbered;
}

/** Sections with the same label are one. */
function byLabel(versions: readonly Version[]): Map<string, Version[]> {
  return Map.groupBy(versions, ({ heading }) => keyOf(heading.label));
}

function* compare(before: readonly Version[], after: readonly Version[], ref: string): Iterable<Found> {
  const [first] = after;
  const [old] = before;
  if (first === undefined || old === undefined) return;
  const { label } = first.heading;
  if (old.publishedAt !== null && first.publishedAt !== old.publishedAt)
    yield {
      line: first.dateLine,
      message: `version ${label} was already released at ${ref}, but its date has changed; restore it (${old.publishedAt.slice(0, 10)}).`,
    };
  const line = firstDifference(before.flatMap(wordsOf), after.flatMap(wordsOf));
  if (line !== null)
    yield {
      line: line === 'end' ? first.line : line,
      message: `version ${label} was already released at ${ref}, but its section has changed; restore it, and move what is new to the next release.`,
    };
}

type Word = Readonly<{ text: string; line: number }>;

/** The text without its spaces, by line. */
function wordsOf({ lines, line }: Version): Word[] {
  return lines.flatMap((text, at) =>
    text.split(/\s+/).flatMap((word) => (word === '' ? [] : [{ text: word, line: line + 1 + at }])),
  );
}

function firstDifference(before: readonly Word[], after: readonly Word[]): number | 'end' | null {
  const at = after.findIndex(({ text }, index) => text !== before[index]?.text);
  if (at !== -1) return after[at]?.line ?? 'end';
  return before.length > after.length ? (after.at(-1)?.line ?? 'end') : null;
}
