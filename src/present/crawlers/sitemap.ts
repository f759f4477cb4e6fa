// What search engines are told: the pages of all public products and versions (https://www.sitemaps.org/protocol.html).

import type { Links, NamedVersion, ProductSlugs } from '../links.ts';
import type { Frame } from '../outputs/output.ts';
import { element, XML_DECLARATION } from '../outputs/xml.ts';

/** More would need an index of several files. */
export const SITEMAP_URLS_MAX = 50_000;

export const URL_SET: Frame = {
  start: `${XML_DECLARATION}\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
  between: '',
  end: '</urlset>\n',
};

export type SitemapPage = Readonly<{ url: string; updatedAt: string | null }>;

export function writePageUrl({ url, updatedAt }: SitemapPage): string {
  const modified = updatedAt === null ? '' : element('lastmod', updatedAt);
  return `<url>${element('loc', url)}${modified}</url>\n`;
}

/** A list has no timestamp of its own. */
export const listPage = (url: string): SitemapPage => ({ url, updatedAt: null });

/** A product's pages; the team's page comes before its first product. */
export function sitemapPages(
  links: Links,
  product: ProductSlugs,
  versions: readonly (NamedVersion & Pick<SitemapPage, 'updatedAt'>)[],
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

/** Keeps the most recently changed pages, in their order. Lists count as the newest, because they show what is new. */
export function newestPages(pages: SitemapPage[], pagesMax: number): SitemapPage[] {
  if (pages.length <= pagesMax) return pages;
  // Without a comparison of our own, which takes longer.
  const times = pages.map(({ updatedAt }, at) => `${updatedAt ?? '~'} ${2e9 - at}`);
  const oldest = times.toSorted().at(-pagesMax) as string;
  return pages.filter((_, at) => (times[at] as string) >= oldest);
}

/** Behind the gate there is nothing to crawl (R38); a sitemap exists only if everything is listed (R40). */
export function writeRobots(at: Readonly<{ isGated: boolean; sitemapUrl: string | null }>): string {
  if (at.isGated) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *\nAllow: /\n${at.sitemapUrl === null ? '' : `\nSitemap: ${at.sitemapUrl}\n`}`;
}
