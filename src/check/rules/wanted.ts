// Whether the version that is about to be released is there.

import { isEmpty } from '../../import/body/blocks.ts';
import type { WrittenVersion as Version } from '../../import/markdown/markdown.ts';
import { keyOf, numberOf } from '../../import/markdown/versions/candidate.ts';
import type { Found, Rule } from '../rule.ts';

export const missingVersion: Rule = {
  id: 'missing-version',
  level: 'error',
  summary: 'The version to release is not in the file.',
  help: 'With --version or --version-from, the file must have a section for that version. Add it, or rename the unreleased section.',
  *find({ versions, choice }, { wanted }): Iterable<Found> {
    if (wanted === null || findWanted(versions, wanted) !== undefined) return;
    const draft = versions.find(({ heading }) => heading.isUnreleased && !/\d/.test(heading.label));
    const unread = choice.unread.find(({ text }) => text.includes(wanted));
    const advice =
      unread !== undefined
        ? `correct the heading on line ${unread.line}`
        : draft === undefined
          ? 'add a section for it'
          : `rename ${draft.heading.label}, or add a section below it`;
    yield {
      line: unread?.line ?? draft?.line ?? versions[0]?.line ?? 1,
      message: `version ${wanted} is not in this file; ${advice}.`,
    };
  },
};

export const versionWithoutNotes: Rule = {
  id: 'version-without-notes',
  level: 'error',
  summary: 'The version to release has no notes.',
  help: 'With --version or --version-from, the section of that version must say what has changed.',
  *find({ versions }, { wanted }): Iterable<Found> {
    const found = wanted === null ? undefined : findWanted(versions, wanted);
    if (found === undefined || !isEmpty(found)) return;
    yield {
      line: found.line,
      message: `version ${found.heading.label} has no notes; write what has changed.`,
    };
  },
};

/** `1.2.0` is also `v1.2.0`, and `rocket 1.2.0` if no other has the number alone. */
function findWanted(versions: readonly Version[], wanted: string): Version | undefined {
  return (
    versions.find(({ heading }) => keyOf(heading.label) === keyOf(wanted)) ??
    versions.find(({ heading }) => numberOf(heading.label) === numberOf(wanted))
  );
}
