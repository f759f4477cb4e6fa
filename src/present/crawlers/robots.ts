/** Behind the gate there is nothing to crawl (R38); a sitemap exists only if everything is listed (R40). */
export function writeRobots({
  isGated,
  sitemapUrl,
}: Readonly<{ isGated: boolean; sitemapUrl: string | null }>): string {
  if (isGated) return 'User-agent: *\nDisallow: /\n';
  const sitemap = sitemapUrl === null ? '' : `\nSitemap: ${sitemapUrl}\n`;
  return `User-agent: *\nAllow: /\n${sitemap}`;
}
