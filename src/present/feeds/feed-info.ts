// The URL, title and alternate formats of a feed.
import type { HeadRow } from '../../store/read/reads.ts';
import { apiPath, type ProductSlugs, productPath } from '../page-paths.ts';

export const FEED_TYPES = {
  'feed.atom': 'application/atom+xml',
  'feed.rss': 'application/rss+xml',
  'feed.json': 'application/feed+json',
  'CHANGELOG.md': 'text/markdown',
} as const;

export type FeedName = keyof typeof FEED_TYPES;
type Alternate = Readonly<{ url: string; type: string }>;

export type FeedInfo = Readonly<{
  /** Does not depend on the URL, so that a moved feed stays the same one. */
  id: string;
  title: string;
  description: string;
  author: string;
  /** BCP 47. */
  language: string;
  product: ProductSlugs;
  baseUrl: string;
  /** The page of the changelog. */
  pageUrl: string;
  /** What readers resolve relative links against; null if they are resolved already (R43). */
  xmlBase: string | null;
  url: string;
  /** The other formats. */
  alternates: readonly Alternate[];
  /** When the last of its versions changed; null without versions. */
  updatedAt: string | null;
}>;

export function describeFeed(
  head: HeadRow,
  { name, baseUrl, updatedAt }: { name: FeedName; baseUrl: string; updatedAt: string | null },
): FeedInfo {
  const changelogUrl = baseUrl + apiPath(head);
  const pageUrl = baseUrl + productPath(head);
  return {
    id: feedUrn(head.changelogId),
    title: head.changelogName.toWellFormed(),
    description: `The versions of ${head.productName.toWellFormed()}, newest first.`,
    author: head.teamName.toWellFormed(),
    language: head.language,
    product: head,
    baseUrl,
    pageUrl,
    xmlBase: head.linkBase === null ? pageUrl : null,
    url: `${changelogUrl}/${name}`,
    alternates: Object.entries(FEED_TYPES)
      .filter(([other]) => other !== name)
      .map(([other, type]) => ({ url: `${changelogUrl}/${other}`, type })),
    updatedAt,
  };
}

/** Feed readers expect identifiers to be URIs. */
export function feedUrn(id: string): string {
  return `urn:changelog:${id}`;
}

/** The `Link` header for the other formats. */
export function formatAlternates({ alternates }: FeedInfo): string {
  return alternates.map(({ url, type }) => `<${url}>; rel="alternate"; type="${type}"`).join(', ');
}
