// What the latest version is called (R56): a line for scripts, and badges for READMEs.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { text } from '../../domain/schema.ts';
import { Badge, DEFAULT_LABEL, onOneLine, presentBadge, writeBadgeSvg } from '../../present/badge.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findLatest, type LatestRow } from '../../store/read/find-version.ts';
import { JSON_TYPE, TEXT_TYPE } from '../pipeline/send.ts';
import type { Parameters } from '../query/parameters.ts';
import { type ReadRequest, readOf } from '../read.ts';

const EXAMPLE = { label: '2.1.0', yanked: 0 } as const;

export const latestTxt = readOf({
  operation: {
    name: 'LatestLabel',
    summary: 'The label of the latest version, on one line.',
    description: 'The version is that of `latest`. Without a published version it is 404.',
    publicTag: 'Latest version',
    example: () => `${EXAMPLE.label}\n`,
  },
  contentType: TEXT_TYPE,
  ...latestAs((_, { latest }) => (latest === null ? null : `${onOneLine(latest.label)}\n`)),
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

export const badgeJson = readOf({
  operation: {
    name: 'Badge',
    summary: 'The latest version as a badge that shields draws.',
    description: `The form of shields' endpoint badges. ${BADGE_TEXT}`,
    bodies: [Badge],
    publicTag: 'Latest version',
  },
  contentType: JSON_TYPE,
  parameters: BADGE_PARAMETERS,
  ...latestAs((label, row) => JSON.stringify(presentBadge(row, label))),
});

export const badgeSvg = readOf({
  operation: {
    name: 'BadgeImage',
    summary: 'The latest version as a badge.',
    description: `An SVG image that loads nothing else. ${BADGE_TEXT}`,
    publicTag: 'Latest version',
    example: () => writeBadgeSvg(presentBadge({ head: { accent: null }, latest: EXAMPLE })),
  },
  contentType: 'image/svg+xml; charset=utf-8',
  parameters: BADGE_PARAMETERS,
  ...latestAs(
    (label, row) => writeBadgeSvg(presentBadge(row, label)),
    [
      // Opened on its own, an image is a document of this site.
      ...['content-security-policy', "default-src 'none'; sandbox"],
      ...['cross-origin-resource-policy', 'cross-origin'],
    ],
  ),
});

/** `write` returns null for a 404. */
function latestAs(
  write: (label: string | undefined, row: LatestRow) => string | null,
  head?: readonly string[],
) {
  return {
    find: (db: Reader, { params }: ReadRequest, visible: VisibleRows) => findLatest(db, params, visible),
    present: (row: LatestRow, { query }: ReadRequest) => {
      const text = write(query.given.label?.[0], row);
      return text === null ? null : { text, head, origin: row.head };
    },
  };
}
