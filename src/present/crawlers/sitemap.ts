// The pages of all public products and versions, for search engines (https://www.sitemaps.org/protocol.html).
import type { IndexedVersion } from '../../store/read/index.ts';
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import type { Links } from '../links.ts';
import type { Frame } from '../outputs/output.ts';
import { element, XML_DECLARATION } from '../outputs/xml.ts';

/** More would need an index of several files. */
export const SITEMAP_URLS_MAX = 50_000;

export const SITEMAP_TYPE = 'application/xml; charset=utf-8';

export const URL_SET: Frame = {
  start: `${XML_DECLARATION}\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
  between: '',
  end: '</urlset>\n',
};

export function writePageUrl(url: string, updatedAt: string | null): string {
  const modified = updatedAt === null ? '' : element('lastmod', updatedAt);
  return `<url>${element('loc', url)}${modified}</url>\n`;
}

export type SitemapPage = Readonly<{ url: string; updatedAt: string | null }>;

/** A list has no timestamp of its own. */
export const listPage = (url: string): SitemapPage => ({ url, updatedAt: null });

/** A product's pages; the team's page comes before its first product. */
export function sitemapPages(
  links: Links,
  product: Pick<ListedProduct, 'teamSlug' | 'productSlug' | 'domain'>,
  versions: readonly Pick<IndexedVersion, 'id' | 'label' | 'updatedAt'>[],
  teamBefore: string | null,
): SitemapPage[] {
  const { teamSlug } = product;
  const urls = links.urlsOf(product);
  return [
    ...(teamSlug === teamBefore ? [] : [listPage(links.listUrl(teamSlug))]),
    listPage(urls.changelog),
    ...versions.map((version) => ({ url: urls.version(version), updatedAt: version.updatedAt })),
  ];
}

/** Lists count as the newest, because they show what is new. */
const timeOf = ({ updatedAt }: SitemapPage) => updatedAt ?? '~';

/** Keeps the most recently changed pages, in their order. */
export function newestPages(pages: SitemapPage[], pagesMax: number): SitemapPage[] {
  if (pages.length <= pagesMax) return pages;
  // Without a comparison of our own, which takes longer.
  const oldest = pages.map(timeOf).sort().at(-pagesMax) as string;
  let ties = pagesMax - pages.filter((page) => timeOf(page) > oldest).length;
  return pages.filter((page) => timeOf(page) > oldest || (timeOf(page) === oldest && ties-- > 0));
}
