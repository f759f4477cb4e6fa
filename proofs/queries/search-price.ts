// What a search by the beginning of words costs, compared with one for whole words in the same database.
import { TEAM } from '../../bench/data/datasets.ts';
import { visibleRows } from '../../src/domain/access/visibility.ts';
import { type FeedQuery, NO_FILTER, parseWords } from '../../src/domain/feed-query.ts';
import { versionOrder } from '../../src/domain/version-order.ts';
import type { Reader } from '../../src/store/engine/engine.ts';
import { openReader } from '../../src/store/engine/open.ts';
import { countMatches } from '../../src/store/read/count-matches.ts';
import { findPage } from '../../src/store/read/pages.ts';
import { PRODUCT } from './searched.ts';
import { matchWholeWords } from './whole-words.ts';

export const PRICE_MAX = 1.3;

export type Price = Readonly<{ name: string; wholeMs: number; nowMs: number; countMs: number }>;

/** What is typed, and the whole word that as many versions have. */
const TYPED: Record<string, string> = {
  ...Object.fromEntries(
    ['always', 'tenth', 'hundredth', 'seldom', 'to', 'ox', 'nowhere'].map((word) => [word, word]),
  ),
  alw: 'always',
  alwa: 'always',
  a: 'always',
  al: 'always',
  hundr: 'hundredth',
  'always seldom': 'always seldom',
};
const FILTERS: Record<string, Partial<FeedQuery>> = {
  '': {},
  'type=security': { types: ['security'] },
  'since=2010': { since: '2010-01-01T00:00:00.000Z' },
  'until=1903': { until: '1903-01-01T00:00:00.000Z' },
  'from=0.10.0&to=0.20.0': { from: versionOrder('0.10.0'), to: versionOrder('0.20.0') },
  'limit=100': { limit: 100 },
};
const path = { team: TEAM, product: PRODUCT };

export async function priceSearches(url: string, rounds: number): Promise<Price[]> {
  const [now, whole] = [await openReader(url), await openReader(url)];
  matchWholeWords(whole);
  const prices: Price[] = [];
  try {
    for (const [typed, word] of Object.entries(TYPED))
      for (const [filter, more] of Object.entries(FILTERS)) {
        const query = (text: string) => ({ ...NO_FILTER, limit: 20, ...more, words: parseWords(text) });
        const reads = [
          () => findPage(whole, path, visibleRows('public'), query(word)),
          () => findPage(now, path, visibleRows('public'), query(typed)),
          () => countMatches(now, path, visibleRows('public'), query(typed)),
        ];
        const [wholeMs = 0, nowMs = 0, countMs = 0] = await fastest(reads, rounds);
        prices.push({ name: [`q=${typed}`, filter].join(' ').trim(), wholeMs, nowMs, countMs });
      }
    return prices;
  } finally {
    for (const db of [now, whole] satisfies Reader[]) await db.destroy();
  }
}

/** The fastest of some rounds, which take turns: whatever else the machine does can only add to a time. */
export async function fastest(reads: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const times = reads.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [index, read] of reads.entries()) {
      const startedAt = performance.now();
      await read();
      times[index] = Math.min(times[index] as number, performance.now() - startedAt);
    }
  return times;
}

/** As text, each search that costs too much. A fraction of a millisecond more is no price. */
export function priceViolations(prices: readonly Price[]): string[] {
  return prices
    .filter(({ wholeMs, nowMs }) => nowMs > wholeMs * PRICE_MAX + 0.1)
    .map(
      ({ name, wholeMs, nowMs }) =>
        `${name}: ${nowMs.toFixed(2)} ms, and ${wholeMs.toFixed(2)} ms for whole words`,
    );
}
