// RSS 2.0.
import { type Entry, entriesBy } from './entry.ts';
import type { FeedInfo, Frame, Output } from './output.ts';
import { element, link, mediaImage, writeLines, XML_DECLARATION, xmlBase } from './xml.ts';

const MEDIA_TYPE = 'application/rss+xml';

export const rss: Output = {
  ...entriesBy(writeItem),
  name: 'RssFeed',
  summary: 'The changelog as an RSS 2.0 feed.',
  mediaType: MEDIA_TYPE,
  label: 'RSS',
  about: 'the newest versions as an RSS feed',
  frame,
};

export function writeItem(entry: Entry): string {
  return writeLines([
    `<item${entry.product === null ? '' : xmlBase(entry.product)}>`,
    element('guid', entry.id, ' isPermaLink="false"'),
    element('title', entry.title),
    element('link', entry.url),
    element('pubDate', formatDate(entry.publishedAt)),
    ...entry.tags.map((tag) => element('category', tag)),
    mediaImage(entry.image),
    element('description', entry.html),
    '</item>',
  ]);
}

function frame(feed: FeedInfo): Frame {
  const image = feed.logo ?? feed.image;
  const ofPage = element('title', feed.title) + element('link', feed.pageUrl);
  const start = writeLines([
    XML_DECLARATION,
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"${xmlBase(feed)}>`,
    '<channel>',
    element('title', feed.title),
    element('link', feed.pageUrl),
    element('description', feed.description),
    element('language', feed.language),
    feed.updatedAt && element('lastBuildDate', formatDate(feed.updatedAt)),
    // With the title and the link of the channel, as RSS requires.
    image && `<image>${element('url', image)}${ofPage}</image>`,
    link('atom:link', 'self', { url: feed.url, type: MEDIA_TYPE }),
    ...feed.alternates.map((other) => link('atom:link', 'alternate', other)),
    ...feed.hubs.map((url) => link('atom:link', 'hub', { url })),
  ]);
  return { start, between: '', end: '</channel>\n</rss>\n' };
}

/** RFC 822, with a four-digit year: `Mon, 04 May 2026 09:00:00 GMT`. */
const formatDate = (timestamp: string): string => new Date(timestamp).toUTCString();
