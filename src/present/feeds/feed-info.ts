// Where a feed is, what it is called, and where the same is in other formats.
import type { HeadRow } from '../../store/read/reads.ts';

export const FEED_TYPES = {
  'feed.atom': 'application/atom+xml',
  'feed.rss': 'application/rss+xml',
  'feed.json': 'application/feed+json',
  'CHANGELOG.md': 'text/markdown',
} as const;

export type FeedName = keyof typeof FEED_TYPES;
export type Alternate = Readonly<{ url: string; type: string }>;

export type FeedInfo = Readonly<{
  /** Does not depend on the address: the feed stays the same one when it moves. */
  id: string;
  title: string;
  description: string;
  author: string;
  /** The changelog itself, as JSON. */
  changelogUrl: string;
  url: string;
  /** The same in every other format. */
  alternates: readonly Alternate[];
  /** When the newest version was published; null if there is none. */
  updatedAt: string | null;
}>;

export function describeFeed(
  head: HeadRow,
  { name, changelogUrl, updatedAt }: { name: FeedName; changelogUrl: string; updatedAt: string | null },
): FeedInfo {
  return {
    id: feedUrn(head.changelogId),
    title: head.changelogName.toWellFormed(),
    description: `The versions of ${head.productName.toWellFormed()}, newest first.`,
    author: head.teamName.toWellFormed(),
    changelogUrl,
    url: `${changelogUrl}/${name}`,
    alternates: Object.entries(FEED_TYPES)
      .filter(([other]) => other !== name)
      .map(([other, type]) => ({ url: `${changelogUrl}/${other}`, type })),
    updatedAt,
  };
}

/** An identifier as readers of feeds want it: an address of nothing. */
export function feedUrn(id: string): string {
  return `urn:changelog:${id}`;
}

/** The value of a `Link` header that leads to the other formats. */
export function writeAlternates({ alternates }: FeedInfo): string {
  return alternates.map(({ url, type }) => `<${url}>; rel="alternate"; type="${type}"`).join(', ');
}
