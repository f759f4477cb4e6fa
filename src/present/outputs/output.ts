// A changelog in a format that other programs read (R34). To add one, write a file beside this one with an `Output`, and
// give it a line in http/routes.ts.
import type { Schema } from '../../domain/schema.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../html/render.ts';
import { apiPath, type ProductSlugs, productPath } from '../page-paths.ts';

export type Output = Readonly<{
  /** Names its operation: `AtomFeed` makes `getPublicAtomFeed`. */
  name: string;
  summary: string;
  description: string;
  /** The schemas of JSON bodies; none for other formats. */
  bodies: readonly Schema<unknown>[];
  mediaType: string;
  /** Links on pages have this text. */
  label: string;
  /** Follows its link in `llms.txt`. */
  about: string;
  /** All versions, or the newest ones? */
  isWhole: boolean;
  frame: (feed: FeedInfo) => Frame;
  writeVersion: (feed: FeedInfo, version: FullVersion, render: Render) => string | Promise<string>;
}>;

/** The last part of its path: `feed.atom`. */
export type NamedOutput = Output & Readonly<{ file: string }>;

/** The text around the versions, so that they can be written one by one. */
export type Frame = Readonly<{ start: string; between: string; end: string }>;

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

type FeedContext = Readonly<{ baseUrl: string; outputs: readonly NamedOutput[] }>;

export function describeFeed(
  head: HeadRow,
  { file, updatedAt }: Readonly<{ file: string; updatedAt: string | null }>,
  { baseUrl, outputs }: FeedContext,
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
    url: `${changelogUrl}/${file}`,
    alternates: outputs
      .filter((other) => other.file !== file)
      .map((other) => ({ url: `${changelogUrl}/${other.file}`, type: other.mediaType })),
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
