// The first page of a changelog, not cached: of very many versions it takes about as long as of few.
import { TEAM } from '../../bench/data/datasets.ts';
import { LONG_SLUG } from '../../bench/data/long.ts';
import { startNode } from '../../cluster/nodes.ts';
import type { Scope } from '../../cluster/scope.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { get } from './others.ts';

const PAGE = `/changelog/${TEAM}/${LONG_SLUG}-1`;
const WARM_UPS = 20;

/** With many versions, the menu and the years are longer; that may take a little more. */
export const FIRST_PAGE_FACTOR_MAX = 1.5;

/** Medians in milliseconds. */
export type FirstPages = Readonly<{ fewMs: number; manyMs: number }>;

/** Takes turns, so that whatever else the machine does slows down both. */
export async function compareFirstPages(
  scope: Scope,
  urls: Readonly<{ few: string; many: string }>,
  rounds: number,
): Promise<FirstPages> {
  const pages = [];
  for (const DATABASE_URL of [urls.few, urls.many]) {
    const environment = {
      DATABASE_URL,
      CACHE_MAX_MB: '0',
      LOG_LEVEL: 'error',
      AUTO_MIGRATE: 'false',
      PUBLIC_RATE_LIMIT: '1000000000',
    };
    const { address } = await startNode(scope, { folder: temporaryFolder(scope), environment });
    pages.push({ url: address + PAGE, times: [] as number[] });
  }
  for (let round = -WARM_UPS; round < rounds; round++)
    for (const { url, times } of pages) {
      const { status, failure, ms } = await get(url, '127.0.1.6');
      if (status !== 200) throw new Error(`${url}: ${failure ?? status}`);
      if (round >= 0) times.push(ms);
    }
  const [fewMs = 0, manyMs = 0] = pages.map(
    ({ times }) => times.toSorted((a, b) => a - b)[times.length >> 1],
  );
  return { fewMs, manyMs };
}

/** As text, if it takes too long. */
export function firstPageViolationOf({ fewMs, manyMs }: FirstPages): string[] {
  return manyMs <= fewMs * FIRST_PAGE_FACTOR_MAX
    ? []
    : [
        `the first page takes ${(manyMs / fewMs).toFixed(2)} times as long; at most ${FIRST_PAGE_FACTOR_MAX} is allowed`,
      ];
}
