// Where a page of a list of products ends: at a team and a product, which are the two parts of its cursor.
import type { FeedPosition } from '../../domain/feed-query.ts';
import type { ProductList } from '../../store/read/lists/listing.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { ReadRequest } from '../read.ts';

type ListEnd = Readonly<{ end: FeedPosition | null; cursorKey: string }>;

export function endOf({ end, cursorKey }: Pick<ProductList, 'end' | 'cursorKey'>): ListEnd {
  return { end: end && { sortKey: end.team, id: end.product }, cursorKey };
}

export function afterOf({ query }: ReadRequest): ProductPath | null {
  const position = query.cursor?.position;
  return position === undefined ? null : { team: position.sortKey, product: position.id };
}
