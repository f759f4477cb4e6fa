// RSS 2.0.
import type { Entry } from './entry.ts';
import { FEED_TYPES, type FeedInfo } from './feed-info.ts';
import type { Frame } from './frame.ts';
import { element, link, XML_DECLARATION } from './xml.ts';

export function writeRssItem(entry: Entry): string {
  return [
    '<item>',
    element('guid', entry.id, ' isPermaLink="false"'),
    element('title', entry.title),
    element('link', entry.url),
    element('pubDate', writeDate(entry.publishedAt)),
    ...entry.tags.map((tag) => element('category', tag)),
    element('description', entry.html),
    '</item>\n',
  ].join('\n');
}

export function frameRss(place: FeedInfo): Frame {
  const lines = [
    XML_DECLARATION,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', place.title),
    element('link', place.changelogUrl),
    element('description', place.description),
    ...(place.updatedAt === null ? [] : [element('lastBuildDate', writeDate(place.updatedAt))]),
    link('atom:link', 'self', { url: place.url, type: FEED_TYPES['feed.rss'] }),
    ...place.alternates.map((other) => link('atom:link', 'alternate', other)),
  ];
  return { start: `${lines.join('\n')}\n`, between: '', end: '</channel>\n</rss>\n' };
}

/** As RFC 822 has it, with four digits for the year: `Mon, 04 May 2026 09:00:00 GMT`. */
function writeDate(moment: string): string {
  return new Date(moment).toUTCString();
}
