// Atom (RFC 4287).
import type { Entry } from './entry.ts';
import { FEED_TYPES, type FeedInfo } from './feed-info.ts';
import type { Frame } from './frame.ts';
import { element, escapeXml, link, XML_DECLARATION } from './xml.ts';

/** The standard wants a date of every feed, and a clock would make other bytes of the same versions. */
const NEVER = '1970-01-01T00:00:00.000Z';

export function writeAtomEntry(entry: Entry): string {
  return [
    '<entry>',
    element('id', entry.id),
    element('title', entry.title),
    element('published', entry.publishedAt),
    element('updated', entry.publishedAt),
    link('link', 'alternate', { url: entry.url, type: 'application/json' }),
    ...entry.tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    element('content', entry.html, ' type="html"'),
    '</entry>\n',
  ].join('\n');
}

export function frameAtom(place: FeedInfo): Frame {
  const lines = [
    XML_DECLARATION,
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', place.id),
    element('title', place.title),
    element('subtitle', place.description),
    element('updated', place.updatedAt ?? NEVER),
    `<author>${element('name', place.author)}</author>`,
    link('link', 'self', { url: place.url, type: FEED_TYPES['feed.atom'] }),
    link('link', 'alternate', { url: place.changelogUrl, type: 'application/json' }),
    ...place.alternates.map((other) => link('link', 'alternate', other)),
  ];
  return { start: `${lines.join('\n')}\n`, between: '', end: '</feed>\n' };
}
