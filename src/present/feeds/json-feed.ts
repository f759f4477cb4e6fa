// JSON Feed 1.1.
import { array, constant, object, type Static, text } from '../../domain/schema.ts';
import type { Entry } from './entry.ts';
import type { FeedInfo } from './feed-info.ts';
import type { Frame } from './frame.ts';

const EXAMPLE_URL = 'https://changes.example.com/api/v1/public/teams/acme/products/rocket/changelog';

const Author = object({ name: text({ description: 'The name of the team.', examples: ['Acme'] }) });

export const JsonFeedItem = object(
  {
    id: text({
      description: 'Identifier of the version. It does not depend on the URL.',
      examples: ['urn:changelog:ver_01a1dcf6ff237691a9ced31f0cd2217a'],
    }),
    url: text({
      description: 'The version in the API.',
      examples: [`${EXAMPLE_URL}/versions/ver_01a1dcf6ff237691a9ced31f0cd2217a`],
    }),
    title: text({ description: 'Title, or the label if the title is empty.', examples: ['Faster launches'] }),
    date_published: text({
      description: '`publishedAt` of the version.',
      examples: ['2026-05-04T09:00:00.000Z'],
    }),
    tags: array(text({ examples: ['2.1.0'] }), {
      description: 'The label, `yanked`, `breaking` and the types of the changes.',
    }),
    content_html: text({
      description: 'Description and changes as HTML that is safe to embed in a page.',
      examples: [
        '<h3>Added</h3>\n<ul>\n<li><p>Launches can be <em>paused</em> between stages.</p></li>\n</ul>',
      ],
    }),
  },
  { description: 'A version in a JSON Feed.' },
);

export const JsonFeed = object(
  {
    version: constant('https://jsonfeed.org/version/1.1', { description: 'The version of JSON Feed.' }),
    title: text({ description: 'The name of the changelog.', examples: ['Rocket changelog'] }),
    description: text({
      description: 'What the feed is about.',
      examples: ['The versions of Rocket, newest first.'],
    }),
    home_page_url: text({ description: 'The changelog in the API.', examples: [EXAMPLE_URL] }),
    feed_url: text({ description: 'The feed itself.', examples: [`${EXAMPLE_URL}/feed.json`] }),
    authors: array(Author, { description: 'The team.' }),
    items: array(JsonFeedItem, { description: 'Newest first.' }),
  },
  { description: 'A JSON Feed 1.1.' },
);

export function writeJsonItem({ id, url, title, publishedAt, tags, html }: Entry): string {
  const item: Static<typeof JsonFeedItem> = {
    id,
    url,
    title,
    date_published: publishedAt,
    tags: [...tags],
    content_html: html,
  };
  return JSON.stringify(item);
}

export function frameJsonFeed(feed: FeedInfo): Frame {
  const fields: Omit<Static<typeof JsonFeed>, 'items'> = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.changelogUrl,
    feed_url: feed.url,
    authors: [{ name: feed.author }],
  };
  return { start: `${JSON.stringify(fields).slice(0, -1)},"items":[`, between: ',', end: ']}' };
}
