// What the latest version is called (R56): a line for scripts, and badges for READMEs.
import { text } from '../../domain/schema.ts';
import { DEFAULT_LABEL, onOneLine, presentBadge, writeBadgeSvg } from '../../present/badge.ts';
import { findLatest, type LatestRow } from '../../store/read/find-version.ts';
import { JSON_TYPE, TEXT_TYPE } from '../pipeline/send.ts';
import type { Parameters } from '../query/parameters.ts';
import { type OperationText, type Read, readOf } from '../read.ts';

const EXAMPLE = { label: '2.1.0', isYanked: false } as const;

export const latestTxt = readLatest({
  name: 'LatestLabel',
  summary: 'The label of the latest version, on one line.',
  description: 'The version is that of `latest`. Without a published version it is 404.',
  example: () => `${EXAMPLE.label}\n`,
  contentType: TEXT_TYPE,
  write: ({ latest }) => (latest === null ? null : `${onOneLine(latest.label)}\n`),
});

const LABEL_CHARACTERS_MAX = 40;

const BADGE_PARAMETERS = {
  label: {
    schema: text({ pattern: '\\S', maxLength: LABEL_CHARACTERS_MAX }),
    expected: `a text of 1 to ${LABEL_CHARACTERS_MAX} characters`,
    description: `The text of the left half. Default: \`${DEFAULT_LABEL}\`.`,
    example: 'release',
    part: 'page',
  },
} as const satisfies Parameters;

const BADGE_TEXT = 'A changelog without a published version has one too, with `none yet`.';

export const badgeJson = readLatest({
  name: 'Badge',
  summary: 'The latest version as a badge that shields draws.',
  description: `The form of shields' endpoint badges. ${BADGE_TEXT}`,
  bodies: ['Badge'],
  contentType: JSON_TYPE,
  parameters: BADGE_PARAMETERS,
  write: (row, label) => JSON.stringify(presentBadge(row, label)),
});

export const badgeSvg = readLatest({
  name: 'BadgeImage',
  summary: 'The latest version as a badge.',
  description: `An SVG image that loads nothing else. ${BADGE_TEXT}`,
  example: () => writeBadgeSvg(presentBadge({ head: { accent: null }, latest: EXAMPLE })),
  contentType: 'image/svg+xml; charset=utf-8',
  parameters: BADGE_PARAMETERS,
  write: (row, label) => writeBadgeSvg(presentBadge(row, label)),
  head: [
    // Opened on its own, an image is a document of this site.
    ...['content-security-policy', "default-src 'none'; sandbox"],
    ...['cross-origin-resource-policy', 'cross-origin'],
  ],
});

type LatestOptions = OperationText &
  Pick<Read, 'contentType' | 'parameters'> &
  Readonly<{
    /** Null for a 404. */
    write: (row: LatestRow, label: string | undefined) => string | null;
    head?: readonly string[];
  }>;

function readLatest({ contentType, parameters = {}, write, head, ...operation }: LatestOptions): Read {
  return readOf({
    contentType,
    parameters,
    operation: { ...operation, publicTag: 'Latest version' },
    find: (db, { params }, visible) => findLatest(db, params, visible),
    present: (row, { query }) => {
      const text = write(row, query.given.label?.[0]);
      return text === null ? null : { text, head, origin: row.head };
    },
  });
}
