// JSON Feed 1.1.
import { type Entry, entriesBy } from './entry.ts';
import type { FeedInfo, Frame, Output } from './output.ts';

export const jsonFeed: Output = {
  ...entriesBy(writeItem),
  name: 'JsonFeed',
  summary: 'The changelog as a JSON Feed 1.1.',
  bodies: ['JsonFeed'],
  mediaType: 'application/feed+json',
  label: 'JSON Feed',
  about: 'the newest versions as a JSON Feed',
  frame,
};

export function writeItem(entry: Entry): string {
  const { product, image } = entry;
  return JSON.stringify({
    id: entry.id,
    url: entry.url,
    title: entry.title,
    date_published: entry.publishedAt,
    date_modified: entry.updatedAt,
    tags: entry.tags,
    content_html: entry.html,
    ...(product !== null && { authors: [{ name: product.name }], language: product.language }),
    ...(image !== null && { image, banner_image: image }),
  });
}

function frame(feed: FeedInfo): Frame {
  const fields = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.pageUrl,
    feed_url: feed.url,
    ...(feed.logo !== null && { icon: feed.logo }),
    authors: [{ name: feed.author }],
    language: feed.language,
    ...(feed.hubs.length > 0 && { hubs: feed.hubs.map((url) => ({ type: 'WebSub', url })) }),
  };
  return { start: `${JSON.stringify(fields).slice(0, -1)},"items":[`, between: ',', end: ']}' };
}
