// Atom (RFC 4287).
import { type Entry, entriesBy } from './entry.ts';
import type { FeedInfo, Frame, Output } from './output.ts';
import { element, escapeXml, link, mediaImage, writeLines, XML_DECLARATION, xmlBase } from './xml.ts';

/** Atom requires a date, and the current time would change an empty feed's bytes. */
const NEVER = '1970-01-01T00:00:00.000Z';

const MEDIA_TYPE = 'application/atom+xml';
const PAGE_TYPE = 'text/html';

export const atom: Output = {
  ...entriesBy(writeEntry),
  name: 'AtomFeed',
  summary: 'The changelog as an Atom feed.',
  mediaType: MEDIA_TYPE,
  label: 'Atom',
  about: 'the newest versions as an Atom feed',
  frame,
};

export function writeEntry(entry: Entry): string {
  const { product } = entry;
  const own = product && ` xml:lang="${escapeXml(product.language)}"${xmlBase(product)}`;
  return writeLines([
    `<entry${own ?? ''}>`,
    element('id', entry.id),
    element('title', entry.title),
    element('published', entry.publishedAt),
    element('updated', entry.updatedAt),
    product && `<author>${element('name', product.name)}</author>`,
    link('link', 'alternate', { url: entry.url, type: PAGE_TYPE }),
    ...entry.tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    mediaImage(entry.image),
    element('content', entry.html, ' type="html"'),
    '</entry>',
  ]);
}

function frame(feed: FeedInfo): Frame {
  const start = writeLines([
    XML_DECLARATION,
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(feed.language)}"${xmlBase(feed)}>`,
    element('id', feed.id),
    element('title', feed.title),
    element('subtitle', feed.description),
    element('updated', feed.updatedAt ?? NEVER),
    feed.logo && element('icon', feed.logo),
    feed.image && element('logo', feed.image),
    `<author>${element('name', feed.author)}</author>`,
    // Some readers take the first link for the page, others the last alternate, so other formats are only in `Link`.
    link('link', 'alternate', { url: feed.pageUrl, type: PAGE_TYPE }),
    link('link', 'self', { url: feed.url, type: MEDIA_TYPE }),
    ...feed.hubs.map((url) => link('link', 'hub', { url })),
  ]);
  return { start, between: '', end: '</feed>\n' };
}
