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

export function writePageUrl(url: string): string {
  return `<url>${element('loc', url)}</url>\n`;
}

export function writeFileUrl(url: string): string {
  return `<sitemap>${element('loc', url)}</sitemap>\n`;
}

/** The paths of an entry: before the first product of a team comes the page of the team. */
export function sitemapPaths(entry: SitemapEntry, teamBefore: string | null): string[] {
  if (entry.version !== null) return [versionPath(entry, entry.version)];
  const product = productPath(entry);
  return entry.teamSlug === teamBefore ? [product] : [teamPath(entry.teamSlug), product];
}
