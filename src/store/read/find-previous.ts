// The version before another, in the order of versions: for links that compare the two.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { Reader } from '../engine/engine.ts';
import { orderOf, previousOf } from './choose.ts';
import { readFromIndex } from './index.ts';
import type { AtRevision, ProductPath } from './reads.ts';

export type Previous = Readonly<{
  /** By label, without those that have none. */
  labels: ReadonlyMap<string, string>;
  /** The order of the highest published version. */
  highest: string | null;
  /** The revision of the last visible write to the product. Reads with the same value show the same state. */
  writtenAt: number;
}>;

/** The published version before each of these; none for a label that is not a version number. */
export function findPrevious(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  labels: readonly string[],
): Promise<AtRevision<Previous>> {
  return readFromIndex(db, path, visible, (index) => {
    const highest = index.ordered.findLast(({ isPublished }) => isPublished);
    const previous = labels.flatMap((label): [string, string][] => {
      const before = previousOf(index, label);
      return before === undefined ? [] : [[label, before.label]];
    });
    return {
      labels: new Map(previous),
      highest: highest === undefined ? null : orderOf(highest),
      writtenAt: index.writtenAt,
    };
  });
}
