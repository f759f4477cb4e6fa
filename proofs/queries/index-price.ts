// What building the index of a changelog costs its first reader and everybody else, and what a timeline costs.
import { sql } from 'kysely';
import { TEAM } from '../../bench/data/datasets.ts';
import { LONG_SLUG, labelOf, longChangelog } from '../../bench/data/long.ts';
import { visibleRows } from '../../src/domain/access/visibility.ts';
import { NO_FILTER } from '../../src/domain/feed-query.ts';
import { findTimeline } from '../../src/store/read/lists/timeline.ts';
import { findPage } from '../../src/store/read/pages.ts';
import { openReader, openWriter } from '../../support/databases/open.ts';
import { teamStatements } from './team.ts';

const FEW = 1_000;
const READS = 50;
const WRITES = 5;
const BUILD_CPU_MS_MAX = { few: 5, many: 400 };
const WAIT_MS_MAX = 250;
const TIMELINE_MS_MAX = 30;

export type Price = Readonly<{ name: string; value: number; max: number }>;
/** Makes a database of these statements. */
type UrlFor = (statements: readonly string[]) => Promise<string>;
type Sizes = Readonly<{ versions: number; products: number }>;

const PUBLIC = visibleRows('public');
const LONG = { team: TEAM, product: `${LONG_SLUG}-1` };
const PAGE = { ...NO_FILTER, limit: 20 };

export async function priceIndex(urlFor: UrlFor, { versions, products }: Sizes): Promise<Price[]> {
  return [
    ...(await priceBuild(await urlFor(longChangelog(FEW)), FEW, BUILD_CPU_MS_MAX.few)),
    ...(await priceBuild(await urlFor(longChangelog(versions)), versions, BUILD_CPU_MS_MAX.many)),
    await priceTimeline(await urlFor(teamStatements(products, products)), products),
  ];
}

/** The first read after a write builds the index again. The database is changed, and keeps its content. */
async function priceBuild(url: string, versions: number, cpuMsMax: number): Promise<Price[]> {
  const [db, writer] = [await openReader(url), await openWriter(url, { create: false })];
  const read = () => findPage(db, LONG, PUBLIC, { ...PAGE, types: ['security'] });
  const edit = () => sql`update versions set yanked = 1 - yanked where label = ${labelOf(1)}`.execute(writer);
  try {
    let [cpuMs, waitMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let write = 0; write < WRITES; write++) {
      await read();
      await edit();
      const before = process.cpuUsage();
      await read();
      const { user, system } = process.cpuUsage(before);
      cpuMs = Math.min(cpuMs, (user + system) / 1_000);
      await edit();
      waitMs = Math.min(waitMs, await longestWait(read));
    }
    const name = `first read after a write, ${versions} versions`;
    return [
      { name: `${name}: processor time`, value: cpuMs, max: cpuMsMax },
      { name: `${name}: others wait`, value: waitMs, max: WAIT_MS_MAX },
    ];
  } finally {
    for (const opened of [db, writer]) await opened.destroy();
  }
}

/** How long the event loop was busy at a time meanwhile. Looking takes processor time itself. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isDone] = [0, performance.now(), false];
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  turn();
  return longest;
}

/** The fastest of some: whatever else the machine does can only add to a time. */
async function priceTimeline(url: string, products: number): Promise<Price> {
  const db = await openReader(url);
  try {
    let fastest = Number.POSITIVE_INFINITY;
    for (let read = 0; read < READS; read++) {
      const startedAt = performance.now();
      await findTimeline(db, TEAM, PUBLIC, { ...PAGE, withChanges: true }, null);
      fastest = Math.min(fastest, performance.now() - startedAt);
    }
    return { name: `timeline of ${products} products`, value: fastest, max: TIMELINE_MS_MAX };
  } finally {
    await db.destroy();
  }
}

export const describePrice = ({ name, value, max }: Price) =>
  `${name}: ${value.toFixed(1)} ms, at most ${max} ms`;

export const violations = (prices: readonly Price[]) =>
  prices.filter(({ value, max }) => value > max).map(describePrice);
