// What a page of a team's timeline costs, in teams of different sizes.
import { visibleRows } from '../../src/domain/access/visibility.ts';
import { NO_FILTER } from '../../src/domain/feed-query.ts';
import type { Reader } from '../../src/store/engine/engine.ts';
import { openReader } from '../../src/store/engine/open.ts';
import { findTimeline } from '../../src/store/read/lists/timeline.ts';
import { fastest } from './search-price.ts';
import { positionOf, TEAM, teamStatements } from './team.ts';

export const RATIO_MAX = 1.5;
const PAGE = { ...NO_FILTER, limit: 20, withChanges: true };

type Size = Readonly<{ versions: number; products: number }>;
export type Price = Readonly<{ name: string; ms: readonly number[]; ratio: number }>;

/** Few and many versions, in one product and in many. */
export const sizesOf = (few: number, many: number, products: number): readonly Size[] =>
  [few, many].flatMap((versions) => [1, products].map((count) => ({ versions, products: count })));

const READS: Record<string, (db: Reader, size: Size) => Promise<unknown>> = {
  'first page': (db) => findTimeline(db, TEAM, visibleRows('public'), PAGE, null),
  'a page in the middle': (db, { versions }) =>
    findTimeline(db, TEAM, visibleRows('public'), { ...PAGE, after: positionOf(versions / 2) }, null),
  'first page without prereleases': (db) =>
    findTimeline(db, TEAM, visibleRows('public'), { ...PAGE, withPrereleases: false }, null),
  'first page for a FULL key': (db) => findTimeline(db, TEAM, visibleRows('team'), PAGE, null),
  'a page in the middle for a FULL key': (db, { versions }) =>
    findTimeline(db, TEAM, visibleRows('team'), { ...PAGE, after: positionOf(versions / 2) }, null),
};

/** `urlFor` makes a database of these statements. */
export async function priceTimelines(
  sizes: readonly Size[],
  urlFor: (statements: readonly string[]) => Promise<string>,
  rounds: number,
): Promise<Price[]> {
  const worlds: (readonly [Reader, Size])[] = [];
  try {
    for (const size of sizes)
      worlds.push([await openReader(await urlFor(teamStatements(size.versions, size.products))), size]);
    const prices: Price[] = [];
    for (const [name, read] of Object.entries(READS)) {
      const ms = await fastest(
        worlds.map(
          ([db, size]) =>
            () =>
              read(db, size),
        ),
        rounds,
      );
      prices.push({ name, ms, ratio: Math.max(...ms) / Math.min(...ms) });
    }
    return prices;
  } finally {
    for (const [db] of worlds) await db.destroy();
  }
}

export const timelineViolations = (prices: readonly Price[]) =>
  prices
    .filter(({ ratio }) => ratio > RATIO_MAX)
    .map(
      ({ name, ms, ratio }) =>
        `${name}: ${ratio.toFixed(2)} (${ms.map((time) => time.toFixed(2)).join(', ')} ms)`,
    );
