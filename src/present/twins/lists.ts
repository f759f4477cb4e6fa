// `/changelog/{team}.md` and `/index.md`: the products that have a page, as Markdown.
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import { escapeInline } from '../outputs/markdown.ts';
import type { ListView, Site } from '../pages/views.ts';
import { ENGLISH } from '../words/locale.ts';
import { type MarkdownLink, writeEnd, writeLinks } from './links.ts';

const { about, empty, go } = ENGLISH.words;

export function writeListTwin({ links }: Site, { team, products, isContinued, moreUrl }: ListView): string {
  const listed = products.map((product): MarkdownLink => {
    const name = team === null ? `${product.productName} (${product.teamName})` : product.productName;
    return [name, links.markdownOf(links.urlsOf(product).changelog), describeNewest(product)];
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
