// What there is to read and where, as Markdown for language models (https://llmstxt.org).
import type { ListedProduct } from '../../store/read/listing.ts';
import type { FeedName } from '../feeds/feed-info.ts';
import type { Frame } from '../feeds/frame.ts';
import { escapeInline } from '../feeds/markdown.ts';
import { apiPath, productPath } from '../page-paths.ts';

/** Browsers show it, and download Markdown. */
export const LLMS_TYPE = 'text/plain; charset=utf-8';

export function frameLlms(baseUrl: string): Frame {
  return {
    start: `# Changelogs

> What changed in each version of these products. Everything is available as a page, as Markdown, as a feed and as JSON.

To compare two versions, add \`/changes.md?from=1.0.0&to=2.0.0\` to the URL of a changelog: the result is Markdown with what
changed after 1.0.0, up to and including 2.0.0, by type, breaking changes first.
`,
    between: '',
    end: `
## API

- [API reference](${baseUrl}/docs): read changelogs as JSON, with search and filters
- [OpenAPI document](${baseUrl}/api/openapi.json): the same for programs
`,
  };
}

const FILES: Readonly<Record<FeedName, string>> = {
  'CHANGELOG.md': 'all versions in one Markdown file',
  'feed.atom': 'the newest versions as an Atom feed',
  'feed.rss': 'the newest versions as an RSS feed',
  'feed.json': 'the newest versions as a JSON Feed',
};

/** A section with the links of a product. */
export function writeLlmsProduct(baseUrl: string, product: ListedProduct): string {
  const page = baseUrl + productPath(product);
  const files = Object.entries(FILES).map(([name, text]) => [
    name,
    `${baseUrl}${apiPath(product)}/${name}`,
    text,
  ]);
  const links = [['Changelog', page, describeNewest(product)], ...files];
  const lines = links.map(([name, url, text]) => `- [${name}](${url}): ${text}\n`);
  const title = `${escapeInline(product.productName)} (${escapeInline(product.teamName)})`;
  return `\n## ${title}\n\n${lines.join('')}`;
}

function describeNewest({ newest }: ListedProduct): string {
  if (newest === null) return 'no versions yet';
  const day = newest.publishedAt === null ? '' : ` of ${newest.publishedAt.slice(0, 10)}`;
  return `newest version ${escapeInline(newest.label)}${day}`;
}
