import type { VisibleRows } from '../../domain/access/visibility.ts';
import { findOutline, type Outline } from '../../store/read/outline.ts';
import type { Page } from '../../store/read/pages.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { ContentChanged, type WriteBody } from '../cache/body.ts';

type Source = Readonly<{ params: ProductPath; visible: VisibleRows; read: Parameters<WriteBody>[1] }>;

/** What a page offers to choose from, in the state that it shows. */
export async function outlineOf(
  { writtenAt }: Pick<Page, 'writtenAt'>,
  { params, visible, read }: Source,
): Promise<Outline> {
  const { found } = await read((reader) => findOutline(reader, params, visible));
  if (found?.writtenAt !== writtenAt) throw new ContentChanged();
  return found;
}
