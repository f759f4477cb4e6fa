// What search engines are told: the pages of all public products and versions (https://www.sitemaps.org/protocol.html); and
// language models: what there is to read and where, as Markdown (https://llmstxt.org).
import type { ListedProduct } from '../store/read/lists/listing.ts';
import type { Links, NamedVersion, ProductSlugs } from './links.ts';
import { describeNewest, linksToOutputs, linkTo, writeLinks } from './markdown-pages.ts';
import { escapeInline } from './outputs/markdown.ts';
import type { Frame } from './outputs/output.ts';
import { element, XML_DECLARATION } from './outputs/xml.ts';
import type { Site } from './pages/document.ts';
import type { ListView } from './pages/list-pages.ts';

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

/** Of one team, or of all. */
export function frameLlms(
  { baseUrl, links, isStatic }: Pick<Site, 'baseUrl' | 'links' | 'isStatic'>,
  team: ListView['team'] = null,
): Frame {
  const start = `# ${team === null ? 'Changelogs' : escapeInline(team.name)}

> What changed in each version of these products. Everything is available as a page, as Markdown, as a feed and as JSON.
`;
  const ofAll =
    team === null
      ? ''
      : `\nAll of them by date, newest first: ${linkTo(team.name, links.markdownOf(links.listUrl(team.slug)))}\n`;
  if (isStatic) return { start: start + FILES_OF_VERSIONS, between: '', end: '' };
  return {
    start: `${start}${ofAll}
Every page is also Markdown: add \`.md\` to its URL, or \`index.md\` if the URL ends with a slash. \`changes.md?from=1.0.0&to=2.0.0\`
below the URL of a changelog compares two versions: what changed after 1.0.0, up to and including 2.0.0, breaking changes
first, then by type. \`versions/latest.md\` has the latest version.

Feeds and CHANGELOG.md take filters: \`type=security\` and \`breaking=true\` leave only such changes, \`from=1.0.0&to=2.0.0\`
only versions in between, and \`prerelease=false\`, \`since\`, \`until\` and \`q\` (words) work as in the API.
`,
    between: '',
    end: `
## API

- [API reference](${baseUrl}/docs): read changelogs as JSON, with search and filters
- [OpenAPI document](${baseUrl}/api/openapi.json): the same for programs
`,
  };
}

const FILES_OF_VERSIONS = `
Next to each CHANGELOG.md, \`changelog.json\` lists all versions, and \`versions/LABEL.md\` has one as Markdown;
\`versions/latest/notes.md\` has the notes of the latest.
`;

/** A product's section: links to its page, then to its formats, those with all versions first. */
export function writeLlmsProduct({ links, outputs }: Site, product: ListedProduct): string {
  const urls = links.fromRoot(product);
  const lines = writeLinks([
    ['Changelog', urls.changelog, describeNewest(product)],
    ['Markdown', links.markdownOf(urls.changelog), 'the newest versions in full'],
    ...linksToOutputs(outputs, urls),
  ]);
  const names = [product.productName, product.teamName].map(escapeInline);
  const title = names[0] === names[1] ? names[0] : `${names[0]} (${names[1]})`;
  return `\n## ${title}\n\n${lines}`;
}
