import type { VisibleRows } from '../../domain/access/visibility.ts';
import { findPrevious, type Previous } from '../../store/read/find-previous.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore } from '../cache/body.ts';

type Wanted = Readonly<{ path: ProductPath; visible: VisibleRows; labels: readonly string[] }>;

/** The version before each of these, in the state that `writtenAt` names. */
export async function previousOf(
  read: ReadMore,
  { path, visible, labels }: Wanted,
  writtenAt: number,
): Promise<Previous> {
  const { found } = await read((db) => findPrevious(db, path, visible, labels));
  if (found?.writtenAt !== writtenAt) throw new ContentChanged();
  return found;
}
