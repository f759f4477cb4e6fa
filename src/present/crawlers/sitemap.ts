// The pages of all public products and versions, for search engines (https://www.sitemaps.org/protocol.html).
import type { SitemapEntry } from '../../store/read/sitemap.ts';
import type { Frame } from '../feeds/frame.ts';
import { element, XML_DECLARATION } from '../feeds/xml.ts';
import { productPath, teamPath, versionPath } from '../page-paths.ts';

/** In one file; more need an index of files. */
export const SITEMAP_URLS_MAX = 50_000;

export const SITEMAP_TYPE = 'application/xml; charset=utf-8';

export const URL_SET = frameOf('urlset');
export const SITEMAP_INDEX = frameOf('sitemapindex');

function frameOf(name: string): Frame {
  const start = `${XML_DECLARATION}\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
  return { start, between: '', end: `</${name}>\n` };
}

export function writePageUrl(url: string, updatedAt: string | null): string {
  const modified = updatedAt === null ? '' : element('lastmod', updatedAt);
  return `<url>${element('loc', url)}${modified}</url>\n`;
}

export function writeFileUrl(url: string): string {
  return `<sitemap>${element('loc', url)}</sitemap>\n`;
}

export type SitemapPage = Readonly<{ path: string; updatedAt: string | null }>;

/** A list has no time of its own: it shows others. */
export const listPage = (path: string): SitemapPage => ({ path, updatedAt: null });

/** The pages of an entry: before the first product of a team comes the page of the team. */
export function sitemapPages(entry: SitemapEntry, teamBefore: string | null): SitemapPage[] {
  const { version } = entry;
  if (version !== null) return [{ path: versionPath(entry, version), updatedAt: version.updatedAt }];
  const product = listPage(productPath(entry));
  return entry.teamSlug === teamBefore ? [product] : [listPage(teamPath(entry.teamSlug)), product];
}
