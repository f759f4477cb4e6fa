// Checks of what feed readers and search engines find.
import { type Check, DOCS, PRODUCT, readPage, TEAM } from './site.ts';

const FEEDS = ['application/atom+xml', 'application/feed+json', 'application/rss+xml'];
/** On pages with filters, and on those with older versions. */
const NOT_INDEXED = '<meta name="robots" content="noindex, follow">';
/** Other names of what has a canonical URL. */
const ALIASES = [
  `${PRODUCT}/versions/latest`,
  `${PRODUCT}/versions/v2.0.0`,
  `${PRODUCT}?q=launch`,
  `${PRODUCT}/changes`,
];

export const checkFeeds: Check = async (site, { views }) => {
  const problems: string[] = [];
  const withFeeds = views.filter(
    ({ path, status }) => path.startsWith(TEAM) && status === 200 && !path.includes('products='),
  );
  for (const { name, path } of withFeeds) {
    const { html } = await readPage(site, path);
    const found = linksOf(html, 'alternate').filter(({ type = '' }) => FEEDS.includes(type));
    if (
      found
        .map(({ type }) => type)
        .sort()
        .join() !== FEEDS.join()
    )
      problems.push(`${name}: found ${found.map(({ type }) => type).join(', ')}`);
    for (const { href = '', type = '' } of found) {
      const { status, headers } = await readPage(site, new URL(href, site.origin + path).href);
      const answered = headers.get('content-type') ?? '';
      if (status !== 200 || !answered.startsWith(type)) problems.push(`${href}: ${status} ${answered}`);
    }
  }
  return { figure: `${FEEDS.length} on each of ${withFeeds.length} pages, all 200`, problems };
};

export const checkCanonicals: Check = async (site, { views }) => {
  const problems: string[] = [];
  const found = new Set<string>();
  const paths = [
    ...views.filter((view) => view.status === 200 && view !== DOCS).map(({ path }) => path),
    ...ALIASES,
  ];
  for (const path of paths) {
    const { html } = await readPage(site, path);
    const canonical = canonicalOf(html);
    if (canonical === undefined) problems.push(`${path}: no canonical URL`);
    else found.add(canonical);
    if (html.includes(NOT_INDEXED) !== path.includes('?')) problems.push(`${path}: wrong for search engines`);
  }
  for (const url of found) {
    const { status, html } = await readPage(site, url);
    if (status !== 200 || canonicalOf(html) !== url)
      problems.push(`${url}: ${status}, names ${canonicalOf(html)}`);
  }
  return { figure: `${found.size} URLs of ${paths.length} pages`, problems };
};

const canonicalOf = (html: string) => linksOf(html, 'canonical')[0]?.href;

/** The `link` elements of a relation, as a program without a browser reads them. */
function linksOf(html: string, relation: string): Record<string, string>[] {
  return [...html.matchAll(/<link\s([^>]*)>/g)]
    .map(([, attributes = '']) =>
      Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
          name,
          value.replaceAll('&amp;', '&'),
        ]),
      ),
    )
    .filter(({ rel }) => rel === relation);
}
