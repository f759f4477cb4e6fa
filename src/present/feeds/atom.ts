// Atom (RFC 4287).
import type { Entry } from './entry.ts';
import { FEED_TYPES, type FeedInfo } from './feed-info.ts';
import type { Frame } from './frame.ts';
import { element, escapeXml, link, XML_DECLARATION, xmlBase } from './xml.ts';

/** Atom requires a date. The current time would change the bytes of an empty feed. */
const NEVER = '1970-01-01T00:00:00.000Z';

const PAGE_TYPE = 'text/html';

export function writeAtomEntry(entry: Entry): string {
  return [
    '<entry>',
    element('id', entry.id),
    element('title', entry.title),
    element('published', entry.publishedAt),
    element('updated', entry.updatedAt),
    link('link', 'alternate', { url: entry.url, type: PAGE_TYPE }),
    ...entry.tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    element('content', entry.html, ' type="html"'),
    '</entry>\n',
  ].join('\n');
}

export function frameAtom(feed: FeedInfo): Frame {
  const lines = [
    XML_DECLARATION,
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(feed.language)}"${xmlBase(feed)}>`,
    element('id', feed.id),
    element('title', feed.title),
    element('subtitle', feed.description),
    element('updated', feed.updatedAt ?? NEVER),
    `<author>${element('name', feed.author)}</author>`,
    // Some readers take the first link as that of the page, others the last alternate: other formats are in `Link` only.
    link('link', 'alternate', { url: feed.pageUrl, type: PAGE_TYPE }),
    link('link', 'self', { url: feed.url, type: FEED_TYPES['feed.atom'] }),
  ];
  return { start: `${lines.join('\n')}\n`, between: '', end: '</feed>\n' };
}
