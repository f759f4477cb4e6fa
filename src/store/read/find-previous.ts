// The version before another, in the order of versions: for links that compare the two.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { type AtRevision, firstOf, type ProductPath, selectHead, writtenAt } from './reads.ts';

export type Previous = Readonly<{
  /** By label, without those that have none. */
  labels: ReadonlyMap<string, string>;
  /** The order of the highest published version. */
  highest: string | null;
  /** The revision of the last visible write to the product. Reads with the same value show the same state. */
  writtenAt: number;
}>;

/**
 * The published version before each of these: before a prerelease any, before another version one that is not a
 * prerelease. None for a label that is not a version number.
 */
export async function findPrevious(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
  labels: readonly string[],
): Promise<AtRevision<Previous>> {
  const orders = new Map(labels.map((label) => [label, versionOrder(label)]));
  const wanted = JSON.stringify([...new Set(orders.values())].filter((order) => order !== null));
  const row = firstOf(await selectPrevious(db, { team, product, wanted }, visible));
  const { revision, writtenAt: lastWrite } = row;
  if (row.changelogId === null) return { revision, found: undefined };
  const found = new Map(
    (JSON.parse(row.previous) as PreviousRow[]).map(({ value, label }) => [value, label]),
  );
  const previous = [...orders].flatMap(([label, order]): [string, string][] => {
    const before = order === null ? null : found.get(order);
    return before ? [[label, before]] : [];
  });
  return {
    revision,
    found: { labels: new Map(previous), highest: row.highest, writtenAt: lastWrite ?? 0 },
  };
}

type PreviousRow = Readonly<{ value: string; label: string | null }>;

type Values = ProductPath & Readonly<{ wanted: string }>;

/** `version_counts` leads past any number of prereleases. A place there begins with its order, and sorts right after it. */
const selectPrevious = prepare((db, { team, product, wanted }: Values, visible: VisibleRows) => {
  const { rowsAsJson, textsOf } = dialectOf(db);
  const below = sql`case when each.value like '%~' then (select max(c.place) from version_counts c
      where c.changelog_id = changelogs.id and c.status = 'published' and c.kind = 0 and c.level = 0
        and c.place < each.value) else each.value end`;
  const published = sql`version_facts f where f.changelog_id = changelogs.id and f.status = 'published'`;
  const previous = sql<string | null>`(select f.label from ${published} and f.version_order < ${below}
    order by f.version_order desc, f.sort_key desc, f.version_id limit 1)`;
  return selectHead(db, { team, product }, visible)
    .select(writtenAt(visible))
    .select((eb) => [
      rowsAsJson(
        eb.selectFrom(textsOf(sql`${wanted}`).as('each')).select(['each.value', previous.as('label')]),
      ).as('previous'),
      sql<string | null>`(select max(f.version_order) from ${published})`.as('highest'),
    ]);
});
