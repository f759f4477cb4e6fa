// `/changelog/{team}.md` and `/index.md`: the products that have a page, as Markdown.
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import { escapeInline } from '../outputs/markdown.ts';
import { newestFirst } from '../pages/product/cards.ts';
import type { ListView, Site } from '../pages/views.ts';
import { ENGLISH } from '../words/locale.ts';
import { type MarkdownLink, writeEnd, writeLinks } from './links.ts';

const { about, empty, go } = ENGLISH.words;

export function writeListTwin({ links }: Site, { team, products, isContinued, moreUrl }: ListView): string {
  const fromList = links.fromList(team === null);
  const isWhole = !isContinued && moreUrl === null;
  const listed = (isWhole ? newestFirst(products) : products).map((product): MarkdownLink => {
    const name = team === null ? `${product.productName} (${product.teamName})` : product.productName;
    const url = links.isAbsolute ? links.urlsOf(product).changelog : fromList.changelog(product);
    return [name, links.markdownOf(url), describeNewest(product)];
  });
  const nothing = isContinued ? empty.noMoreProducts : empty.nothingYet;
  return `# ${team === null ? about.changelogs : escapeInline(team.name)}

${listed.length === 0 ? `${nothing}.\n` : writeLinks(listed)}${moreUrl === null ? '' : writeEnd([[go.moreProducts, moreUrl]])}`;
}

export function describeNewest({ newest }: ListedProduct): string {
  if (newest === null) return 'no versions yet';
  const day = newest.publishedAt === null ? '' : ` of ${newest.publishedAt.slice(0, 10)}`;
  return `newest version ${escapeInline(newest.label)}${day}`;
}
