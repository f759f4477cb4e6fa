import type { VisibleRows } from '../../domain/access/visibility.ts';
import { alternateLink } from '../../present/links.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { ReadRequest } from '../read.ts';

/** Programs that link to the page of a product with its own domain find it here; the others know where it is. */
export function linkToPage({ site }: ReadRequest, head: HeadRow, { team }: VisibleRows): string | undefined {
  if (site.links.ownRoot(head.domain) === null || team === undefined) return undefined;
  return alternateLink(site.links.urlsOf(head).changelog, 'text/html');
}
