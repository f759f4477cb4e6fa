import type { Rule } from '../rule.ts';

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
  level: 'note',
  summary: 'A date is in the future.',
  help: 'A version has a date that has not come; a day begins at 00:00 UTC. Until then an import makes it a draft, and a site leaves it out. Correct the date if that is not intended.',
  *find({ versions }, { now }) {
    for (const { heading, dateLine, publishedAt } of versions) {
      if (heading.isUnreleased || publishedAt === null || publishedAt <= now) continue;
      yield {
        line: dateLine,
        message: `version ${heading.label} will appear on ${publishedAt.slice(0, 10)}, because its date is in the future; correct the date if it is wrong.`,
      };
    }
  },
};
