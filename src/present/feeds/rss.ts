// RSS 2.0.
import type { Entry } from './entry.ts';
import { FEED_TYPES, type FeedInfo } from './feed-info.ts';
import type { Frame } from './frame.ts';
import { element, link, XML_DECLARATION, xmlBase } from './xml.ts';

export function writeRssItem(entry: Entry): string {
  return [
    '<item>',
    element('guid', entry.id, ' isPermaLink="false"'),
    element('title', entry.title),
    element('link', entry.url),
    element('pubDate', formatDate(entry.publishedAt)),
    ...entry.tags.map((tag) => element('category', tag)),
    element('description', entry.html),
    '</item>\n',
  ].join('\n');
}

export function frameRss(feed: FeedInfo): Frame {
  const lines = [
    XML_DECLARATION,
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"${xmlBase(feed)}>`,
    '<channel>',
    element('title', feed.title),
    element('link', feed.pageUrl),
    element('description', feed.description),
    element('language', feed.language),
    ...(feed.updatedAt === null ? [] : [element('lastBuildDate', formatDate(feed.updatedAt))]),
    link('atom:link', 'self', { url: feed.url, type: FEED_TYPES['feed.rss'] }),
    ...feed.alternates.map((other) => link('atom:link', 'alternate', other)),
  ];
  return { start: `${lines.join('\n')}\n`, between: '', end: '</channel>\n</rss>\n' };
}

/** RFC 822, with a four-digit year: `Mon, 04 May 2026 09:00:00 GMT`. */
function formatDate(timestamp: string): string {
  return new Date(timestamp).toUTCString();
}
