// Which headings are versions, and which should be.

import type { WrittenVersion as Version } from '../../import/markdown/markdown.ts';
import { keyOf } from '../../import/markdown/versions/candidate.ts';
import { isSentence } from '../../import/markdown/versions/choose.ts';
import { describeUnclosed } from '../../import/markdown/versions/report.ts';
import { describeStray } from '../../import/markdown/versions/strays.ts';
import { quote } from '../../import/warnings.ts';
import type { Rule } from '../rule.ts';

export const duplicateVersion: Rule = {
  id: 'duplicate-version',
  level: 'error',
  summary: 'A version appears twice.',
  help: 'Two sections have the same version. Rename one of them, or merge them. It is only a note where that may be intentional: sections that are not released yet, versions in different chapters or at different levels, headings with other words, and plain text.',
  *find({ versions, chapters, choice, markup, merging }) {
    if (merging) return;
    const first = new Map<string, Readonly<{ line: number; place: string }>>();
    let chapter = 0;
    for (const [at, { heading, line }] of versions.entries()) {
      while ((chapters[chapter] ?? Number.POSITIVE_INFINITY) < line) chapter++;
      const { label, isUnreleased } = heading;
      const { level, text = '' } = choice.versions[at] ?? {};
      const place = `${chapter} ${level} ${wordsOf(text, heading)}`;
      const before = first.get(keyOf(label));
      if (before === undefined) {
        first.set(keyOf(label), { line, place });
        continue;
      }
      const isDraft = isUnreleased && !/\d/.test(label);
      const isCertain = before.place === place && !isDraft && markup !== 'text';
      yield {
        line,
        message: `duplicate version ${quote(label)} (also on line ${before.line}); rename one of them, or merge their sections.`,
        level: isCertain ? 'error' : 'note',
      };
    }
  },
};

const TARGET = /\]\([^()\s]*\)/g;

/** A title may tell releases apart that have the same number, so there the date and the link count. */
function wordsOf(text: string, { title, date }: Version['heading']): string {
  return title === '' ? text.replaceAll(TARGET, ']').replace(date?.text ?? '', '') : text;
}

export const unreadHeading: Rule = {
  id: 'unread-heading',
  level: 'note',
  summary: 'A heading looks like a version but does not count as one.',
  help: 'Programs that read the file take the text below it for a part of the version above. Write the heading as those of the other versions, at the same level. It is an error if it has a date.',
  *find({ choice }) {
    for (const one of choice.unread) {
      if (isSentence(one)) continue;
      yield {
        line: one.line,
        message: `the heading ${quote(one.text)} looks like a version but does not count as one; write it as those of the other versions.`,
        // With the name of another product, it may be meant.
        level: one.version?.date != null && one.parts?.before === '' ? 'error' : 'note',
      };
    }
  },
};

export const notAVersion: Rule = {
  id: 'not-a-version',
  level: 'error',
  summary: 'A heading above the first version is not a version.',
  help: 'It is at the level of versions, and text is below it: `Unreleased` with a slip, or a release that has no version yet. Imports make a draft of it. Name it Unreleased, give it the version, or, if it is part of the introduction, write it as a deeper heading.',
  *find({ versions }) {
    for (const { line, heading } of versions)
      if (heading.isStray) yield { line, message: describeStray(heading) };
  },
};

export const malformedHeading: Rule = {
  id: 'malformed-line',
  level: 'note',
  summary: 'A line is not written as Markdown needs it.',
  help: 'Most programs do not read such a line as it was meant: `##1.2.0` without a space is not a heading, and a fence with text behind it does not end the code.',
  *find({ found: { slips } }) {
    for (const { line, problem, advice } of slips) yield { line, message: `${problem}; ${advice}.` };
  },
};

export const unclosedBlock: Rule = {
  id: 'unclosed-block',
  level: 'error',
  summary: 'A code block or comment is never closed.',
  help: 'Everything below it, versions included, is part of the code or the comment. Add the line that closes it.',
  *find({ found: { unclosed } }) {
    if (unclosed === null) return;
    yield { line: unclosed.line, message: describeUnclosed(unclosed.headings) };
  },
};

const CONFLICT_BEGIN = /^<{7} \S/;
const CONFLICT_END = /^>{7} \S/;

export const mergeMarker: Rule = {
  id: 'merge-marker',
  level: 'error',
  summary: 'A merge conflict is not resolved.',
  help: 'Git wrote the lines with <<<<<<<, ======= and >>>>>>> around the two sides of a conflict. Keep what is right, and delete these lines.',
  *find({ written, found: { raw } }) {
    const code = new Set(raw);
    for (const [index, text] of written.entries()) {
      if (!CONFLICT_BEGIN.test(text) && !CONFLICT_END.test(text)) continue;
      if (!code.has(index + 1))
        yield {
          line: index + 1,
          message: 'this line is left from a merge conflict; resolve it, and delete the line.',
        };
    }
  },
};
