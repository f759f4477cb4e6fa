// Whether versions and their dates run in one direction.

import type { WrittenVersion as Version } from '../../import/markdown/markdown.ts';
import type { InspectedText } from '../../import/read.ts';
import type { Found, Rule } from '../rule.ts';

/** Time zones, and a release around midnight. */
const TOLERANCE_MS = 36 * 60 * 60 * 1000;
/** A file with fewer neighbours in the same direction has none. */
const DIRECTION_SHARE_MIN = 0.75;

type Placed = Readonly<{ version: Version; numbers: readonly number[]; suffix: string; time: number | null }>;
/** In the order of a file with the newest first. */
type Neighbours = Readonly<{ upper: Placed; lower: Placed; numbers: number; dates: number | null }>;

const LABEL = /^(.*?)v?(\d+(?:\.\d+)*)(.*)$/i;

export const versionOrder: Rule = {
  id: 'version-order',
  level: 'error',
  summary: 'Versions are out of order.',
  help: 'A version is on the wrong side of an older one of the same series, such as 1.4.2 below 1.4.1 in a file that has the newest first. Move its section to where it belongs. It is a note without dates, and for another series. Maintenance releases that are in the order of their dates are fine.',
  *find(text): Iterable<Found> {
    for (const { upper, lower, numbers, dates } of neighboursIn(text)) {
      const isOfSeries = follows(lower, upper);
      if (numbers >= 0 || !isPlain(upper, lower) || (dates === null ? !isOfSeries : dates >= 0)) continue;
      const newer = lower.version;
      yield {
        line: newer.line,
        message: `version ${newer.heading.label} is on the wrong side of ${upper.version.heading.label} (line ${upper.version.line}), although its number ${dates === null ? 'is' : 'and its date are'} higher; move its section.`,
        level: dates !== null && isOfSeries ? 'error' : 'note',
      };
    }
  },
};

/** The typical slip is the year before. */
const SERIES_MS_MIN = 180 * 24 * 60 * 60 * 1000;

export const dateOrder: Rule = {
  id: 'date-order',
  level: 'error',
  summary: 'A version is dated before the one that it follows.',
  help: 'The date of a version is before that of an earlier version of the same series, such as 1.4.2 before 1.4.1. One of the dates is wrong, often its year. Releases of other series may overlap: 1.5.0 some weeks before 1.4.0 is a note, and 2.0.0 before 1.4.1 is fine.',
  *find(text): Iterable<Found> {
    for (const { upper, lower, numbers, dates } of neighboursIn(text)) {
      if (numbers <= 0 || dates === null || dates >= 0 || !isPlain(upper, lower)) continue;
      const isOfSeries = follows(upper, lower);
      if (!isOfSeries && !isBegun(upper, lower)) continue;
      const { heading, dateLine } = upper.version;
      yield {
        line: dateLine,
        message: `version ${heading.label} is dated ${dayOf(upper)}, before ${lower.version.heading.label} (${dayOf(lower)}, line ${lower.version.dateLine}); correct one of the dates.`,
        level: isOfSeries || -dates >= SERIES_MS_MIN ? 'error' : 'note',
      };
    }
  },
};

/** Releases next to each other, of the same product and in the same chapter. */
function neighboursIn({ versions, chapters }: InspectedText): Neighbours[] {
  const last = new Map<string, Placed>();
  const pairs: [Placed, Placed][] = [];
  let chapter = 0;
  for (const version of versions) {
    for (; (chapters[chapter] ?? Number.POSITIVE_INFINITY) < version.line; chapter++) last.clear();
    const [, name = '', digits = '', suffix = ''] = LABEL.exec(version.heading.label) ?? [];
    if (digits === '' || version.heading.isUnreleased || version.heading.isDateLabel) continue;
    const time = version.publishedAt === null ? null : Date.parse(version.publishedAt);
    const placed = { version, numbers: digits.split('.').map(Number), suffix, time };
    const above = last.get(name);
    if (above !== undefined) pairs.push([above, placed]);
    last.set(name, placed);
  }
  return inDirection(pairs);
}

/** None if the file has no direction. */
function inDirection(pairs: readonly (readonly [Placed, Placed])[]): Neighbours[] {
  const compared = pairs.map(([upper, lower]) => compareNumbers(upper, lower)).filter((order) => order !== 0);
  const falling = compared.filter((order) => order > 0).length;
  const isNewestFirst = falling * 2 >= compared.length;
  const along = isNewestFirst ? falling : compared.length - falling;
  if (along < compared.length * DIRECTION_SHARE_MIN) return [];
  return pairs.map(([first, second]) => {
    const [upper, lower] = isNewestFirst ? [first, second] : [second, first];
    return { upper, lower, numbers: compareNumbers(upper, lower), dates: compareDates(upper, lower) };
  });
}

/** 0 also if only the words behind the numbers differ. */
function compareNumbers({ numbers: a }: Placed, { numbers: b }: Placed): number {
  const length = Math.max(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** 0 if they may be the same day somewhere; null if one is not known. */
function compareDates({ time: a }: Placed, { time: b }: Placed): number | null {
  if (a === null || b === null) return null;
  return Math.abs(a - b) <= TOLERANCE_MS ? 0 : a - b;
}

/** False for `2.0.0-rc.1`. */
function isPlain(...all: readonly Placed[]): boolean {
  return all.every(({ suffix }) => suffix === '');
}

/** `1.4.2` follows `1.4.1`. Of two numbers, as in `1.4`, only the next one does, because they may be a fraction. */
function follows({ numbers: a }: Placed, { numbers: b }: Placed): boolean {
  const at = a.findIndex((number, index) => number !== b[index]);
  if (a.length !== b.length || at !== a.length - 1 || at === 0) return false;
  const difference = (a[at] ?? 0) - (b[at] ?? 0);
  return a.length > 2 ? difference > 0 : difference === 1;
}

/** `1.5.3` may come before `1.4.1`, but hardly before `1.4.0`. */
function isBegun({ numbers: a }: Placed, { numbers: b }: Placed): boolean {
  const at = a.findIndex((number, index) => number !== b[index]);
  return a.length > 2 && a.length === b.length && at > 0 && b.slice(at + 1).every((number) => number === 0);
}

function dayOf({ version: { publishedAt } }: Placed): string {
  return publishedAt?.slice(0, 10) ?? '';
}
