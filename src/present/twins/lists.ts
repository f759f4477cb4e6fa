// `/changelog/{team}.md` and `/index.md`: the products that have a page, as Markdown.
import { isDayOf } from '../../domain/timestamp.ts';
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import { escapeInline } from '../outputs/markdown.ts';
import { newestFirst } from '../pages/product/cards.ts';
import type { ListView, Site } from '../pages/views.ts';
import { ENGLISH } from '../words/locale.ts';
import { type MarkdownLink, writeEnd, writeLinks } from './links.ts';

const { about, empty, go } = ENGLISH.words;

export function writeListTwin(site: Site, view: ListView): string {
  const { team, isContinued, moreUrl } = view;
  const listed = linksToProducts(site, view, !isContinued && moreUrl === null);
  const nothing = isContinued ? empty.noMoreProducts : empty.nothingYet;
  return `# ${team === null ? about.changelogs : escapeInline(team.name)}

${listed.length === 0 ? `${nothing}.\n` : writeLinks(listed)}${moreUrl === null ? '' : writeEnd([[go.moreProducts, moreUrl]])}`;
}

/** Newest first if these are all, like their cards. */
export function linksToProducts(
  { links }: Site,
  { team, products }: Pick<ListView, 'team' | 'products'>,
  isWhole: boolean,
): MarkdownLink[] {
  const fromList = links.fromList(team === null);
  return (isWhole ? newestFirst(products) : products).map((product) => {
    const name = team === null ? `${product.productName} (${product.teamName})` : product.productName;
    const url = links.isAbsolute ? links.urlsOf(product).changelog : fromList.changelog(product);
    return [name, links.markdownOf(url), describeNewest(product)];
  });
}

export function describeNewest({ newest }: ListedProduct): string {
  if (newest === null) return 'no versions yet';
  const day = newest.publishedAt === null || isDayOf(newest) ? '' : ` of ${newest.publishedAt.slice(0, 10)}`;
  return `newest version ${escapeInline(newest.label)}${day}`;
}
