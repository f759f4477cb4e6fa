import type { Rule } from '../rule.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const invalidDate: Rule = {
  id: 'invalid-date',
  level: 'error',
  summary: 'A date does not exist.',
  help: 'The date of a version is not in the calendar, such as 2026-02-30. Write the day of the release as YYYY-MM-DD.',
  *find({ versions }) {
    for (const { heading, dateLine } of versions) {
      const { date, label, isUnreleased } = heading;
      if (date === null || date.timestamp !== null || isUnreleased) continue;
      yield {
        line: dateLine,
        message: `version ${label} has an invalid date, ${date.text}; write the day of the release as YYYY-MM-DD.`,
      };
    }
  },
};

export const futureDate: Rule = {
  id: 'future-date',
  level: 'error',
  summary: 'A date is in the future.',
  help: 'A version has a date that is more than a day ahead. Correct the date, or mark the version as unreleased until then.',
  *find({ versions }, { now }) {
    const latest = Date.parse(now) + DAY_MS;
    for (const { heading, dateLine, publishedAt } of versions) {
      if (heading.isUnreleased || publishedAt === null || Date.parse(publishedAt) <= latest) continue;
      yield {
        line: dateLine,
        message: `version ${heading.label} is dated ${publishedAt.slice(0, 10)}, which is in the future; correct the date, or mark the version as unreleased.`,
      };
    }
  },
};
