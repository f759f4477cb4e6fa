// The query parameters of the reads (R32, R33): one table that requests are checked with and the description is made from.
import { CHANGE_TYPES } from '../domain/model.ts';
import { oneOf, type Schema, text, truth, wholeNumber } from '../domain/schema.ts';
import { VERSION_PATTERN } from '../domain/version-order.ts';

export type Parameter = Readonly<{
  /** What a value must be; of a repeatable parameter, each. */
  schema: Schema<unknown>;
  repeatable?: true;
  description: string;
  example: string;
}>;

export const PAGE_VERSIONS_MAX = 100;
const CURSOR_CHARACTERS_MAX = 400;
const SEARCH_CHARACTERS_MAX = 500;
const MOMENT_CHARACTERS_MAX = 40;
const LABEL_CHARACTERS_MAX = 128;

const label = () => text({ pattern: VERSION_PATTERN, maxLength: LABEL_CHARACTERS_MAX });

export const PARAMETERS = {
  limit: {
    schema: wholeNumber({ minimum: 1, maximum: PAGE_VERSIONS_MAX }),
    description:
      'How many versions at most. If there are more, a `Link` header with `rel="next"` leads on. Left out: all of them.',
    example: '2',
  },
  cursor: {
    schema: text({ pattern: '^[A-Za-z0-9_-]+$', maxLength: CURSOR_CHARACTERS_MAX }),
    description: 'Where the page before ended: taken from its `Link` header, and not to be made up.',
    example: 'eyJ',
  },
  since: {
    schema: text({ maxLength: MOMENT_CHARACTERS_MAX }),
    description: 'Published at this moment or later. ISO 8601; a date alone is its midnight in UTC.',
    example: '2026-01-01',
  },
  until: {
    schema: text({ maxLength: MOMENT_CHARACTERS_MAX }),
    description:
      'Published at this moment or earlier. ISO 8601; a date alone includes that whole day in UTC.',
    example: '2026-05-04',
  },
  from: {
    schema: label(),
    description: 'Versions after this one, in the order of semantic versions. It need not exist.',
    example: '1.4.0',
  },
  to: {
    schema: label(),
    description:
      'Versions up to and including this one, in the order of semantic versions. It need not exist.',
    example: '2.1.0',
  },
  type: {
    schema: oneOf(CHANGE_TYPES),
    repeatable: true,
    description: 'Versions with a change of this type, or of one of these if it is repeated.',
    example: 'security',
  },
  prerelease: {
    schema: truth(),
    description: '`false` leaves out prereleases such as 2.0.0-rc.1.',
    example: 'false',
  },
  q: {
    schema: text({ maxLength: SEARCH_CHARACTERS_MAX }),
    description:
      'Versions in which all of these words are found: in label, title, description or changes. Signs and capitals play no part.',
    example: 'countdown',
  },
  include: {
    schema: oneOf(['changes']),
    description: '`changes` gives each version as the full record of the version route.',
    example: 'changes',
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

export const FEED_PARAMETERS = Object.keys(PARAMETERS) as ParameterName[];
export const RANGE_PARAMETERS: readonly ParameterName[] = ['from', 'to', 'type', 'prerelease'];
